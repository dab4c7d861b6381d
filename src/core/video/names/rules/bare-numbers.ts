/** Numbers that no word explains: judged by where they stand, as a person would. */
import { readList } from './number-list.ts';

export interface BareNumber {
  start: number;
  end: number;
  /** As written, without leading zeros; may be fractional. */
  numbers: number[];
  digits: number;
  padded: boolean;
  version: number | null;
  /** Points for being an episode; below 2 it is a word of the title. */
  score: number;
  why: string;
}

export interface BareContext {
  text: string;
  /** Places of hard noise. */
  mask: Uint8Array;
  /** Where the title of a release begins (behind a group's bracket). */
  from: number;
  /** A checksum, a fan group in front, or the like: single digits count too. */
  fanRelease: boolean;
  /** A year stands apart in the name: rather a film. */
  hasYear: boolean;
  /** Inside a season folder. */
  inSeason: boolean;
  /** What the folders around are called: a number of theirs is the title's. */
  folders: readonly string[];
}

const NUMBER =
  /(?<![\p{L}\p{N}.,:'$½]|\d[-x])(\d{1,4})(?:\.(\d))?([a-d])?(?:[ ._]?v(\d))?(?![\p{N}%:']|[.,]\d|\p{L}|º|ª|°)/giu;
const NOT_BEFORE =
  /(?:^|[\s._([-])(?:no|nr|n°|vol|volume|part|pt|parte|teil|movie|film|cd|disc|disk|dvd|chapter|act|day|season|ova|top|level|area|apollo|formula|number|phase|book|class|type|ps|hi|take|round|version|ver|vs)[\s._]*\.?[\s._]*$/i;
const YEAR = /^(?:19[2-9]|20[0-4])\d$/;

/** All bare numbers with their points, the best first. */
export function findBareNumbers(context: BareContext): BareNumber[] {
  const { text, mask } = context;
  const found: BareNumber[] = [];
  NUMBER.lastIndex = context.from;
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const start = match.index;
    if (mask[start] === 1) continue;
    const written = match[1] ?? '';
    const list =
      match[2] === undefined && match[3] === undefined && match[4] === undefined
        ? readList(text, start + written.length, Number(written), 'spaced')
        : {
            numbers: [Number(`${written}${match[2] === undefined ? '' : `.${match[2]}`}`)],
            end: start + match[0].length,
            spans: false,
          };
    const plain = list.numbers.length === 1;
    const end = Math.max(list.end, plain ? start + match[0].length : list.end);
    const version = /v(\d)$/i.exec(text.slice(start, end))?.[1] ?? match[4];
    const judged = judge(context, { start, end, written, list: list.numbers, versioned: version !== undefined });
    if (judged !== null)
      found.push({
        start,
        end,
        numbers: list.numbers,
        digits: written.length,
        padded: written.startsWith('0') && written.length > 1,
        version: version === undefined ? null : Number(version),
        ...judged,
      });
    NUMBER.lastIndex = Math.max(NUMBER.lastIndex, end);
  }
  return found.sort((a, b) => b.score - a.score || b.start - a.start);
}

interface Place {
  start: number;
  end: number;
  written: string;
  list: number[];
  versioned: boolean;
}

function judge(context: BareContext, place: Place): { score: number; why: string } | null {
  const { text, mask } = context;
  const before = text.slice(context.from, place.start);
  const after = text.slice(place.end);
  const many = place.list.length > 1;
  const fractional = !Number.isInteger(place.list[0] ?? 0);
  const year = YEAR.test(place.written) && !many;
  const bracketed = /[[(]\s?$/.test(before) && /^\s?[\])]/.test(after);
  if (NOT_BEFORE.test(before) && !/ova[\s._]*$/i.test(before)) return null;
  if (year && (/[[(]\s?$/.test(before) || !/-[\s._]$/.test(before))) return null;
  if (
    place.written.length === 4 &&
    !many &&
    /^(?:480|576|720|1080|2160)$/.test(place.written) &&
    !/-[\s._]$/.test(before)
  )
    return null;
  let score = 0;
  const why: string[] = [];
  const says = (points: number, reason: string): void => {
    score += points;
    if (points > 0) why.push(reason);
  };
  const dashed = /(?:^|[\s._])-[\s._]{1,2}$/.test(before);
  const ends = /^[\s._]*$/.test(after);
  const noiseNext = (() => {
    const skip = /^[\s._-]*[[({]?\s?/.exec(after)?.[0].length ?? 0;
    return mask[place.end + skip] === 1;
  })();
  const bracketNext = /^[\s._]*[[({]/.test(after);
  const atStart = before.trim() === '';
  if (dashed) says(4, 'it stands behind a dash');
  if (bracketed) says(atStart ? 1 : 3, 'it stands alone in brackets');
  if (/^[\s._]+-[\s._]/.test(after)) says(2, 'a dash follows it');
  if (ends) says(2.5, 'the name ends with it');
  else if (noiseNext) says(2.5, 'technical words follow it');
  else if (bracketNext) says(2, 'brackets follow it');
  if (place.written.length > 1 && place.written.startsWith('0')) says(2, 'it has a leading zero');
  if (place.written.length >= 3 && !year) says(0.5, 'it has three digits');
  if (place.versioned) says(3, 'a version follows it');
  if (many) says(2.5, 'it spans several');
  if (atStart && !bracketed)
    says(/^[\s._]?[-.][\s._-]?/.test(after) || place.written.length > 1 ? 2 : 0.5, 'the name begins with it');
  if (context.inSeason) says(1, 'a season folder holds it');
  if (fractional) says(/-[\s._]$/.test(before) ? 0 : -3, '');
  // A word of the title follows: "12 Angry Men", "765 Pro".
  if (
    !dashed &&
    !ends &&
    !noiseNext &&
    !bracketNext &&
    !bracketed &&
    /^[\s._]+[\p{L}]/u.test(after) &&
    !(place.written.startsWith('0') && place.written.length > 1)
  )
    says(atStart ? -1 : -2, '');
  if (place.written.length === 1 && !many) says(context.fanRelease || context.inSeason || dashed ? -1 : -3, '');
  if (context.hasYear && !dashed && !context.fanRelease) says(-2.5, '');
  if (
    context.folders.some((folder) => new RegExp(`(?<!\\p{N})0*${Number(place.written)}(?!\\p{N})`, 'u').test(folder)) &&
    !dashed
  )
    says(-2, '');
  return { score, why: why.slice(0, 2).join(' and ') };
}
