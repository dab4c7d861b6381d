/** Version words: what makes another recording or edition out of the same title. */
import { textKey } from '#core/text/similarity.ts';

/** Classes of version words. All but `remaster` say that the sound is another one. */
const CLASSES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['live', /\b(?:live|unplugged|en vivo|ao vivo|en directo|bootleg|soundcheck)\b/],
  ['karaoke', /\b(?:karaoke|tribute to|made famous|originally performed|backing track)\b/],
  ['cover', /\bcover(?: version)?\b/],
  ['acoustic', /\bacoustic\b/],
  ['instrumental', /\binstrumentals?\b/],
  ['demo', /\b(?:demos?|rehearsal|rough mix)\b/],
  ['remix', /\b(?:remix|rmx|rework|bootmix|mashup|vip mix|club mix|dub mix|extended mix|dance mix)\b/],
  ['edit', /\b(?:radio edit|single edit|radio version|single version|radio mix|edit)\b/],
  ['extended', /\b(?:extended|12 inch|long version)\b/],
  ['acapella', /\b(?:a ?cappella|acapella)\b/],
  [
    'tempo',
    /\b(?:nightcore|daycore|slowed|sped up|speed up|reverb|8d|bass ?boosted|chopped and screwed|screwed|pitched)\b/,
  ],
  ['recorded again', /\bre ?record(?:ed|ing|ings)\b/],
  // `(Taylor's Version)`, `(Piano Version)`: but the album's or the first one is what a catalog means by the plain title.
  [
    'another version',
    /\b(?!(?:album|lp|cd|full|track|deluxe|expanded|edition|original|main|studio|stereo|digital|explicit|clean|remaster|remastered|\d{4}|cover|radio|single|long)\b)[a-z0-9]+ versions?\b/,
  ],
  ['alternate', /\b(?:alternate|alternative take|outtakes?|take \d+|reimagined)\b/],
  ['mono', /\bmono\b/],
  ['reprise', /\breprise\b/],
  ['remaster', /\bremaster(?:ed|isado|ise)?\b/],
];

/** Where a title says whose remix it is: in brackets, or behind a dash at its end. */
const REMIX_PART = /[([{]([^()[\]{}]*)[)\]}]|\s[-–—]\s([^-–—([{]+)$/g;
/** Words of remixes that are nobody's name. */
const REMIX_WORDS = new Set(
  (
    'remix rmx rework reworked remixed bootmix bootleg mashup mix mixes vip club dub dance extended original radio single album edit ' +
    'version long short full vocal instrumental inch 12 7 the a an and of by from feat ft dj mc'
  ).split(' '),
);

/** Who made the remix that a title names, word by word; nobody where it names none. */
export function remixersIn(title: string): string[] {
  return [...title.matchAll(REMIX_PART)].flatMap(([, bracket, end]) => {
    const { folded, tokens } = textKey(bracket ?? end ?? '');
    if (!versionsIn(folded).includes('remix')) return [];
    return tokens.filter((token) => !REMIX_WORDS.has(token) && !/^\d+$/.test(token));
  });
}

const EDITIONS: readonly (readonly [string, RegExp])[] = [
  ['remaster', /\bremaster(?:ed|isado|ise)?\b/],
  ['extended', /\b(?:deluxe|expanded|bonus tracks?|special edition|limited edition|anniversary|collectors? edition)\b/],
  ['live', /\b(?:live|unplugged|ao vivo|en vivo|bootleg)\b/],
  ['instrumental', /\binstrumentals?\b/],
  ['karaoke', /\b(?:karaoke|tribute|renditions?)\b/],
  [
    'recorded again',
    /\bre ?record(?:ed|ing|ings)\b|\b(?!(?:album|lp|cd|full|track|deluxe|expanded|edition|original|studio|stereo|digital|explicit|clean|remaster|remastered|\d{4})\b)[a-z0-9]+ version\b/,
  ],
  ['remix', /\b(?:remixed|remixes|reworked|reworks)\b/],
  ['demo', /\bdemos?\b/],
  ['tempo', /\b(?:nightcore|slowed|sped up|8d)\b/],
];

/** Version classes named in a folded text. */
export function versionsIn(folded: string): string[] {
  return CLASSES.filter(([, pattern]) => pattern.test(folded)).map(([name]) => name);
}

/** Without the swear words: only in brackets or as a version, since `Clean` is a title as well. */
const CLEAN = /[([{]\s*clean(?:\s+(?:version|edit|mix))?\s*[)\]}]|\bclean (?:version|edit)\b/i;

/** Version classes named in a text as it was written (`folded`, where it is known). MATCH-69: `(Clean)` is one, `(Explicit)` is what is meant anyway. */
export function versionsOf(text: string, folded = textKey(text).folded): string[] {
  const found = versionsIn(folded);
  return CLEAN.test(text) ? [...found, 'clean'] : found;
}

/** What edition of an album a folded text names: `remaster`, `extended` (deluxe, bonus tracks), `live`, ... */
export function editionsIn(folded: string): string[] {
  return EDITIONS.filter(([, pattern]) => pattern.test(folded)).map(([name]) => name);
}

const RECORDING = new Set(['clean', ...CLASSES.map(([name]) => name).filter((name) => name !== 'remaster')]);

export interface VersionDifference {
  /** Said by the file, not by the catalog: another recording unless something else explains it. */
  extra: string[];
  /** Said by the catalog, not by the file: names often leave it out. */
  missing: string[];
  /** `remaster` on one side only. */
  remaster: boolean;
}

/**
 * Compares the version words of a file's title with a track's. `explained` are version classes that the album
 * (or its folder) carries as a whole: on a live album `(live)` says nothing.
 */
export function compareVersions(
  file: readonly string[],
  track: readonly string[],
  explained: readonly string[],
): VersionDifference {
  const extra = file.filter((name) => RECORDING.has(name) && !track.includes(name) && !explained.includes(name));
  const missing = track.filter((name) => RECORDING.has(name) && !file.includes(name) && !explained.includes(name));
  return { extra, missing, remaster: file.includes('remaster') !== track.includes('remaster') };
}

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
