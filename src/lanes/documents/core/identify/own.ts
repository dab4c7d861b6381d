/**
 * Which of a document's identifiers is its own. What it cites, what it describes and what it corrects is never the
 * answer; where that stays open, nothing is claimed and all readings stay.
 *
 *   mentions -> without lists of references -> a reading for each value (a figure's DOI speaks for its article)
 *            -> signs for and against, from where it stands and the words before it -> the best, if it is clear
 */
import type { DocumentEvidence } from './evidence.ts';
import { foldText } from './folded-text.ts';
import type { FoundIdentifier } from './identifier.ts';
import { entriesInRow, referenceLists } from './reference-lists.ts';
import { layoutOf, type Layout } from './layout.ts';
import { JOURNAL, signsOf, type Sign } from './signs.ts';
import { lastAtMost, regionAt } from './spans.ts';
import { surroundingsOf, type Surroundings } from './surroundings.ts';

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
/** Where so many might be claimed it is a list of news or of parts: the best one must stand out. */
const MANY = 4;
const OUTSTANDING = 2;
/**
 * Behind a DOI: figure, table, supplement of the article (`.g001`, `.t002`, `.s003` of PLOS and others, `/-/DCSupplemental`
 * of PNAS, `-supplement` of Copernicus).
 */
const COMPONENT =
  /(?:\.(?:[gtse]\d{3}|[gtse]\d{3}\.\w+|sup-\d{4})|\/-\/dc\w*|[-./]supp(?:l(?:ement(?:ary|al)?)?)?\.?\d*)$/;

/** Of eLife: letters of editors and figures have the article's DOI with a number behind it. */
const PART_OF_ELIFE = /^(10\.7554\/elife\.\d{5})\.\d{3}$/;

/** `found`: the identifiers of the text (findIdentifiers). Pure. */
export function ownIdentifiers(
  source: string,
  found: readonly FoundIdentifier[],
  layout: Layout = layoutOf(source),
): OwnIdentifiers {
  const folded = foldText(source);
  const headed = referenceLists(folded.text).map(({ start, end }) => folded.origin(start, end));
  const outsideHeaded = found.filter(({ start }) => regionAt(headed, start) === undefined);
  const rows = entriesInRow(source, outsideHeaded);
  const outside = outsideHeaded.filter(({ start }) => regionAt(rows, start) === undefined);
  const values = Map.groupBy(outside, ({ kind, value }) => `${kind} ${wholeOf(kind, value)}`);
  const text = surroundingsOf(source, headed, found, layout);
  const inText = [...values.values()].flatMap((mentions) => readingOf(text, mentions));
  const listed = new Set(found.map(({ value }) => value));
  const readings = withoutJournals(withSaid(inText, layout.said, listed)).toSorted(
    (a, b) => b.weight - a.weight || a.start - b.start,
  );
  const clear = (kind: FoundIdentifier['kind']): string | null => {
    const [first, second, ...others] = readings.filter((one) => one.kind === kind);
    if (!first || first.weight < CLAIMED) return null;
    const isMany = (others[MANY - 3]?.weight ?? 0) >= CLAIMED;
    return second && second.weight > first.weight - (isMany ? OUTSTANDING : CLEAR) ? null : first.value;
  };
  return {
    doi: clear('doi'),
    arxiv: clear('arxiv'),
    isbn: readings.filter((one) => one.kind === 'isbn' && one.weight >= CLAIMED).map(({ value }) => value),
    readings,
  };
}

/** A figure's DOI is its article's with an ending; versions of a preprint are one. */
export function wholeOf(kind: FoundIdentifier['kind'], value: string): string {
  if (kind === 'doi') return value.replace(COMPONENT, '').replace(PART_OF_ELIFE, '$1');
  return kind === 'arxiv' ? value.replace(/v\d+$/, '') : value;
}

function readingOf(text: Surroundings, mentions: readonly FoundIdentifier[]): OwnReading[] {
  const whole = mentions.find(({ kind, value }) => value === wholeOf(kind, value) || kind === 'arxiv');
  const first = whole ?? mentions[0];
  if (!first) return [];
  const value = first.kind === 'arxiv' ? first.value : wholeOf(first.kind, first.value);
  return [
    weighed(
      { kind: first.kind, value, start: first.start, end: first.end },
      signsOf(text, { ...first, value }, mentions),
    ),
  ];
}

const weighed = (reading: Omit<OwnReading, 'signs' | 'weight'>, signs: Sign[]): OwnReading => ({
  ...reading,
  signs,
  weight: signs.reduce((sum, sign) => sum + sign.weight, 0),
});

/** What the file says of itself counts beside its text; a link only where no list of references has the same. */
function withSaid(
  readings: readonly OwnReading[],
  said: readonly DocumentEvidence[],
  listed: ReadonlySet<string>,
): OwnReading[] {
  const kinds = Map.groupBy(said, ({ field, value }) => `${field} ${field === 'title' ? '' : wholeOf(field, value)}`);
  const all = new Map(readings.map((reading) => [`${reading.kind} ${wholeOf(reading.kind, reading.value)}`, reading]));
  for (const [key, facts] of kinds) {
    const [first] = facts;
    if (!first || first.field === 'title') continue;
    const reading = all.get(key) ?? weighed({ kind: first.field, value: first.value, start: 0, end: 0 }, []);
    const isCited = !all.has(key) && listed.has(first.value);
    const places = new Set(facts.map(({ kind }) => kind));
    const signs: Sign[] = [];
    if (places.has('xmp')) signs.push({ text: 'the XMP packet names it', weight: 4 });
    if (places.has('info')) signs.push({ text: 'the Info dictionary names it', weight: 3 });
    if (places.has('meta')) signs.push({ text: 'its own head names it', weight: 4 });
    if (places.has('link') && !isCited)
      signs.push({ text: 'a link on the first pages leads to it', weight: all.has(key) ? 0.5 : 3 });
    all.set(key, weighed(reading, [...reading.signs, ...signs]));
  }
  return [...all.values()];
}

/** A DOI that others go on from (`10.5555/abc` beside `10.5555/abc.2019.4`) is their journal's or their book's. */
function withoutJournals(readings: readonly OwnReading[]): OwnReading[] {
  const going = readings.flatMap(({ kind, value, weight }) => (kind === 'doi' && weight > 0 ? [value] : [])).toSorted();
  const goesOn = (value: string): boolean => {
    for (let i = lastAtMost(going, value, (one) => one) + 1; going[i]?.startsWith(value); i++)
      if (/^[._/-]/.test(going[i]?.slice(value.length) ?? '')) return true;
    return false;
  };
  return readings.map((reading) => {
    if (reading.kind !== 'doi') return reading;
    if (JOURNAL.test(reading.value)) return weighed(reading, [...reading.signs, { text: 'is a journal', weight: -6 }]);
    return goesOn(reading.value)
      ? weighed(reading, [
          ...reading.signs,
          { text: 'is what the journal or book of another reading is called', weight: -6 },
        ])
      : reading;
  });
}
