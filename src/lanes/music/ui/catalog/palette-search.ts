import Disc3 from '@lucide/svelte/icons/disc-3';
import Music from '@lucide/svelte/icons/music';
import { formatDuration } from '#core/text/duration.ts';
import { ask } from '#ui/client/workers.ts';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { music } from '../client.ts';
import { albumPath } from './album-path.ts';

const MOST = 6;

/** Both lists are of one search: the palette asks for them with the same words. */
let last: { words: string; found: ReturnType<typeof look> } | null = null;
const look = (words: string) => ask(music().searchCatalog(words, MOST));

function catalog(words: string): ReturnType<typeof look> {
  if (last?.words !== words) last = { words, found: look(words) };
  return last.found;
}

/** Albums and tracks of the replica, for the palette. */
export const searches: readonly LaneSearch[] = [
  {
    heading: 'Albums',
    icon: Disc3,
    async find(words) {
      const found = await catalog(words);
      if (found === null) return null;
      return found.albums.map(({ id, title, artist, year }) => ({
        key: `album ${id}`,
        label: title,
        detail: year === null ? artist : `${artist}, ${year}`,
        path: albumPath(id),
      }));
    },
  },
  {
    heading: 'Tracks',
    icon: Music,
    async find(words) {
      const found = await catalog(words);
      // Each list is asked for once: the next words, or the same ones later, are looked up anew.
      last = null;
      if (found === null) return null;
      return found.tracks.map(({ id, title, artist, album, album_id, duration_ms }) => ({
        key: `track ${id}`,
        label: title,
        detail: [artist, album, formatDuration(duration_ms)].filter((part) => part !== '').join(' · '),
        path: albumPath(album_id),
      }));
    },
  },
];
