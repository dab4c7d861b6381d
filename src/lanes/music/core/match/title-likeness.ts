import type { FileReading } from '../names/reading.ts';
import type { IndexedAlbum, IndexedTrack } from '../index/catalog-index.ts';
import { compactTextKey, gatedSimilarity, textSimilarity } from '#core/text/similarity.ts';
import type { TextKey } from '#core/text/similarity.ts';

/** A title that is the same but for writing. */
export const SAME_TITLE = 0.93;

/** How like a file's name or tag is to a track's title, and by which reading. */
export interface TitleLikeness {
  /** 0..1; null when the file's name says nothing. */
  similarity: number | null;
  reading: string | null;
}

/** What a movement's own name is worth without the work's: other works have an Allegro too. */
const MOVEMENT = 0.8;
/** Letters that a name cut to eight must have left to say anything. */
const LEAST_CUT = 4;

/** The best of a file's title readings against one track. */
export function titleLikeness(file: FileReading, track: IndexedTrack, album: IndexedAlbum): TitleLikeness {
  let similarity: number | null = null;
  let reading: string | null = null;
  const show = (value: number, title: TextKey): boolean => {
    if (similarity === null || value > similarity) {
      similarity = value;
      reading = title.folded;
    }
    return similarity === 1;
  };
  for (const title of readingsFor(file, track, album)) {
    if (show(gatedSimilarity(title, track.title), title)) break;
    // MATCH-39: `Symphony No. 5: II. Andante` is `II. Andante` in the work's own folder.
    if (track.movement) show(MOVEMENT * textSimilarity(title, track.movement), title);
    if (file.name.cut) show(cutLikeness(title.compact, track.title.compact), title);
  }
  return { similarity, reading };
}

/** MATCH-40: `TIGERE~1` is the beginning of a name, and nothing more was ever there. */
function cutLikeness(seen: string, known: string): number {
  if (seen.length < LEAST_CUT || !known.startsWith(seen)) return 0;
  return 0.72 + 0.22 * (seen.length / known.length);
}

/** The title readings, and what is left of each when this album's artist or title stands before or behind it. */
function readingsFor(file: FileReading, track: IndexedTrack, album: IndexedAlbum): TextKey[] {
  const readings = file.titles.map((title) => title.key);
  const first = file.titles.find((title) => title.source === 'name')?.key;
  const number = numberTitle(file, track);
  if (number !== null) readings.push(number);
  if (first === undefined) return readings;
  for (const known of [track.artist, album.artist, album.title]) {
    const word = known.compact;
    if (word.length < 3 || first.compact.length <= word.length) continue;
    const left = [
      ...(first.compact.startsWith(word) ? [first.compact.slice(word.length)] : []),
      ...(first.compact.endsWith(word) ? [first.compact.slice(0, -word.length)] : []),
    ];
    for (const rest of left) if (rest.length > 1 || /\d/.test(rest)) readings.push(compactTextKey(rest));
  }
  return readings;
}

/** MATCH-41: where titles are numbers, `03 - 3` says one; elsewhere numbers alone are no title. */
function numberTitle(file: FileReading, track: IndexedTrack): TextKey | null {
  if (!/^\d{1,3}$/.test(track.title.compact)) return null;
  const number = /^[\d\s_.()-]*?0*(\d{1,3})$/.exec(file.name.base)?.[1];
  return number === undefined ? null : compactTextKey(number);
}
