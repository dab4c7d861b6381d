/** Editions of one album: the same title but for the words that name the edition. */
import { textKey } from '#core/text/similarity.ts';
import { editionsIn } from './versions.ts';

/** Share of common titles from which two albums are editions of one: bands name several albums alike. */
export const SAME_TITLES = 0.4;

/** Share 0..1 of the shorter album's titles (folded) that both have. */
export function sharedTitles(mine: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(mine.size, other.size);
  return least === 0 ? 0 : [...mine].filter((title) => other.has(title)).length / least;
}

const EDITION_WORDS =
  /\b(?:remaster(?:ed)?|deluxe|super deluxe|expanded|special|limited|anniversary|collectors?|bonus tracks?|edition|version|reissue|mono|stereo|explicit|clean|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b/g;

/** A part of a title that only says which edition it is. */
function namesEdition(part: string): boolean {
  const { folded } = textKey(part);
  return editionsIn(folded).length > 0 || folded.replace(EDITION_WORDS, '').trim() === '';
}

/** The title in one piece without what names its edition; in brackets, behind a dash or at its end. */
export function editionBase(title: string): string {
  const bare = title
    .replace(/[([{]([^()[\]{}]*)[)\]}]/g, (whole, part: string) => (namesEdition(part) ? ' ' : whole))
    .replace(/\s[-–—:]\s([^-–—:]+)$/, (whole, part: string) => (namesEdition(part) ? '' : whole));
  const { folded, compact } = textKey(bare);
  return folded.replace(EDITION_WORDS, '').replaceAll(' ', '') || compact;
}
