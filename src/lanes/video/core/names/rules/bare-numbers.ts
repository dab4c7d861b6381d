/** What speaks for a bare number being an episode, and what against: points, and how a person would say it. */
/** Numbers that no word explains: found here, judged by where they are (bare-signs.ts), as a person would. */
import { readList } from './number-list.ts';

/** Where a bare number is in its name. */
interface BarePlace {
  /** A dash with spaces around it is before it. */
  dashed: boolean;
  dashNext: boolean;
  bracketed: boolean;
  /** Technical words, brackets, or the end of the name come next. */
  noiseNext: boolean;
  bracketNext: boolean;
  ends: boolean;
  wordNext: boolean;
  atStart: boolean;
  /** A dot or a dash comes next. */
  stopNext: boolean;
  digits: number;
  padded: boolean;
  /** Several, by a dash or the like. */
  many: boolean;
  year: boolean;
  fractional: boolean;
  /** A letter and a hyphen lead up to it: "Zero-00". */
  glued: boolean;
  /** A year in brackets follows it somewhere: it is of a film's title. */
  yearNext: boolean;
  version: string | null;
  inSeason: boolean;
  fanRelease: boolean;
  hasYear: boolean;
  /** A folder around carries the same number in its name. */
  inFolder: boolean;
}

const isApart = ({ dashed, bracketed, ends, noiseNext, bracketNext }: BarePlace): boolean =>
  dashed || bracketed || ends || noiseNext || bracketNext;

/** Points, why it is an episode (part of a sentence), and where that is so. */
const BARE_SIGNS: readonly [points: number, says: string, fits: (place: BarePlace) => boolean][] = [
  [4, 'it stands behind a dash', ({ dashed }) => dashed],
  [3, 'it stands alone in brackets', ({ bracketed, atStart }) => bracketed && !atStart],
  [2, 'a dash follows it', ({ dashNext }) => dashNext],
  [2.5, 'the name ends with it', ({ ends }) => ends],
  [2.5, 'technical words follow it', ({ noiseNext, ends }) => noiseNext && !ends],
  [2, 'brackets follow it', ({ bracketNext, noiseNext, ends }) => bracketNext && !noiseNext && !ends],
  [2, 'it has a leading zero', ({ padded }) => padded],
  [0.5, 'it has three digits', ({ digits, year }) => digits >= 3 && !year],
  [3, 'a version follows it', ({ version }) => version !== null],
  [2.5, 'it spans several', ({ many }) => many],
  [
    2,
    'the name begins with it',
    ({ atStart, bracketed, stopNext, digits }) => atStart && !bracketed && (stopNext || digits > 1),
  ],
  [0.5, 'the name begins with it', ({ atStart, stopNext, digits }) => atStart && !stopNext && digits === 1],
  [1, 'a season folder holds it', ({ inSeason }) => inSeason],
  [1, 'it is the number of a fan release', ({ fanRelease, digits, dashed }) => fanRelease && digits > 1 && !dashed],
  [3, 'it leads the name', ({ atStart, dashNext }) => atStart && dashNext],
  // Against.
  [
    -6,
    '',
    ({ yearNext, inSeason, version, padded, dashed, digits }) =>
      yearNext && !inSeason && version === null && !padded && !(dashed && digits > 1),
  ],
  [-2, '', ({ glued }) => glued],
  [-3, '', ({ fractional, dashed }) => fractional && !dashed],
  // A word of the title follows: "12 Angry Men", "765 Pro".
  [-2, '', (place) => place.wordNext && !place.atStart && !place.padded && !isApart(place)],
  [-1, '', (place) => place.wordNext && place.atStart && !place.padded && !isApart(place)],
  [
    -1,
    '',
    ({ digits, many, fanRelease, inSeason, dashed, atStart }) =>
      digits === 1 && !many && (fanRelease || dashed || (inSeason && !atStart)),
  ],
  [
    -3,
    '',
    ({ digits, many, fanRelease, inSeason, dashed }) => digits === 1 && !many && !fanRelease && !inSeason && !dashed,
  ],
  [-2.5, '', ({ hasYear, dashed }) => hasYear && !dashed],
  [-2, '', ({ inFolder, dashed }) => inFolder && !dashed],
];

