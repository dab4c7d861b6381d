import { describe, expect, it } from 'vitest';
import { deriveSchedule, videosOf } from '#lanes/guide/core/schedule/derive.ts';
import type { ScheduleChannel, ScheduleVideo } from '#lanes/guide/core/schedule/types.ts';
import { block, channel, episodes } from './schedule-world.ts';

const HOUR = 3600;
const derived = (of: ScheduleChannel, videos: ScheduleVideo[], from: string, to: string) =>
  deriveSchedule(of, videos, { from, to });
const short = ({ start, video }: { start: string; video: string }): string => `${start.slice(5, 16)} ${video}`;

describe('blocks', () => {
  it('GUIDE-61 a begin inside the gap moves on by it, one that is twice is the first', () => {
    const nights = channel([block({ at: '02:30', until: '04:00' })], { zone: 'Europe/Berlin', from: '2026-03-29' });
    const videos = episodes('s', 1, 1800);
    expect(derived(nights, videos, '2026-03-29', '2026-03-30').programmes.map(({ start }) => start)).toEqual([
      '2026-03-29T01:30:00Z',
    ]);
    const autumn = { ...nights, from: '2026-10-25' };
    // 02:30 in summer time up to 04:00 in winter time: two hours and a half.
    expect(
      derived(autumn, videos, '2026-10-25', '2026-10-26').programmes.map(({ start }) => start.slice(11, 16)),
    ).toEqual(['00:30', '01:00', '01:30', '02:00', '02:30']);
  });

  it('GUIDE-61 a day that a zone skipped has no block', () => {
    const samoa = channel([block({ at: '12:00', until: '13:00' })], { zone: 'Pacific/Apia', from: '2011-12-29' });
    const { programmes, conflicts } = derived(samoa, episodes('s', 1, HOUR), '2011-12-29', '2012-01-01');
    expect(programmes.map(({ start }) => start)).toEqual(['2011-12-29T22:00:00Z', '2011-12-30T22:00:00Z']);
    expect(conflicts).toEqual([{ code: 'no-such-day', block: 'b', day: '2011-12-30', video: null }]);
  });

  it('GUIDE-62 the next begin cuts, an end in the gap leaves nothing, and the first listed of two takes place', () => {
    const blocks = [
      block({ id: 'a', at: '01:30', until: '03:00' }),
      block({ id: 'b', at: '02:30', until: '03:15' }),
      block({ id: 'c', at: '03:30', until: '05:00' }),
    ];
    const videos = episodes('s', 3, 600);
    const berlin = channel(blocks, { zone: 'Europe/Berlin', from: '2026-03-28' });
    expect(derived(berlin, videos, '2026-03-28', '2026-03-30').conflicts).toEqual([
      { code: 'cut', block: 'a', day: '2026-03-28', video: null },
      // 02:30 is 03:30 on that day: after its own end, and the begin of c as well.
      { code: 'no-time', block: 'b', day: '2026-03-29', video: null },
      { code: 'same-start', block: 'c', day: '2026-03-29', video: null },
    ]);
  });

  it('GUIDE-62 a block without an end goes on to the next begin, be it a week away', () => {
    const weekly = channel([block({ days: [1], at: '23:00', until: null, pad: 30 })]);
    const { programmes } = derived(weekly, episodes('s', 1, 24 * HOUR), '2026-01-05', '2026-01-12');
    expect(programmes).toHaveLength(7);
    expect(programmes.at(-1)?.stop).toBe('2026-01-12T23:00:00Z');
  });

  it('GUIDE-60 what begins behind midnight belongs to the day on which it begins', () => {
    const late = channel([block({ at: '23:00', until: '01:00' })]);
    const videos = episodes('s', 9, 2400);
    const first = derived(late, videos, '2026-01-05', '2026-01-06').programmes.map(short);
    const second = derived(late, videos, '2026-01-06', '2026-01-07').programmes.map(short);
    expect(first).toEqual(['01-05T23:00 s1x01', '01-05T23:40 s1x02']);
    expect(second).toEqual(['01-06T00:20 s1x03', '01-06T23:00 s1x04', '01-06T23:40 s1x05']);
  });
});

