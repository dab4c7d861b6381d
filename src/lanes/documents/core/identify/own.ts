/**
 * Which of a document's identifiers is its own. What it cites, what it describes and what it corrects is never the
 * answer; where that stays open, nothing is claimed and all readings stay.
 *
 *   mentions -> without lists of references -> a reading for each value (a figure's DOI speaks for its article)
 *            -> signs for and against, from where it stands and the words before it -> the best, if it is clear
 */
import { foldText } from './folded-text.ts';
import type { FoundIdentifier } from './identifier.ts';
import { referenceLists } from './reference-lists.ts';
import { signsOf, type Sign } from './signs.ts';

export interface OwnReading {
  kind: FoundIdentifier['kind'];
  value: string;
  /** UTF-16 units: where it stands for the first time outside lists of references. */
  start: number;
  end: number;
  signs: Sign[];
  /** Sum of the signs' weights. */
  weight: number;
}

export interface OwnIdentifiers {
  doi: string | null;
  /** With its version, where one is given. */
  arxiv: string | null;
  isbn: string[];
  /** All that was weighed, the best first. */
  readings: OwnReading[];
}

/** A reading is claimed from this weight on, and by so much before the next. */
const CLAIMED = 3;
const CLEAR = 1;
/** `.g001`, `.t002`, `.s003` behind a DOI of PLOS and others: figure, table, supplement of the article. */
const COMPONENT = /\.(?:[gtse]\d{3}|[gtse]\d{3}\.\w+|sup-\d{4}|supp\d*)$/;

/** `found`: the identifiers of the text (findIdentifiers). Pure. */
export function ownIdentifiers(source: string, found: readonly FoundIdentifier[]): OwnIdentifiers {
  const folded = foldText(source);
  const lists = referenceLists(folded.text).map(({ start, end }) => folded.origin(start, end));
  const outside = found.filter(({ start }) => !lists.some((list) => start >= list.start && start < list.end));
  const ends = found.map(({ end }) => end);
  const values = Map.groupBy(outside, ({ kind, value }) => `${kind} ${wholeOf(kind, value)}`);
  const readings = [...values.values()]
    .flatMap((mentions) => readingOf(source, mentions, lists, ends))
    .toSorted((a, b) => b.weight - a.weight || a.start - b.start);
  const clear = (kind: FoundIdentifier['kind']): string | null => {
    const [first, second] = readings.filter((one) => one.kind === kind);
    if (!first || first.weight < CLAIMED) return null;
    return second && second.weight > first.weight - CLEAR ? null : first.value;
  };
  return {
    doi: clear('doi'),
    arxiv: clear('arxiv'),
    isbn: readings.filter((one) => one.kind === 'isbn' && one.weight >= CLAIMED).map(({ value }) => value),
    readings,
  };
}

/** A figure's DOI is its article's with an ending; versions of a preprint are one. */
function wholeOf(kind: FoundIdentifier['kind'], value: string): string {
  if (kind === 'doi') return value.replace(COMPONENT, '');
  return kind === 'arxiv' ? value.replace(/v\d+$/, '') : value;
}

function readingOf(
  source: string,
  mentions: readonly FoundIdentifier[],
  lists: readonly { start: number; end: number }[],
  ends: readonly number[],
): OwnReading[] {
  const whole = mentions.find(({ kind, value }) => value === wholeOf(kind, value) || kind === 'arxiv');
  const first = whole ?? mentions[0];
  if (!first) return [];
  const value = first.kind === 'arxiv' ? first.value : wholeOf(first.kind, first.value);
  const signs = signsOf(source, { ...first, value }, mentions, lists, ends);
  const weight = signs.reduce((sum, sign) => sum + sign.weight, 0);
  return [{ kind: first.kind, value, start: first.start, end: first.end, signs, weight }];
}
