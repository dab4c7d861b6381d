/**
 * Finds what is wrong in a guide while it is read. Of a programme only its times and its name stay; what depends on the
 * whole (channels behind their programmes, kinds that are never numbered, overlaps) is decided at the end.
 */
import { atOnce, sorting, type Steps } from '#core/steps.ts';
import { childrenOf, isBlank, textsOf, type GuideElement } from '../read/element.ts';
import type { GuideHandler, ReadGuide, WritingCode } from '../read/guide-reader.ts';
import type { Zone } from '../times/local-time.ts';
import { readTime, type ReadTime } from '../times/read-time.ts';
import { readXmltvNumber } from './episode-number.ts';
import { FaultList, type Fault } from './fault.ts';
import { ownText, Strings } from './strings.ts';
import { isPlaceholder } from './title-words.ts';
import { KINDS, readCategory, type Kind } from './words/category-words.ts';
import { foldWords } from './words/fold.ts';

/** Programmes that are looked at in one go. */
const AT_ONCE = 200;

const FIRST_FILM = 1888;
const LAST_YEAR = 2100;

/** What is known of a channel, by its own element or by programmes alone. */
interface Channel {
  id: string;
  declared: boolean;
  /** What it is called, folded; numbers are no names. */
  names: Set<string>;
  displayNames: string[];
  programmes: number;
  /** Of programmes with a start, in the order of the file. */
  starts: number[];
  stops: number[];
  writtenStarts: string[];
  clumped: boolean[];
  /** Programmes whose start is no time, for what is said of all of a channel. */
  unplaced: string[];
}

/** A programme about which the end of the guide decides. */
interface Open {
  where: string;
  channel: Channel | null;
  /** Its kinds, where only they may excuse that it has no number. */
  kinds: readonly Kind[] | null;
  /** Its titles, where they may be its channel's name. */
  titles: readonly string[] | null;
  /** It counts already among those with a fault in what they say. */
  counted: boolean;
}

export interface CheckedGuide {
  programmes: number;
  channels: number;
  faults: Fault[];
  /** There were more. */
  faultsAreCut: boolean;
  /** Programmes with at least one fault in what they say. */
  failing: number;
  placeholders: number;
  /** Declared channels, the first of each id, in their order; also those that only programmes name. */
  channelList: readonly ChannelSummary[];
  /** Why reading stopped before the end; null: it did not. */
  stopped: string | null;
  cutTexts: number;
}

export interface ChannelSummary {
  id: string;
  declared: boolean;
  displayNames: readonly string[];
  programmes: number;
}

