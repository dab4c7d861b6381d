/** Whether a file's artist is the one that a track and its album are credited to. */
import type { FileReading } from '../names/reading.ts';
import { editSimilarity, gatedSimilarity, textKey, type TextKey } from '#core/text/similarity.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';

/** Comparisons already made for one album: most of its tracks share one artist. */
export interface ArtistMemory {
  near: Map<FileReading, Map<TextKey, Nearness>>;
  /** Whether the catalog has an artist of exactly this name; `known` keeps what was asked. */
  isArtist(name: TextKey): boolean;
}

/** `known`: answers that hold for all albums of a unit. */
export function artistMemory(index: Pick<CatalogIndex, 'artistsByText'>, known: Map<string, boolean>): ArtistMemory {
  return {
    near: new Map(),
    isArtist: (name) => {
      let found = known.get(name.compact);
      if (found === undefined) {
        found = index.artistsByText(name, 4).some(({ artist }) => textKey(artist.name).compact === name.compact);
        known.set(name.compact, found);
      }
      return found;
    },
  };
}

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
  const others = file.artists.filter((seen) => isLongerThanAny(seen, known, file));
  const near = known.map((key) => nearestArtist(file, key, others, memory));
  const best = Math.max(...near.map(({ any }) => any));
  const tagged = near.flatMap(({ tag }) => tag ?? []);
  // Only a tag says for certain that something is an artist; a part of a name may be anything.
  const conflict = tagged.length > 0 && Math.max(...tagged) < SAME_ARTIST;
  const weight = best >= 0.9 ? 3.5 : best >= 0.78 ? 2.5 : best >= SAME_ARTIST ? 1 : 0;
  // MATCH-66: the folder of a cover names whom it covers.
  if (conflict) return { weight: best >= SAME_ARTIST ? 0 : -2, similarity: best, conflict };
  return { weight, similarity: best, conflict };
}

type Seen = FileReading['artists'][number];

/** The parts of a tag that names several, beside its whole. */
function partsOf(file: FileReading, whole: Seen): Seen[] {
  const from = file.artists.indexOf(whole) + 1;
  const to = file.artists.findIndex((seen, at) => at >= from && seen.part !== true);
  return file.artists.slice(from, to < 0 ? undefined : to);
}

/** MATCH-97, MATCH-104: a tag that has one of the credited names and more, and does not name all of its people apart. */
function isLongerThanAny(seen: Seen, known: readonly TextKey[], file: FileReading): boolean {
  if (seen.source !== 'tag' || seen.part === true) return false;
  if (known.some((key) => editSimilarity(seen.key.sorted, key.sorted) >= SAME_NAME)) return false;
  return known.some((key) => {
    const beside = wordsBeside(key, seen.key) ?? [];
    return beside.length > 0 && !isSentence(key, seen.key, beside) && !namesAll(partsOf(file, seen), key);
  });
}

/** Parts that a tag was divided into; it may have had more. */
const MOST_PARTS = 5;

/** Each word of the name is in a part that is nothing but it or some of its people: `X & the Ys, Third`. */
function namesAll(parts: readonly Seen[], name: TextKey): boolean {
  if (parts.length >= MOST_PARTS) return true;
  const words = new Set(name.tokens);
  const said = new Set(parts.flatMap(({ key }) => (key.tokens.every((token) => words.has(token)) ? key.tokens : [])));
  return said.size > 0 && name.tokens.every((token) => said.has(token) || SMALL.has(token));
}

/**
 * How near the nearest of a file's artist texts comes to one name. `others`: tags that are longer names, of somebody else.
 */
function nearestArtist(file: FileReading, key: TextKey, others: readonly Seen[], memory: ArtistMemory): Nearness {
  let known = memory.near.get(file);
  if (!known) memory.near.set(file, (known = new Map()));
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const near: Nearness = { tag: null, any: 0 };
  let isOther = false;
  for (const seen of file.artists) {
    const isTag = seen.source === 'tag';
    if (isTag ? VARIOUS.test(seen.key.folded) : near.any === 1) continue;
    if (seen.part === undefined) isOther = others.includes(seen);
    // MATCH-97: of `X & the Ys Tribute Band` the part `X` is a piece of the name, and nobody.
    const value = isTag && isOther ? UNLIKE : artistSimilarity(seen, key, memory);
    if (isTag) near.tag = Math.max(near.tag ?? 0, value);
    near.any = Math.max(near.any, value);
  }
  if (near.any < 0.95 && key.compact.length >= 5 && file.whole.compact.includes(key.compact)) near.any = 0.95;
  known.set(key, near);
  return near;
}

/** Whether a tag's name that is like another one is somebody else's: the catalog has them, or only sounds are alike. */
function isSomebodyElse(seen: TextKey, known: TextKey, memory: ArtistMemory): boolean {
  const shared = seen.tokens.filter((token) => known.tokens.includes(token) && !SMALL.has(token)).length;
  const least = Math.min(...[seen, known].map(({ tokens }) => tokens.filter((token) => !SMALL.has(token)).length));
  if (shared > 0 && shared >= least * MOST_WORDS) return false;
  const onlySounds =
    shared === 0 && editSimilarity(seen.leet, known.leet) < ALIKE && !isWithin(seen.compact, known.compact);
  return onlySounds || memory.isArtist(seen);
}

/** Share of the words of the shorter name in both, from which on one is the other with more or fewer people. */
const MOST_WORDS = 0.6;
/** Letters alike, by edits, below which only the consonants are. */
const ALIKE = 0.5;

/** All letters of the shorter are in the longer, in their order: what is left where some were lost. */
function isWithin(shorter: string, longer: string): boolean {
  let at = 0;
  for (const letter of longer) if (letter === shorter[at]) at++;
  return at === shorter.length;
}

/**
 * Artists: words may be in another order (`Weatherman, The`), and one of several may be named. A tag is the whole of a
 * name; a part of a file's name or a folder may have anything behind it.
 */
function artistSimilarity({ key: seen, source, part: isPart }: Seen, known: TextKey, memory: ArtistMemory): number {
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
  if (others === null) {
    // MATCH-104: of two artists of a catalog, or two names of the same consonants, neither is the other.
    const isUnlike =
      best >= SAME_ARTIST && best < SAME_NAME && sorted < SAME_NAME && isSomebodyElse(seen, known, memory);
    return isUnlike ? UNLIKE : best;
  }
  if (others.length === 0) return best;
  return isSentence(known, seen, others) ? Math.max(best, BEGINS) : Math.min(best, UNLIKE);
}

/** From here on two names are the same but for writing. */
const SAME_NAME = 0.9;
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

/** SAFE-1: a sentence behind the name is somebody's words to a reader, and nobody's name. */
function isSentence(known: TextKey, seen: TextKey, beside: readonly string[]): boolean {
  return beside.length >= SENTENCE && known.tokens.every((token, at) => seen.tokens[at] === token);
}

/** Words behind a name from which on they are no part of one: `X for Solo Piano` has three, `X Tribute Band` two. */
const SENTENCE = 5;
