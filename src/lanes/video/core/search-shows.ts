import { gatedSimilarity, textKey, type TextKey } from '#core/text/similarity.ts';
import type { ShowHead } from './show-catalog.ts';

/** What a show is found by: of a list (`ShowHead`) or the whole (`Show`). */
type Titled = Pick<ShowHead, 'id' | 'title' | 'titles' | 'year'>;

export interface ShowHit<T extends Titled> {
  show: T;
  /** 0..1: how near the words are to the title. */
  score: number;
  /** The title that was meant: the show's own, or one of the others. */
  matched: string;
}

/** Answers of less than this likeness are noise. */
const LEAST = 0.45;
/** What a title costs where a year is given with it and the show is of another. */
const OTHER_YEAR = 0.7;
const MAX_QUESTION = 200;

/**
 * Shows whose title, or one of whose other titles, is near the words; best first, at most `limit`. Typing errors, other
 * scripts, the order of the words, a beginning and a year behind the title (`Kanal 2011`, `Kanal (2011)`) are forgiven. No
 * words find nothing.
 */
export function searchShows<T extends Titled>(shows: readonly T[], words: string, limit: number): ShowHit<T>[] {
  const readings = readingsOf(words.slice(0, MAX_QUESTION));
  if (readings.length === 0) return [];
  const hits: ShowHit<T>[] = [];
  for (const show of shows) {
    let best: ShowHit<T> | null = null;
    for (const { title, key } of keysOf(show)) {
      const score = nearness(readings, key, show.year);
      if (score >= LEAST && score > (best?.score ?? 0)) best = { show, score, matched: title };
    }
    if (best !== null) hits.push(best);
  }
  return hits.sort(betterFirst).slice(0, limit);
}

function betterFirst(a: ShowHit<Titled>, b: ShowHit<Titled>): number {
  return b.score - a.score || byText(a.show.title, b.show.title) || byText(a.show.id, b.show.id);
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

interface Reading {
  key: TextKey;
  /** That was behind the words. */
  year: number | null;
}

/** The words as they are, and without a year at their end, which may belong to the title or not. */
function readingsOf(words: string): Reading[] {
  const whole = { key: textKey(words), year: null };
  if (whole.key.compact === '') return [];
  const [, title, year] = /^(.*\S)[\s._([-]+((?:19|20)\d{2})[\s)\]]*$/.exec(words.trim()) ?? [];
  return title === undefined ? [whole] : [whole, { key: textKey(title), year: Number(year) }];
}

/** Of each list of shows that is searched more than once: folding the titles takes longer than comparing them. */
const keys = new WeakMap<Titled, { title: string; key: TextKey }[]>();

function keysOf(show: Titled): { title: string; key: TextKey }[] {
  const made = keys.get(show) ?? [show.title, ...show.titles].map((title) => ({ title, key: textKey(title) }));
  keys.set(show, made);
  return made;
}

function nearness(readings: readonly Reading[], known: TextKey, year: number | null): number {
  let best = 0;
  for (const reading of readings) {
    const fits = reading.year === null || year === null || Math.abs(reading.year - year) <= 1 ? 1 : OTHER_YEAR;
    best = Math.max(best, fits * likeness(reading.key, known));
  }
  return best;
}

/** As the catalog's search: what is typed is often only the beginning, or one word of several. */
function likeness(asked: TextKey, known: TextKey): number {
  const begins = known.compact.startsWith(asked.compact) ? 0.9 : 0;
  const word = asked.compact.length >= 3 && known.tokens.some((token) => token.startsWith(asked.compact)) ? 0.85 : 0;
  return Math.max(gatedSimilarity(asked, known), sameButArticle(asked, known), begins, word);
}

/** `Bridge, The` and `Bridge` are `The Bridge`. */
const sameButArticle = (a: TextKey, b: TextKey): number => (a.sorted !== '' && a.sorted === b.sorted ? 0.97 : 0);
