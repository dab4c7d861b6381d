/** What a block plays, in its order, over again at the end. */
import { fnv1a } from '#core/fnv1a.ts';
import { mulberry32 } from '#core/mulberry32.ts';
import type { Block, ScheduleVideo } from './types.ts';

/** A video whose length is known. */
export interface Playable {
  id: string;
  milliseconds: number;
}

export interface PlayList {
  /** Different videos. */
  size: number;
  /** The item at a place that is counted from 0 and over all rounds. Not to be asked of an empty list. */
  at(place: number): Playable | undefined;
}

/** True where the length can be used: a positive whole number of seconds. */
export function hasLength({ seconds }: ScheduleVideo): boolean {
  return Number.isSafeInteger(seconds) && (seconds ?? 0) > 0;
}

/** The videos of a show that a block may play, in order of season and episode. Those without a length are among them. */
export function episodesOf(show: string, videos: readonly ScheduleVideo[]): ScheduleVideo[] {
  return videos
    .filter((video) => video.show === show && video.season !== 0)
    .sort((a, b) => number(a.season) - number(b.season) || number(a.episode) - number(b.episode) || byId(a, b));
}

const number = (value: number | null): number => value ?? 0;
const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** `shows`: the episodes of each show of the block, in the block's order of shows. */
export function playList(block: Block, shows: readonly (readonly ScheduleVideo[])[], channelId: string): PlayList {
  const queues = shows.map((videos) =>
    videos.filter(hasLength).map(({ id, seconds }) => ({ id, milliseconds: (seconds ?? 0) * 1000 })),
  );
  if (block.order === 'shuffle') return shuffled(queues.flat(), String(block.seed ?? channelId), block.id);
  const list = block.order === 'aired' ? queues.flat() : byTurns(queues);
  return { size: new Set(list.map(({ id }) => id)).size, at: (place) => list[place % list.length] };
}

/** One of each in turn; a show that is through is passed over until all are. */
function byTurns<Item>(queues: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1))).flat();
}

/** Each round is a permutation of its own, and does not begin with what the round before ended with. */
function shuffled(items: readonly Playable[], seed: string, blockId: string): PlayList {
  const sorted = [...new Map(items.map((item) => [item.id, item])).values()].sort(byId);
  let latest = { round: -1, order: sorted };

  function drawn(round: number): Playable[] {
    const random = mulberry32(fnv1a(`${seed}\n${blockId}\n${round}`));
    const order = [...sorted];
    for (let last = order.length - 1; last > 0; last--) swap(order, last, Math.floor(random() * (last + 1)));
    return order;
  }

  function ordered(round: number): Playable[] {
    const order = drawn(round);
    // With two videos the swap would change the end of the round as well, on which the next one depends.
    if (round > 0 && order.length > 2 && drawn(round - 1).at(-1)?.id === order[0]?.id) swap(order, 0, 1);
    return order;
  }

  return {
    size: sorted.length,
    at(place) {
      const round = Math.floor(place / sorted.length);
      if (latest.round !== round) latest = { round, order: ordered(round) };
      return latest.order[place % sorted.length];
    },
  };
}

function swap<Item>(list: Item[], a: number, b: number): void {
  const [one, other] = [list[a], list[b]];
  if (one === undefined || other === undefined) return;
  list[a] = other;
  list[b] = one;
}