export interface BareNumber {
  start: number;
  end: number;
  /** As written, without leading zeros; may be fractional. */
  numbers: number[];
  digits: number;
  version: number | null;
  /** Points for being an episode; below 2 it is a word of the title. */
  score: number;
  why: string;
  /** The same episode as another count has it: "01 (51)". */
  other: number | null;
  /** Three digits in a dotted release (`show.208.hdtv`) are season and episode. */
  coded: boolean;
}

export interface BareContext {
  text: string;
  /** Places of hard noise. */
  mask: Uint8Array;
  /** Where the title of a release begins (behind a group's bracket). */
  from: number;
  /** A checksum, a fan group in front, or the like: single digits count too. */
  fanRelease: boolean;
  /** A year is apart in the name: rather a film. */
  hasYear: boolean;
  /** Inside a season folder. */
  inSeason: boolean;
  /** Nothing is known of the folders around: the name is alone. */
  alone: boolean;
  /** What the folders around are called: a number of theirs is the title's. */
  folders: readonly string[];
}

/** A number apart from letters; a dot parts two of them unless both are short ("5.1"). */
const NUMBER =
  /(?<![\p{L}\p{N},:'$½]|\d-|\dx|(?<!\d)\d\.)(\d{1,4})(?:\.(\d)(?![\p{L}\p{N}])|(?!\.\d\p{L}))(?:([a-d])(?!\p{L}))?(?:[ ._]?v(\d)(?!\d))?(?![\p{L}\p{N}%:']|[,]\d|º|ª|°)/giu;
