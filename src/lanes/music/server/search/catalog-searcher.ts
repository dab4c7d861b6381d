/** The catalog's index of words in a process of its own, kept up to date by the change feed. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import { openIds } from '#lanes/music/core/index/compact-catalog.ts';
import { openWordBase } from '#lanes/music/core/index/word-base.ts';
import { WordChanges } from '#lanes/music/core/index/word-changes.ts';
import { openWordIndex, type WordIndex } from '#lanes/music/core/index/word-index.ts';
import type { LaneSearcher } from '#server/search/searching.ts';
import {
  feedPlace,
  placeAfter,
  readChanges,
  type FeedChange,
  type FeedPlace,
  type LaneFeed,
} from '#server/store/feed.ts';
import type { Reader } from '#server/store/schema.ts';
import { inTurns, readNames } from '../snapshot/read-catalog.ts';

/** Changes of a page. */
const PAGE = 1000;
/** Changes after which all is read again: of a small catalog, and as a part of a large one. */
const MOST_CHANGES = 20_000;
const SHARE_CHANGED = 0.1;

/** @param least changes after which all of a small catalog is read again */
export function catalogSearcher(db: Reader, feed: LaneFeed, least = MOST_CHANGES): LaneSearcher {
  let place: FeedPlace = { seq: 0, mark: null };
  let kept: { index: WordIndex; changes: WordChanges; most: number } | null = null;
  return {
    get place() {
      return place;
    },
    async load() {
      kept = null;
      const { signal } = new AbortController();
      // What changes while it is read is in the feed after this.
      const begun = await feedPlace(db);
      const { words, named } = await inTurns((await readNames(db, signal)).steps(), signal);
      const base = openWordBase(words, named, openIds(named));
      const changes = new WordChanges(base);
      const most = Math.max(least, named.tracks.id.length * SHARE_CHANGED);
      kept = { index: openWordIndex(base, changes), changes, most };
      place = begun;
    },
    async follow() {
      const { now, isOfHistory } = await placeAfter(db, place);
      if (kept === null || !isOfHistory) return false;
      if (now.seq - place.seq + kept.changes.count > kept.most) return false;
      let after = place.seq;
      for (let more = true; more;) {
        const page = await readChanges(db, feed, [], after, PAGE);
        for (const change of page.items) take(kept.changes, change);
        after = page.last;
        more = page.more;
        if (more) await breathe();
      }
      place = now;
      return true;
    },
    search: (question, limit) => kept?.index.search(question, limit) ?? { artists: [], albums: [], tracks: [] },
  };
}

/** The lane's own feed gives the records of its kinds. */
function take(changes: WordChanges, { kind, id, record }: FeedChange): void {
  switch (kind) {
    case 'artist':
      return record === null ? changes.dropArtist(id) : changes.putArtist(record as Artist);
    case 'album':
      return record === null ? changes.dropAlbum(id) : changes.putAlbum(record as Album);
    case 'track':
      return record === null ? changes.dropTrack(id) : changes.putTrack(record as Track);
  }
}
