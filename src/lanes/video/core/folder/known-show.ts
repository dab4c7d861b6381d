/** A show's catalog entry as a folder asks it: is there such an episode, which one aired then, which one is called so. */
import { foldText } from '#core/text/fold.ts';
import { textKey, type TextKey, gatedSimilarity } from '#core/text/similarity.ts';
import { absoluteNumbers, type PlacedEpisode, type Show } from '../show-catalog.ts';
import type { NameReading } from '../folder-reading.ts';

export interface Place {
  season: number;
  episode: number;
}

export interface KnownEpisode extends PlacedEpisode {
  /** Null where the title says nothing. */
  key: TextKey | null;
  /** The title's words without the show's own, where it begins with that; null otherwise. */
  short: TextKey | null;
}

export interface KnownShow {
  /** The catalog counts episodes of it: a number that is not there is none of the show's. */
  counted: boolean;
  /** The catalog says which specials there are. */
  specials: readonly KnownEpisode[];
  /** Without the specials, ascending. */
  seasons: readonly number[];
  episodes: readonly KnownEpisode[];
  titles: readonly TextKey[];
  at(place: Place): KnownEpisode | null;
  byAbsolute(number: number): KnownEpisode | null;
  /** In order of their numbers; the specials last. */
  byDate(day: string): readonly KnownEpisode[];
  /** Its first and last number; null where the season is not known. */
  span(season: number): { first: number; last: number } | null;
}

export const placeKey = ({ season, episode }: Place): string => `${season}x${episode}`;
export const placeName = ({ season, episode }: Place): string =>
  `S${String(season).padStart(2, '0')}E${String(episode).padStart(2, '0')}`;

/** @param show null where no catalog knows it */
export function knownShow(show: Show | null): KnownShow {
  const names = show === null ? [] : [show.title, ...show.titles].map(textKey).filter(({ compact }) => compact !== '');
  const episodes = (show === null ? [] : absoluteNumbers(show)).map((one): KnownEpisode => {
    const { title } = one;
    return {
      ...one,
      key: title === null ? null : usefulKey(title),
      short: title === null ? null : shortKey(title, names),
    };
  });
  const seasons = (show?.seasons ?? []).map(({ number }) => number);
  const places = new Map(episodes.map((one) => [placeKey(one), one]));
  const numbers = new Map<number, KnownEpisode>();
  const days = new Map<string, KnownEpisode[]>();
  const spans = new Map<number, { first: number; last: number }>();
  for (const one of episodes) {
    if (one.absolute !== null && one.season !== 0 && !numbers.has(one.absolute)) numbers.set(one.absolute, one);
    if (one.air_date !== null) days.set(one.air_date, [...(days.get(one.air_date) ?? []), one]);
    spans.set(one.season, { first: spans.get(one.season)?.first ?? one.episode, last: one.episode });
  }
  for (const of of days.values()) of.sort((a, b) => Number(a.season === 0) - Number(b.season === 0));
  return {
    counted: episodes.some(({ season }) => season !== 0),
    specials: episodes.filter(({ season }) => season === 0),
    seasons: seasons.filter((number) => number !== 0).sort((a, b) => a - b),
    episodes,
    titles: names,
    at: (place) => places.get(placeKey(place)) ?? null,
    byAbsolute: (number) => numbers.get(number) ?? null,
    byDate: (day) => days.get(day) ?? [],
    span: (season) => spans.get(season) ?? null,
  };
}

/** `Episode 4` and `TBA` are what a catalog writes where it knows no title. */
function usefulKey(title: string): TextKey | null {
  if (/^(?:episode|folge|épisode|episodio|эпизод|серия|ep|tb[ad]|第)[\s.]*\d*\s*(?:话|話|集)?$/iu.test(title.trim()))
    return null;
  const key = textKey(title);
  return key.compact === '' ? null : key;
}

/** Folded words without the title of the show that they begin with. */
function withoutTitle(folded: string, titles: readonly TextKey[]): string {
  for (const title of titles) {
    const words = title.tokens.join(' ');
    if (words !== '' && folded.startsWith(`${words} `)) return folded.slice(words.length + 1);
  }
  return folded;
}

function shortKey(title: string, names: readonly TextKey[]): TextKey | null {
  const folded = foldText(title);
  const short = withoutTitle(folded, names);
  return short === folded ? null : textKey(short);
}

/** VIDEO-38: which episode of the catalog a name means by its words alone. */
interface TitleHit {
  episode: KnownEpisode;
  /** 0..1 */
  likeness: number;
}

/** Shorter titles than this, folded, are found only whole: "Eden" is in many names. */
const LONG_ENOUGH = 6;
const ALIKE = 0.87;

/**
 * The episode among `episodes` whose title the text has in it, or is nearly; null where none, or where two are as near.
 * The longest title that is in the text wins.
 */
export function matchTitle(text: string, episodes: readonly KnownEpisode[], show: KnownShow): TitleHit | null {
  const words = wordsOf(text, show);
  const key = textKey(words);
  if (key.compact === '') return null;
  const padded = ` ${foldText(words)} `;
  const hits = episodes.flatMap((episode): (TitleHit & { length: number })[] => {
    if (episode.key === null) return [];
    const likeness = Math.max(
      likenessOf(padded, key, episode.key),
      episode.short === null ? 0 : likenessOf(padded, key, episode.short),
    );
    return likeness >= ALIKE ? [{ episode, likeness, length: episode.key.compact.length }] : [];
  });
  hits.sort((a, b) => b.likeness - a.likeness || b.length - a.length);
  const [first, second] = hits;
  if (first === undefined) return null;
  const tie = second !== undefined && second.likeness === first.likeness && second.length === first.length;
  return tie ? null : { episode: first.episode, likeness: first.likeness };
}

function likenessOf(padded: string, key: TextKey, known: TextKey): number {
  if (key.compact === known.compact) return 1;
  // One letter of a short title is another title.
  if (known.compact.length < LONG_ENOUGH) return 0;
  if (padded.includes(` ${known.tokens.join(' ')} `)) return 0.95;
  return gatedSimilarity(key, known) * 0.97;
}

/** What is left of a name without its release's words, its brackets' noise and the show's own title. */
function wordsOf(text: string, show: KnownShow): string {
  const open = text
    .normalize('NFC')
    .replace(/\[[^\]]*\]|\{[^}]*\}|\((?:[^)]*(?:\d{3,4}p|bd|dvd|web|rip|hevc|x26[45])[^)]*)\)/giu, ' ')
    .replace(/[._]+/g, ' ')
    .replace(/\b(?:480|576|720|1080|2160)[pi]\b.*$/iu, ' ')
    .replace(
      /\b(?:web-?dl|web-?rip|blu-?ray|bd-?rip|hdtv|dvd-?rip|x26[45]|h\.?26[45]|hevc|avc|aac|flac|10bit)\b.*$/iu,
      ' ',
    );
  const rest = withoutTitle(foldText(open), show.titles);
  return rest === '' ? open : rest;
}

/** Whether the title in a name is the catalog's, or another episode's (false); null where there is nothing to compare. */
export function titleAgrees(
  { episode_title }: Pick<NameReading, 'episode_title'>,
  places: readonly Place[],
  show: KnownShow,
): boolean | null {
  const [place] = places;
  const known = place === undefined || places.length > 1 ? null : (show.at(place)?.key ?? null);
  if (episode_title === null || known === null) return null;
  const said = textKey(episode_title);
  if (gatedSimilarity(said, known) >= 0.85) return true;
  return show.episodes.some(({ key }) => key !== null && gatedSimilarity(said, key) >= 0.95) ? false : null;
}
