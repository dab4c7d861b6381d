/** Whether a file's artist is the one that a track and its album are credited to. */
import type { FileReading } from '../names/reading.ts';
import { editSimilarity, gatedSimilarity, type TextKey } from '#core/text/similarity.ts';

/** Comparisons already made for one album: most of its tracks share one artist. */
export type ArtistMemory = Map<FileReading, Map<TextKey, Nearness>>;

/** How near a file's texts come to one name, 0..1. */
interface Nearness {
  /** Of its tags; null where they name nobody. */
  tag: number | null;
  /** Of its tags, its name and its folders. */
  any: number;
}

interface ArtistComparison {
  weight: number;
  similarity: number | null;
  /** The tags name an artist, and it is another one, whatever name and folder say. */
  conflict: boolean;
}

const VARIOUS = /^(?:various(?: artists?)?|va|v a|diverse|soundtrack)$/;
/** From here on two names are one artist's. */
export const SAME_ARTIST = 0.65;

/** Compares what a file says of its artist with the names a track and its album are credited to. */
export function compareArtist(file: FileReading, credited: readonly TextKey[], memory: ArtistMemory): ArtistComparison {
  const known = credited.filter((key) => !VARIOUS.test(key.folded));
  if (known.length === 0 || file.artists.length === 0) return { weight: 0, similarity: null, conflict: false };
  const near = known.map((key) => nearestArtist(file, key, memory));
  const best = Math.max(...near.map(({ any }) => any));
  const tagged = near.flatMap(({ tag }) => tag ?? []);
  // Only a tag says for certain that something is an artist; a part of a name may be anything.
  const conflict = tagged.length > 0 && Math.max(...tagged) < SAME_ARTIST;
  const weight = best >= 0.9 ? 3.5 : best >= 0.78 ? 2.5 : best >= SAME_ARTIST ? 1 : 0;
  // MATCH-66: the folder of a cover names whom it covers.
  if (conflict) return { weight: best >= SAME_ARTIST ? 0 : -2, similarity: best, conflict };
  return { weight, similarity: best, conflict };
}

/** How near the nearest of a file's artist texts comes to one name. */
function nearestArtist(file: FileReading, key: TextKey, memory: ArtistMemory): Nearness {
  let known = memory.get(file);
  if (!known) memory.set(file, (known = new Map()));
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const near: Nearness = { tag: null, any: 0 };
  let isLonger = false;
  for (const seen of file.artists) {
    const isTag = seen.source === 'tag';
    if (isTag ? VARIOUS.test(seen.key.folded) : near.any === 1) continue;
    const compared = artistSimilarity(seen, key);
    if (isTag && seen.part === undefined)
      isLonger = compared <= UNLIKE && (wordsBeside(key, seen.key)?.length ?? 0) > 0;
    // MATCH-97: of `X & the Ys Tribute Band` the part `X` is a piece of the name, and nobody.
    const isPiece = isTag && seen.part === true && isLonger && seen.key.compact !== key.compact;
    const value = isPiece ? Math.min(compared, UNLIKE) : compared;
    if (isTag) near.tag = Math.max(near.tag ?? 0, value);
    near.any = Math.max(near.any, value);
  }
  if (near.any < 0.95 && key.compact.length >= 5 && file.whole.compact.includes(key.compact)) near.any = 0.95;
  known.set(key, near);
  return near;
}

/**
 * Artists: words may be in another order (`Weatherman, The`), and one of several may be named. A tag is the whole of a
 * name; a part of a file's name or a folder may have anything behind it.
 */
function artistSimilarity({ key: seen, source, part: isPart }: FileReading['artists'][number], known: TextKey): number {
  const isTag = source === 'tag';
  const plain = gatedSimilarity(seen, known);
  // Likeness leaves guests out: what stands behind those of the name says something.
  const isGuested = isTag && known.base !== known.compact && (wordsBeside(known, seen)?.length ?? 0) > 0;
  if (plain >= 0.9 && !isGuested) return plain;
  const sorted = editSimilarity(seen.sorted, known.sorted);
  const begins =
    known.compact.startsWith(seen.compact) || (!isTag && seen.compact.startsWith(known.compact)) ? BEGINS : 0;
  const part = !isPart && known.tokens.length >= 2 && seen.compact.length >= 4 ? begins : 0;
  const best = Math.max(plain, sorted, part);
  if (!isTag || sorted >= 0.95) return best;
  const others = wordsBeside(known, seen);
  if (others === null || others.length === 0) return best;
  // SAFE-1: a sentence behind the name is somebody's words to a reader, and nobody's name.
  const isSentence = others.length >= SENTENCE && known.tokens.every((token, at) => seen.tokens[at] === token);
  return isSentence ? Math.max(best, BEGINS) : Math.min(best, UNLIKE);
}

/** What a name that begins with the other one is worth. */
const BEGINS = 0.8;

/** What a name inside a longer one is worth: another artist. */
const UNLIKE = 0.5;
/** Words that a band's name has or has not, and nobody else is meant. */
const SMALL = new Set(
  'the a an and el la los las les le die der das os as o i gli band group official vevo topic music feat ft'.split(' '),
);

/**
 * MATCH-67: the words that say something beside a name whose words are all in a longer one: `X Tribute Band`,
 * `Symphonic X`; null where they are not.
 */
function wordsBeside(known: TextKey, seen: TextKey): string[] | null {
  if (known.compact.length < 3) return null;
  const rest = [...seen.tokens];
  for (const token of known.tokens) {
    const at = rest.indexOf(token);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest.filter((token) => !SMALL.has(token));
}

/** Words behind a name from which on they are no part of one: `X for Solo Piano` has three, `X Tribute Band` two. */
const SENTENCE = 5;
