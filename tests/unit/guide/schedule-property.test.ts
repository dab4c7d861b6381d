import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveSchedule } from '#lanes/guide/core/schedule/derive.ts';
import type { Block, ScheduleChannel, ScheduleVideo } from '#lanes/guide/core/schedule/types.ts';

const DAY = 86_400_000;
/** A week before a change of the clock in one of the zones, or far from any. */
const STARTS = ['2026-03-05', '2026-03-26', '2026-10-22', '2026-10-29', '2026-06-01', '2026-04-02'];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago'];

const time = fc
  .tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '45'))
  .map(([hour, minutes]) => `${String(hour).padStart(2, '0')}:${minutes}`);
const video: fc.Arbitrary<Omit<ScheduleVideo, 'id'>> = fc.record({
  show: fc.constantFrom('s', 't', 'u'),
  season: fc.constantFrom(0, 1, 2, null),
  episode: fc.nat(9),
  seconds: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 300, max: 9000 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, -5, 0.5) },
  ),
});
const block: fc.Arbitrary<Omit<Block, 'id'>> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  at: time,
  until: fc.option(time),
  shows: fc.uniqueArray(fc.constantFrom('s', 't', 'u'), { minLength: 1 }),
  order: fc.constantFrom('aired', 'rotate', 'shuffle'),
  pad: fc.constantFrom(0, 5, 10, 15, 30),
});
const world = fc.record({
  zone: fc.constantFrom(...ZONES),
  from: fc.constantFrom(...STARTS),
  blocks: fc.array(block, { maxLength: 4 }),
  videos: fc.array(video, { maxLength: 12 }),
});

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
const made = ({ zone, from, blocks, videos }: typeof world extends fc.Arbitrary<infer World> ? World : never) => ({
  channel: {
    ...{ id: 'c', number: '1', name: 'C', zone, from },
    blocks: blocks.map((one, index) => ({ ...one, id: `b${index}` })),
  } satisfies ScheduleChannel,
  videos: videos.map((one, index) => ({ ...one, id: `v${index}` })),
});

it('GUIDE-60 each day by itself says the same as all days at once', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 1, max: 8 }), (drawn, days) => {
      const { channel, videos } = made(drawn);
      const of = (first: number, end: number) =>
        deriveSchedule(channel, videos, { from: dayAfter(drawn.from, first), to: dayAfter(drawn.from, end) });
      const whole = of(0, days);
      const pieces = Array.from({ length: days }, (_, day) => of(day, day + 1));
      expect(pieces.flatMap(({ programmes }) => programmes)).toEqual(whole.programmes);
      const said = (conflicts: readonly { code: string }[]) => new Set(conflicts.map((one) => JSON.stringify(one)));
      expect(said(pieces.flatMap(({ conflicts }) => conflicts))).toEqual(said(whole.conflicts));
    }),
    { numRuns: 150 },
  );
});

it('GUIDE-65 no two programmes overlap, and each is as long as its video', () => {
  fc.assert(
    fc.property(world, (drawn) => {
      const { channel, videos } = made(drawn);
      const { programmes } = deriveSchedule(channel, videos, { from: drawn.from, to: dayAfter(drawn.from, 8) });
      const lengths = new Map(videos.map(({ id, seconds }) => [id, seconds]));
      let last = 0;
      for (const { start, stop, video: id } of programmes) {
        expect(Date.parse(start)).toBeGreaterThanOrEqual(last);
        expect(Date.parse(stop) - Date.parse(start)).toBe((lengths.get(id) ?? 0) * 1000);
        last = Date.parse(stop);
      }
    }),
    { numRuns: 300 },
  );
});

it('GUIDE-68 videos in another order give the same schedule', () => {
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (drawn, keys) => {
      const { channel, videos } = made(drawn);
      const mixed = videos
        .map((one) => ({ one, key: keys.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const window = { from: drawn.from, to: dayAfter(drawn.from, 4) };
      expect(deriveSchedule(channel, mixed, window)).toEqual(deriveSchedule(channel, videos, window));
    }),
    { numRuns: 150 },
  );
});

it('GUIDE-64 a shuffled block plays every video once a round, another round in another order, none twice in a row', () => {
  const videos = Array.from({ length: 7 }, (_, index) => ({
    ...{ id: `v${index}`, show: 's', season: 1, episode: index, seconds: 3600 },
  }));
  const orders = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const blocks: Block[] = [
      { id: 'b', days: [1, 2, 3, 4, 5, 6, 7], at: '00:00', until: null, shows: ['s'], order: 'shuffle', pad: 0, seed },
    ];
    const channel = { id: 'c', number: '1', name: 'C', zone: 'UTC', from: '2026-01-05', blocks };
    const played = deriveSchedule(channel, videos, { from: '2026-01-05', to: '2026-01-12' }).programmes.map(
      ({ video: id }) => id,
    );
    expect(played).toHaveLength(168);
    expect(played.some((id, index) => id === played[index + 1])).toBe(false);
    for (let round = 0; round < 24; round++) {
      const part = played.slice(round * 7, round * 7 + 7);
      expect(new Set(part).size).toBe(7);
      orders.add(part.join());
    }
  }
  expect(orders.size).toBeGreaterThan(500);
});
