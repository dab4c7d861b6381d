/** VIDEO-38: which episode of the catalog a name means by its words alone. */
import { textKey, gatedSimilarity, type TextKey } from '#core/text/similarity.ts';
import { foldText } from '#core/text/fold.ts';
import { withoutTitle, type KnownEpisode, type KnownShow } from './known-show.ts';

export interface TitleHit {
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
