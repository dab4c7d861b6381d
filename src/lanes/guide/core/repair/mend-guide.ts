/**
 * Fills what faults name, where evidence proves it: numbers, years of films, titles. All that speaks must agree; one voice
 * against it and the field stays as it is.
 *
 * Two passes over a guide: `Evidence` gathers what its programmes say of each other, then `fillsOf` decides of each.
 */
import { categoriesOf, isFilmYear } from '../faults/check-guide.ts';
import { readXmltvNumber } from '../faults/episode-number.ts';
import type { Fault } from '../faults/fault.ts';
import { isPlaceholder } from '../faults/title-words.ts';
import { foldWords } from '../faults/words/fold.ts';
import { childrenOf, textsOf, type GuideElement } from '../read/element.ts';
import { readFileTitle } from './file-title.ts';
import { numberInTitle, numbersInDescription } from './number-text.ts';
import { episodesSaid, type ShowIndex } from './show-catalog.ts';

export type FillField = 'episode-num' | 'date' | 'title';

export interface Fill {
  where: string;
  field: FillField;
  value: string;
  /** What proves it, in words. */
  reasons: string[];
  /** Where that was found. */
  sources: FillSource[];
}

/** The programme's own texts, the same programme elsewhere in the guide, the catalog of shows. */
export type FillSource = 'programme' | 'guide' | 'catalog';

/** A description that names its programme beyond doubt: characters. */
const TELLING = 40;

interface Facts {
  titles: string[];
  /** The first title that is one; null: none is. */
  title: string | null;
  subTitle: string | null;
  description: string | null;
  number: { season: number | null; episode: number } | null;
  dates: string[];
  isFilm: boolean;
}

function factsOf(element: GuideElement): Facts {
  const titles = textsOf(element, 'title');
  return {
    titles,
    title: titles.find((title) => !isPlaceholder(title)) ?? null,
    subTitle: textsOf(element, 'sub-title')[0] ?? null,
    description: textsOf(element, 'desc')[0] ?? null,
    number: numberOf(element),
    dates: textsOf(element, 'date'),
    isFilm: categoriesOf(element).isFilm,
  };
}

function numberOf(element: GuideElement): Facts['number'] {
  for (const { attributes, text } of childrenOf(element, 'episode-num')) {
    const read = attributes['system'] === 'xmltv_ns' ? readXmltvNumber(text) : numberInTitle(text);
    if (read !== null && read.episode !== null) return { season: read.season, episode: read.episode };
  }
  return null;
}

/** Without the year in brackets at its end. */
const filmName = (title: string): string => foldWords(title.replace(/\s*\(\d{4}\)\s*$/, ''));

/** What the programmes of a guide say, by what they are known again. */
export class Evidence {
  readonly #numbers = new Map<string, Set<string>>();
  readonly #years = new Map<string, Set<string>>();
  readonly #titles = new Map<string, Map<string, string>>();