describe('items', () => {
  it('GUIDE-63 shows one after the other, or by turns until all are through, without specials', () => {
    const videos = [...episodes('s', 3, HOUR), ...episodes('t', 1, HOUR), ...episodes('s', 1, HOUR, 0)];
    const both = (order: 'aired' | 'rotate') =>
      derived(
        channel([block({ at: '00:00', until: '06:00', shows: ['s', 't'], order })]),
        videos,
        ...(['2026-01-05', '2026-01-06'] as const),
      ).programmes.map(({ video }) => video);
    expect(both('aired')).toEqual(['s1x01', 's1x02', 's1x03', 't1x01', 's1x01', 's1x02']);
    expect(both('rotate')).toEqual(['s1x01', 't1x01', 's1x02', 's1x03', 's1x01', 't1x01']);
  });

  it('GUIDE-65 further items begin at whole steps of the wall clock, in zones of quarter hours, too', () => {
    const nepal = channel([block({ at: '20:10', until: '23:00', pad: 30 })], { zone: 'Asia/Kathmandu' });
    const { programmes } = derived(nepal, episodes('s', 9, 1500), '2026-01-05', '2026-01-06');
    // 20:10, 21:00, 21:30, 22:00, 22:30 there; 5:45 earlier in UTC.
    expect(programmes.map(({ start }) => start.slice(11, 16))).toEqual(['14:25', '15:15', '15:45', '16:15', '16:45']);
  });

  it('GUIDE-65 rounding up within the hour that is there twice never goes back to the first one', () => {
    const berlin = channel([block({ at: '01:00', until: '05:00', pad: 30 })], {
      ...{ zone: 'Europe/Berlin', from: '2026-10-25' },
    });
    const { programmes } = derived(berlin, episodes('s', 9, 65 * 60), '2026-10-25', '2026-10-26');
    expect(programmes.map(({ start }) => start.slice(8, 16))).toEqual(['24T23:00', '25T00:30', '25T02:00']);
  });

  it('GUIDE-66 too long by the clock is passed over, too long for this day waits', () => {
    const videos = [
      { id: 'long', show: 's', season: 1, episode: 1, seconds: 3 * HOUR },
      { id: 'fits', show: 's', season: 1, episode: 2, seconds: 2 * HOUR },
    ];
    const nights = channel([block({ at: '01:00', until: '03:00' })], { zone: 'Europe/Berlin', from: '2026-03-28' });
    const { programmes, conflicts } = derived(nights, videos, '2026-03-28', '2026-03-31');
    expect(programmes.map(short)).toEqual(['03-28T00:00 fits', '03-29T23:00 fits']);
    expect(conflicts.map(({ code, day, video }) => `${code} ${day} ${video}`)).toEqual([
      'does-not-fit 2026-03-29 fits',
      'too-long 2026-03-28 long',
      'too-long 2026-03-29 long',
    ]);
  });

  it('GUIDE-66 a list of nothing but too long items ends', () => {
    const { programmes, conflicts } = derived(
      channel([block({ order: 'shuffle' })]),
      episodes('s', 3, 5 * HOUR),
      ...(['2026-01-05', '2026-01-06'] as const),
    );
    expect(programmes).toEqual([]);
    expect(conflicts.map(({ code, video }) => `${code} ${video}`)).toEqual([
      'too-long s1x01',
      'too-long s1x02',
      'too-long s1x03',
    ]);
  });

  it('GUIDE-67 what has no length is said once, a block with nothing to play as well', () => {
    const videos = [
      { id: 'none', show: 's', season: 1, episode: 1, seconds: null },
      { id: 'half', show: 's', season: 1, episode: 2, seconds: 1.5 },
      { id: 'other', show: 'not wanted', season: 1, episode: 2, seconds: 0 },
    ];
    const both = channel([block({ id: 'a' }), block({ id: 'b', at: '12:00', until: '13:00' })]);
    const said = (given: ScheduleVideo[]) =>
      derived(both, given, '2026-01-05', '2026-01-08').conflicts.map(({ code, block: of, day, video }) => {
        expect(day).toBeNull();
        return `${code} ${of ?? video}`;
      });
    const wanted = ['empty a', 'empty b', 'no-length half', 'no-length none'];
    expect(said(videosOf(both, videos))).toEqual(wanted);
    expect(said(videos)).toEqual([...wanted, 'no-length other']);
  });

  it('GUIDE-67 an unknown zone, a day and a time that are none are refused with a sentence', () => {
    const tried =
      (changes: Partial<ScheduleChannel>, from = '2026-01-05') =>
      () =>
        derived(channel([block({})], changes), [], from, '2026-01-06');
    expect(tried({ zone: 'Europe/Atlantis' })).toThrow('There is no time zone "Europe/Atlantis".');
    expect(tried({ zone: '+01:00' })).toThrow('There is no time zone "+01:00".');
    expect(tried({}, '2026-02-30')).toThrow('"2026-02-30" is no day.');
    expect(tried({ blocks: [block({ at: '24:00' })] })).toThrow('"24:00" is no time of a day.');
  });
});
