import type { FileReading } from '../names/reading.ts';
import { editSimilarity, gatedSimilarity } from '#core/text/similarity.ts';
import type { TextKey } from '#core/text/similarity.ts';

/** Comparisons already made for one album: most of its tracks share one artist. */
export type ArtistMemory = Map<FileReading, Map<TextKey, number>>;

export interface ArtistComparison {
  weight: number;
  similarity: number | null;
  conflict: boolean;
}

const VARIOUS = /^(?:various(?: artists?)?|va|v a|diverse|soundtrack)$/;

/** Compares what a file says of its artist with the names a track and its album are credited to. */
export function compareArtist(file: FileReading, credited: readonly TextKey[], memory: ArtistMemory): ArtistComparison {
  const known = credited.filter((key) => !VARIOUS.test(key.folded));
  if (known.length === 0 || file.artists.length === 0) return { weight: 0, similarity: null, conflict: false };
  const best = Math.max(...known.map((key) => nearestArtist(file, key, memory)));
  const weight = best >= 0.9 ? 3.5 : best >= 0.78 ? 2.5 : best >= 0.65 ? 1 : 0;
  if (best >= 0.65) return { weight, similarity: best, conflict: false };
  // Only a tag says for certain that something is an artist; a part of a name may be anything.
  const tagged = file.artists.some((seen) => seen.source === 'tag' && !VARIOUS.test(seen.key.folded));
  return { weight: tagged ? -2 : 0, similarity: best, conflict: tagged };
}

/** How near the nearest of a file's artist texts comes to one name. */
function nearestArtist(file: FileReading, key: TextKey, memory: ArtistMemory): number {
  let known = memory.get(file);
  if (!known) memory.set(file, (known = new Map()));
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  let best = 0;
  for (const seen of file.artists) {
    if (best < 1) best = Math.max(best, artistSimilarity(seen.key, key));
  }
  if (best < 0.95 && key.compact.length >= 5 && file.whole.compact.includes(key.compact)) best = 0.95;
  known.set(key, best);
  return best;
}

/** Artists: words may stand in another order (`Weatherman, The`), and one of several may be named. */
function artistSimilarity(seen: TextKey, known: TextKey): number {
  const plain = gatedSimilarity(seen, known);
  if (plain >= 0.9) return plain;
  const sorted = editSimilarity(seen.sorted, known.sorted);
  const part =
    known.tokens.length >= 2 &&
    seen.compact.length >= 4 &&
    (known.compact.startsWith(seen.compact) || seen.compact.startsWith(known.compact))
      ? 0.8
      : 0;
  return Math.max(plain, sorted, part);
}