/** Words whose number counts something else. */
const COUNTS_ELSE =
  /(?:^|[\s._([-])(?:no|nr|n°|vol|volume|part|pt|parte|teil|movie|film|cd|disc|disk|dvd|chapter|act|day|days|top|level|area|apollo|formula|number|phase|book|class|type|ps|hi|take|round|version|ver|vs|season|series|chapitre|kapitel|rev)[\s._]*\.?[\s._]*$/i;
/** A season (`|` where it was) or a dash with the last number of a name comes next. */
const TITLE_NUMBER_NEXT = /^[\s._-]*\||^[\s_]-[\s_]\d{1,4}(?:[ ._]?v\d)?[\s_]*(?:$|[[(])/iu;
const OTHER_COUNT = /^[\s_]?\((\d{2,3})\)/;
/** Dots instead of spaces. */
const DOTTED = /^[^\s]+$/;
const YEAR = /^(?:19[2-9]|20[0-4])\d$/;
const FRAME = /^(?:480|576|720|1080|2160)$/;

/** All bare numbers with their points, the best first. */
export function findBareNumbers(context: BareContext): BareNumber[] {
  const { text, mask } = context;
  const found: BareNumber[] = [];
  NUMBER.lastIndex = context.from;
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const start = match.index;
    if (mask[start] === 1) continue;
    const written = match[1] ?? '';
    const numbers = [Number(match[2] === undefined ? written : `${written}.${match[2]}`)];
    let end = start + match[0].length;
    const list = match[2] === undefined ? readList(text, start + written.length, numbers[0] ?? 0, 'spaced') : null;
    if (
      list !== null &&
      list.numbers.length > 1 &&
      spansRight(text.slice(start, list.end), text.slice(context.from, start))
    ) {
      numbers.splice(0, 1, ...list.numbers);
      end = list.end;
    }
    const other = numbers.length === 1 ? OTHER_COUNT.exec(text.slice(end, end + 8)) : null;
    const counted = other === null || FRAME.test(other[1] ?? '') ? null : Number(other[1]);
    if (counted !== null) end += other?.[0].length ?? 0;
    const place = placeOf(context, { start, end, written, numbers, version: match[4] ?? null });
    if (place === null) continue;
    const said = BARE_SIGNS.filter(([, , fits]) => fits(place));
    const score = said.reduce((sum, [points]) => sum + points, 0);
    const why = said.filter(([points]) => points > 0).map(([, says]) => says);
    const coded = isCode(context, place, { start, end, written, numbers, version: null });
    const version = place.version === null ? null : Number(place.version);
    found.push({
      start,
      end,
      numbers,
      digits: written.length,
      version,
      score,
      why: why.slice(0, 2).join(' and '),
      other: counted,
      coded,
    });
    NUMBER.lastIndex = Math.max(NUMBER.lastIndex, end);
  }
  return found.sort((a, b) => b.score - a.score || b.start - a.start);
}

/** "01 - 12" spans, "Show - 03 - 05" too; "2 - 03" and "Unit 00 - 05" are a title's number and an episode. */
function spansRight(written: string, before: string): boolean {
  const [, from, to] = /^(\d+)(?:v\d)?[\s._]+-[\s._]+(\d+)/.exec(written) ?? [];
  if (from === undefined || to === undefined) return true;
  if (Number(from) === 1 && from.length > 1 && to.length > from.length) return true;
  if (from.length !== to.length || from.length < 2) return false;
  return Number(from) === 1 || !/\p{L}[\s._]+$/u.test(before);
}

interface Written {
  start: number;
  end: number;
  written: string;
  numbers: readonly number[];
  version: string | null;
}

function placeOf(context: BareContext, { start, end, written, numbers, version }: Written): BarePlace | null {
  const { text, mask } = context;
  const before = text.slice(context.from, start);
  const after = text.slice(end);
  const many = numbers.length > 1;
  const year = YEAR.test(written) && !many;
  const dashed = /(?:^|[\s._\])])-[\s._]{1,2}$/.test(before);
  if (COUNTS_ELSE.test(before)) return null;
  // "24 Season 3", "[Group] 86 - 15 [1080p]": the number that leads is the show's title.
  if (before.trim() === '' && !many && !written.startsWith('0') && TITLE_NUMBER_NEXT.test(after)) return null;
  if ((year && version === null) || (!dashed && FRAME.test(written))) return null;
  const opened = /[[(]\s?$/.test(before) || (before === '' && /[[(]\s?$/.test(text.slice(0, start)));
  const bracketed = opened && /^\s?[\])]/.test(after);
  const skipped = /^[\s._-]*[[({]?\s?/.exec(after)?.[0].length ?? 0;
  const noiseNext = (mask[end + skipped] ?? 0) > 0;
  const bracketNext = /^[\s._]*[[({]/.test(after);
  const ends = /^[\s._|]*$/.test(after);
  const value = numbers[0] ?? 0;
  return {
    dashed,
    bracketed,
    noiseNext,
    bracketNext,
    ends,
    many,
    year,
    version,
    dashNext: /^[\s._]+-[\s._]/.test(after),
    wordNext: !ends && !noiseNext && !bracketNext && /^[\s._]+\p{L}/u.test(after),
    atStart: before.trim() === '',
    stopNext: /^[\s._]?[-.][\s._-]?/.test(after),
    digits: written.length,
    padded: written.length > 1 && written.startsWith('0'),
    fractional: !Number.isInteger(value),
    inSeason: context.inSeason,
    fanRelease: context.fanRelease,
    hasYear: context.hasYear,
    inFolder: !dashed && context.folders.some((folder) => hasNumber(folder, value)),
    glued: /\p{L}-$/u.test(before),
    yearNext: /[[(](?:19|20)\d\d[\])]/.test(after),
  };
}

/** `show.208.hdtv`, and `Show_208` that is alone: season and episode in one number. */
function isCode(context: BareContext, place: BarePlace, { start, end, written }: Written): boolean {
  if (context.fanRelease || place.many || context.inSeason) return false;
  const { text } = context;
  const episode = Number(written.slice(-2));
  if (place.ends) return context.alone && /^[1-9]\d\d$/.test(written) && episode > 0 && episode < 40 && !place.atStart;
  if (!place.noiseNext || !/^(?:[1-9]\d|0[1-9]|[1-9])\d\d$/.test(written) || episode === 0) return false;
  return text.charAt(start - 1) === '.' && text.charAt(end) === '.' && DOTTED.test(text);
}

function hasNumber(folder: string, value: number): boolean {
  for (const [digits] of folder.matchAll(/\d+/g)) if (Number(digits) === value) return true;
  return false;
}