  add(element: GuideElement): void {
    const facts = factsOf(element);
    const { title, number, dates } = facts;
    if (title !== null && number !== null && !facts.isFilm)
      for (const key of episodeKeys(title, facts)) add(this.#numbers, key, `${number.season ?? ''}.${number.episode}`);
    const year = dates.find(isFilmYear)?.slice(0, 4);
    if (facts.isFilm && title !== null && year !== undefined && facts.description !== null)
      add(this.#years, `${filmName(title)}\n${foldWords(facts.description)}`, year);
    const key = title === null ? null : textKey(facts);
    if (title === null || key === null) return;
    const known = this.#titles.get(key) ?? new Map<string, string>();
    this.#titles.set(key, known.set(foldWords(title), title));
  }

  numbersOf(title: string, facts: Facts): string[] {
    return episodeKeys(title, facts).flatMap((key) => [...(this.#numbers.get(key) ?? [])]);
  }

  yearsOf(title: string, { description }: Facts): string[] {
    if (description === null) return [];
    return [...(this.#years.get(`${filmName(title)}\n${foldWords(description)}`) ?? [])];
  }

  titlesOf(facts: Facts): string[] {
    const key = textKey(facts);
    return key === null ? [] : [...(this.#titles.get(key)?.values() ?? [])];
  }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** An episode is known again by title and sub-title, without one by title and a telling description. */
function episodeKeys(title: string, { subTitle, description }: Facts): string[] {
  const name = foldWords(title);
  const sub = subTitle === null ? '' : foldWords(subTitle);
  if (sub !== '') return [`${name}\n${sub}`];
  return description !== null && description.length >= TELLING ? [`${name}\n\n${foldWords(description)}`] : [];
}

/** A programme without a title is known again by its description and sub-title. */
function textKey({ subTitle, description }: Facts): string | null {
  if (description === null || (subTitle === null && description.length < TELLING)) return null;
  return `${subTitle === null ? '' : foldWords(subTitle)}\n${foldWords(description)}`;
}

interface Voice {
  value: string;
  reason: string;
  source: FillSource;
}

/** The one value that all voices say. */
function agreed(voices: readonly Voice[], same: (value: string) => string = (value) => value): Voice[] | null {
  const [first] = voices;
  if (first === undefined || voices.some(({ value }) => same(value) !== same(first.value))) return null;
  return [...voices];
}

/** Fills of one programme, with faults of its place. `shows`: null where there is no catalog. */
export function fillsOf(
  element: GuideElement,
  where: string,
  faults: ReadonlySet<Fault['type']>,
  evidence: Evidence,
  shows: ShowIndex | null,
): Fill[] {
  const facts = factsOf(element);
  const fills: Fill[] = [];
  const fill = (
    field: FillField,
    voices: Voice[] | null,
    write: (value: string) => string | null = (value) => value,
  ): void => {
    const value = voices?.[0] === undefined ? null : write(voices[0].value);
    if (value === null || voices === null) return;
    const reasons = [...new Set(voices.map(({ reason }) => reason))];
    fills.push({ where, field, value, reasons, sources: [...new Set(voices.map(({ source }) => source))] });
  };
  const files = facts.titles.map(readFileTitle).filter((file) => file !== null);
  let { title } = facts;
  if (faults.has('PLACEHOLDER_TITLE')) {
    const voices = agreed(titleVoices(facts, files, evidence, shows), foldWords);
    fill('title', voices);
    title = voices?.[0]?.value ?? null;
  }
  if (faults.has('EPISODE_NUM_MISSING'))
    fill('episode-num', agreed(numberVoices(title, facts, files, evidence, shows)), writeNumber);
  if (faults.has('MOVIE_YEAR_MISSING')) fill('date', agreed(yearVoices(title, facts, files, evidence)));
  return fills;
}

type Files = readonly NonNullable<ReturnType<typeof readFileTitle>>[];

function titleVoices(facts: Facts, files: Files, evidence: Evidence, shows: ShowIndex | null): Voice[] {
  const { number, subTitle } = facts;
  // A file of another episode than the programme's own number is of something else.
  const isOther = files.some((file) => number !== null && file.number !== null && !sameNumber(file.number, number));
  if (isOther) return [];
  const voices: Voice[] = files.map(({ title: value }) => ({
    ...{ value, reason: `the file's name says "${value}"`, source: 'programme' },
  }));
  for (const value of evidence.titlesOf(facts))
    voices.push({
      value,
      reason: 'a programme with the same description and sub-title has this title',
      source: 'guide',
    });
  if (shows !== null && number?.season != null && subTitle !== null) {
    const titles = shows.titlesOf(number.season, number.episode, subTitle);
    if (titles.length === 1)
      voices.push(
        ...titles.map((value): Voice => ({
          ...{ value, reason: 'the only show with an episode of this number and title', source: 'catalog' },
        })),
      );
  }
  return voices;
}

const sameNumber = (
  a: { season: number | null; episode: number },
  b: { season: number | null; episode: number },
): boolean => a.episode === b.episode && (a.season === null || b.season === null || a.season === b.season);

function numberVoices(
  title: string | null,
  facts: Facts,
  files: Files,
  evidence: Evidence,
  shows: ShowIndex | null,
): Voice[] {
  const { subTitle, description, dates } = facts;
  const voices: Voice[] = [];
  const say = (season: number | null, episode: number, reason: string, source: FillSource = 'programme'): void =>
    void voices.push({ value: `${season ?? ''}.${episode}`, reason, source });
  const inTitle = subTitle === null ? null : numberInTitle(subTitle);
  if (inTitle !== null) say(inTitle.season, inTitle.episode, 'the sub-title says it');
  for (const { season, episode } of description === null ? [] : numbersInDescription(description))
    say(season, episode, 'the description says it');
  for (const { number } of files) if (number !== null) say(number.season, number.episode, "the file's name says it");
  if (title === null) return voices;
  for (const value of evidence.numbersOf(title, facts))
    voices.push({ value, reason: 'the same programme has this number elsewhere in the guide', source: 'guide' });
  const [date = ''] = dates;
  const day = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(date);
  const year = /^\d{4}/.exec(date)?.[0];
  const show = shows?.showOf(title, year === undefined ? null : Number(year)) ?? null;
  if (show === null) return voices;
  for (const { season, episode } of episodesSaid(show, subTitle, day === null ? null : `${day[1]}-${day[2]}-${day[3]}`))
    say(season, episode, `the catalog has it of "${show.title}"`, 'catalog');
  return voices;
}

/** `1.3` to `0.2.`; specials have no number in this notation. */
function writeNumber(value: string): string | null {
  const [season = '', episode = ''] = value.split('.');
  if (season === '0') return null;
  return `${season === '' ? '' : Number(season) - 1}.${Number(episode) - 1}.`;
}

function yearVoices(title: string | null, facts: Facts, files: Files, evidence: Evidence): Voice[] {
  const voices: Voice[] = [];
  for (const written of facts.titles) {
    const year = /\((\d{4})\)\s*$/.exec(written)?.[1];
    if (year !== undefined && isFilmYear(year))
      voices.push({ value: year, reason: 'the title ends with it', source: 'programme' });
  }
  for (const { year } of files)
    if (year !== null) voices.push({ value: String(year), reason: "the file's name says it", source: 'programme' });
  if (title !== null)
    for (const value of evidence.yearsOf(title, facts))
      voices.push({
        ...{ value, reason: 'the same film, with the same description, has this year elsewhere in the guide' },
        source: 'guide',
      });
  return voices;
}