export class GuideChecker implements GuideHandler {
  readonly #zone: Zone | null;
  readonly #faults: FaultList;
  readonly #channels = new Map<string, Channel>();
  readonly #strings = new Strings();
  readonly #times = new Map<string, ReadTime>();
  readonly #open: Open[] = [];
  /** Of each kind: programmes, and those with a number. */
  readonly #kinds = new Map<Kind, { all: number; numbered: number }>(
    KINDS.map((kind) => [kind, { all: 0, numbered: 0 }]),
  );
  #programmes = 0;
  #channelElements = 0;
  #failing = 0;
  #placeholders = 0;

  /**
   * `zone`: of times that name none; null is UTC.
   * @param mostFaults so many are kept, those that are found first
   */
  constructor(zone: Zone | null = null, mostFaults = Number.POSITIVE_INFINITY) {
    this.#zone = zone;
    this.#faults = new FaultList(mostFaults);
  }

  channel(element: GuideElement, codes: readonly WritingCode[]): void {
    this.#channelElements++;
    const id = element.attributes['id'];
    this.#written(codes, id ?? 'tv');
    if (id === undefined) return;
    const channel = this.#channelOf(id);
    if (channel.declared) this.#faults.add('XMLTV_VALIDATION_ERROR', id, 'duplicateid');
    channel.declared = true;
    for (const name of textsOf(element, 'display-name')) {
      channel.displayNames.push(this.#strings.keep(name));
      const folded = foldWords(name);
      if (/\p{L}/u.test(folded)) channel.names.add(this.#strings.keep(folded));
    }
  }

  programme(element: GuideElement, codes: readonly WritingCode[]): void {
    this.#programmes++;
    const { attributes } = element;
    const { start: writtenStart = '', channel: id } = attributes;
    const where = `${id ?? ''}@${writtenStart}`;
    this.#written(codes, where);
    const channel = id === undefined ? null : this.#channelOf(id);
    if (channel === null) this.#faults.add('XMLTV_VALIDATION_ERROR', where, 'unknownid');
    else channel.programmes++;
    this.#checkTimes(attributes, where, channel);
    this.#checkTexts(element, where, channel);
  }

  end(read: ReadGuide): CheckedGuide {
    return atOnce(this.ending(read));
  }

  *ending({ codes, stopped, cutTexts }: ReadGuide): Steps<CheckedGuide> {
    this.#written(codes, 'tv');
    if (stopped !== null) this.#faults.add('XMLTV_VALIDATION_ERROR', 'document', 'notwell');
    else if (this.#programmes === 0) this.#faults.add('XMLTV_VALIDATION_ERROR', 'tv', 'noprogrammes');
    for (const channel of this.#channels.values()) {
      yield;
      yield* this.#checkChannel(channel, stopped === null);
    }
    yield* this.#decide();
    return {
      ...{ programmes: this.#programmes, channels: this.#channelElements, faults: this.#faults.all },
      faultsAreCut: this.#faults.isCut,
      ...{ failing: this.#failing, placeholders: this.#placeholders, stopped, cutTexts },
      channelList: [...this.#channels.values()].map(({ id, declared, displayNames, programmes }) => ({
        ...{ id, declared, displayNames, programmes },
      })),
    };
  }

  #written(codes: readonly WritingCode[], where: string): void {
    for (const code of codes) this.#faults.add('XMLTV_VALIDATION_ERROR', where, code);
  }

  #channelOf(id: string): Channel {
    let channel = this.#channels.get(id);
    if (channel === undefined) {
      channel = {
        ...{ id: this.#strings.keep(id), declared: false, names: new Set<string>(), displayNames: [], programmes: 0 },
        ...{ starts: [], stops: [], writtenStarts: [], clumped: [], unplaced: [] },
      };
      this.#channels.set(channel.id, channel);
    }
    return channel;
  }

  #timeOf(raw: string): ReadTime {
    let time = this.#times.get(raw);
    if (time === undefined) {
      time = readTime(raw, this.#zone);
      if (this.#times.size >= MOST_TIMES) this.#times.clear();
      this.#times.set(this.#strings.keep(raw), time);
    }
    return time;
  }

  #checkTimes(attributes: Readonly<Record<string, string>>, where: string, channel: Channel | null): void {
    const { start: writtenStart = '', stop: writtenStop, clumpidx = '' } = attributes;
    const start = this.#timeOf(writtenStart);
    const stop = writtenStop === undefined ? null : this.#timeOf(writtenStop);
    const add = (code: 'badstart' | 'badstop' | 'missingtimezone' | 'invalidtimezone' | 'stop-before-start'): void =>
      this.#faults.add('XMLTV_VALIDATION_ERROR', where, code);
    if (start.code === 'bad') add('badstart');
    else if (start.code !== null) add(start.code);
    if (stop?.code === 'bad') add('badstop');
    else if (stop?.code != null) add(stop.code);
    if (start.instant === null) {
      channel?.unplaced.push(this.#strings.keep(writtenStart));
      return;
    }
    if (stop?.instant != null && stop.instant < start.instant) add('stop-before-start');
    if (channel === null) return;
    channel.starts.push(start.instant);
    channel.stops.push(stop?.instant ?? Number.NaN);
    channel.writtenStarts.push(this.#strings.keep(writtenStart));
    channel.clumped.push(isClumped(clumpidx));
  }

  #checkTexts(element: GuideElement, where: string, channel: Channel | null): void {
    const titles = childrenOf(element, 'title');
    const said = textsOf(element, 'title');
    if (titles.length > 0 && said.length === 0) this.#faults.add('XMLTV_VALIDATION_ERROR', where, 'emptytitle');
    const descriptions = childrenOf(element, 'desc');
    if (descriptions.some(({ text }) => isBlank(text)))
      this.#faults.add('XMLTV_VALIDATION_ERROR', where, 'emptydescription');
    const numbers = childrenOf(element, 'episode-num');
    if (numbers.some(({ attributes, text }) => attributes['system'] === 'xmltv_ns' && readXmltvNumber(text) === null))
      this.#faults.add('XMLTV_VALIDATION_ERROR', where, 'badepisode');
    const isNumbered = numbers.some(({ text }) => /[\p{L}\p{N}]/u.test(text));

    let counted = false;
    const count = (): void => {
      if (!counted) this.#failing++;
      counted = true;
    };
    const { isFilm, kinds } = categoriesOf(element);
    for (const kind of kinds) {
      const of = this.#kinds.get(kind);
      if (of === undefined) continue;
      of.all++;
      if (isNumbered) of.numbered++;
    }
    if (isFilm && !textsOf(element, 'date').some(isFilmYear)) {
      this.#faults.add('MOVIE_YEAR_MISSING', where);
      count();
    }
    const isUnnumbered = !isFilm && !isNumbered;
    if (isUnnumbered && kinds.length === 0) {
      this.#faults.add('EPISODE_NUM_MISSING', where);
      count();
    }
    const isNothing = said[0] !== undefined && isPlaceholder(said[0]);
    if (isNothing) {
      this.#faults.add('PLACEHOLDER_TITLE', where);
      this.#placeholders++;
      count();
    }
    const isBare =
      !isNothing &&
      said.length > 0 &&
      !isNumbered &&
      textsOf(element, 'sub-title').length === 0 &&
      descriptions.every(({ text }) => isBlank(text));
    const open: Open = {
      ...{ where: ownText(where), channel, counted },
      kinds: isUnnumbered && kinds.length > 0 ? kinds : null,
      titles: isBare && channel !== null ? said.map((title) => this.#strings.keep(title)) : null,
    };
    if (open.kinds !== null || open.titles !== null) this.#open.push(open);
  }

  *#checkChannel(channel: Channel, isWhole: boolean): Steps<void> {
    const { id, declared, programmes, starts, stops, writtenStarts, clumped } = channel;
    if (!declared)
      for (const [at, written] of [...writtenStarts, ...channel.unplaced].entries()) {
        if (at % AT_ONCE === 0) yield;
        this.#faults.add('XMLTV_VALIDATION_ERROR', `${id}@${written}`, 'unknownid');
      }
    if (declared && programmes === 0 && isWhole) this.#faults.add('XMLTV_VALIDATION_ERROR', id, 'channelnoprogramme');
    const places = starts.map((_, at) => at);
    const order = yield* sorting(places, (a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
    for (let at = 0; at + 1 < order.length; at++) {
      if (at % AT_ONCE === 0) yield;
      const [one = 0, next = 0] = [order[at], order[at + 1]];
      if (clumped[one] === true && clumped[next] === true) continue;
      const begins = starts[next] ?? 0;
      if (starts[one] === begins)
        this.#faults.add('XMLTV_VALIDATION_ERROR', `${id}@${writtenStarts[next]}`, 'duplicate');
      else if ((stops[one] ?? 0) > begins)
        this.#faults.add('XMLTV_VALIDATION_ERROR', `${id}@${writtenStarts[one]}`, 'overlap');
    }
  }

  /** What only the whole guide tells: kinds that it never numbers, and what its channels are called. */
  *#decide(): Steps<void> {
    const unnumbered = new Set<Kind>();
    for (const [kind, { all, numbered }] of this.#kinds) if (numbered * 2 < all) unnumbered.add(kind);
    for (const [at, { where, channel, kinds, titles, counted }] of this.#open.entries()) {
      if (at % AT_ONCE === 0) yield;
      const isMissing = kinds !== null && !kinds.some((kind) => unnumbered.has(kind));
      if (isMissing) this.#faults.add('EPISODE_NUM_MISSING', where);
      const isName = titles !== null && titles.every((title) => channel?.names.has(foldWords(title)) === true);
      if (isName) {
        this.#faults.add('PLACEHOLDER_TITLE', where);
        this.#placeholders++;
      }
      if ((isMissing || isName) && !counted) this.#failing++;
    }
  }
}

/** So many written times are kept with what they mean; a day of a guide has a few hundred. */
const MOST_TIMES = 50_000;

/** Several programmes in one place of the schedule: `0/2`. `0/1`, the value without one, is a programme by itself. */
const isClumped = (written: string): boolean => Number(/^\s*\d+\s*\/\s*(\d+)\s*$/.exec(written)?.[1] ?? 0) > 1;

/** A year that a film may be of: 1888 to 2100, at the beginning. */
export function isFilmYear(date: string): boolean {
  const year = Number(/^\d{4}/.exec(date)?.[0] ?? 0);
  return year >= FIRST_FILM && year <= LAST_YEAR;
}

/** What the categories of a programme say together. */
export function categoriesOf(element: GuideElement): { isFilm: boolean; kinds: Kind[] } {
  let isFilm = false;
  const kinds: Kind[] = [];
  for (const category of textsOf(element, 'category')) {
    const meaning = readCategory(category);
    if (meaning.film) isFilm = true;
    for (const kind of meaning.kinds) if (!kinds.includes(kind)) kinds.push(kind);
  }
  return { isFilm, kinds };
}
