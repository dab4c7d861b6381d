/** A guide on its way into a store: it is checked while it is read, and its rows are staged a piece at a time. */
import { inTurns } from '#core/steps.ts';
import { GuideChecker, type CheckedGuide } from '../faults/check-guide.ts';
import type { Fault } from '../faults/fault.ts';
import type { GuideElement } from '../read/element.ts';
import type { GuideHandler, ReadGuide, WritingCode } from '../read/guide-reader.ts';
import type {
  ChannelRecord,
  GuideDraft,
  GuideRecord,
  PackedDay,
  StoredFault,
  StoredProgramme,
} from '../store/guide-records.ts';
import type { GuideStage } from '../store/guide-store.ts';
import { packFaults, packProgrammes } from '../store/packed.ts';
import type { Zone } from '../times/local-time.ts';
import { readAnyTime } from '../times/read-iso-time.ts';
import { channelsTogether } from '../write/write-guide.ts';
import { aboutOf, titleKey } from './place.ts';

const DAY = 86_400_000;
/** Programmes that are held before they are staged, or bytes of the guide. */
const HELD = 8_000;
const HELD_BYTES = 2 * 1024 * 1024;
/** Faults that are kept of a guide. */
const MOST_FAULTS = 100_000;
/** Programmes, or faults, of one row: however many a day has, each row is read in a few milliseconds. */
const A_ROW = 2_000;

/** Faults whose places are looked for in one go. */
const STORED_AT_ONCE = 50;

/** What a fault of a programme needs to know of it, by its place among those of its channel. */
interface Known {
  starts: number[];
  abouts: number[];
  titles: number[];
}

export class GuideImport implements GuideHandler {
  readonly #stage: GuideStage;
  readonly #rest: () => Promise<void>;
  readonly #zone: Zone | null;
  readonly #checker: GuideChecker;
  readonly #elements = new Map<string, GuideElement>();
  readonly #known = new Map<string, Known>();
  #held = new Map<string, { channel: string; day: number | null; programmes: StoredProgramme[] }>();
  #count = 0;
  #waiting = 0;
  /** Bytes of the guide up to what was staged last. */
  #written = 0;
  #attributes: Readonly<Record<string, string>> = {};

  /** @param rest lets others have their turn */
  constructor(stage: GuideStage, zone: Zone | null, rest: () => Promise<void>) {
    this.#stage = stage;
    this.#rest = rest;
    this.#zone = zone;
    this.#checker = new GuideChecker(zone, MOST_FAULTS);
  }

  /** Channels so far, or so: those with an element, and those that programmes name. */
  get channels(): number {
    return Math.max(this.#elements.size, this.#known.size);
  }

  /** Programmes so far. */
  get programmes(): number {
    return this.#count;
  }

  get isEmpty(): boolean {
    return this.#count === 0 && this.#elements.size === 0;
  }

  tv(attributes: Readonly<Record<string, string>>): void {
    this.#attributes = attributes;
  }

  channel(element: GuideElement, codes: readonly WritingCode[]): void {
    this.#checker.channel(element, codes);
    const id = element.attributes['id'];
    if (id === undefined) return;
    const known = this.#elements.get(id);
    this.#elements.set(id, known === undefined ? element : channelsTogether(known, element));
  }

  programme(element: GuideElement, codes: readonly WritingCode[]): void {
    this.#checker.programme(element, codes);
    const { channel = '', start: from = '', stop: to } = element.attributes;
    const start = readAnyTime(from, this.#zone);
    const stop = to === undefined ? null : readAnyTime(to, this.#zone);
    const day = start === null ? null : Math.floor(start / DAY);
    const key = `${day} ${channel}`;
    const row = this.#held.get(key) ?? { channel, day, programmes: [] };
    row.programmes.push({ n: this.#count++, start, stop, element });
    this.#held.set(key, row);
    this.#waiting++;
    const known = this.#known.get(channel) ?? { starts: [], abouts: [], titles: [] };
    this.#known.set(channel, known);
    known.starts.push(start ?? Number.NaN);
    known.abouts.push(aboutOf(element));
    known.titles.push(titleKey(element) ?? -1);
  }

  /** To be called now and then, so that no more is held than need be. `bytes`: of the guide so far. */
  async flush(bytes = 0): Promise<void> {
    if (this.#waiting < HELD && bytes - this.#written < HELD_BYTES) return;
    this.#written = bytes;
    await this.#write();
  }

  async #write(): Promise<void> {
    const held = this.#held;
    this.#held = new Map();
    this.#waiting = 0;
    const programmes: PackedDay[] = [];
    for (const { channel, day, programmes: all } of held.values())
      for (let at = 0; at < all.length; at += A_ROW) {
        const of = all.slice(at, at + A_ROW);
        programmes.push({ channel, day, count: of.length, data: packProgrammes(of) });
        await this.#rest();
      }
    if (programmes.length > 0) await this.#stage.add({ programmes });
  }

  /** Takes the guide's place in the store. `about`: what is said of it besides. */
  async end(
    read: ReadGuide,
    about: Pick<GuideDraft, 'kind' | 'name' | 'zone' | 'imported_at'>,
  ): Promise<{ record: GuideRecord; checked: CheckedGuide }> {
    await this.#write();
    const checked = await inTurns(this.#checker.ending(read), this.#rest);
    const { stopped, cutTexts, faultsAreCut } = checked;
    const notes = stopped === null ? [] : [stopped];
    if (cutTexts > 0) notes.push(`${cutTexts} texts of more than 64 KB were cut.`);
    if (faultsAreCut) notes.push(`It has more than ${MOST_FAULTS} faults: those that were found first are kept.`);
    const channels = this.#channels(checked);
    await this.#stage.add({ channels });
    await this.#writeFaults(checked.faults, new Set(channels.map(({ id }) => id)));
    const record = await this.#stage.finish({
      ...about,
      ...{ attributes: this.#attributes, channels: channels.length, programmes: this.#count },
      ...{ whole: stopped === null, notes },
    });
    return { record, checked };
  }

  #channels({ channelList }: CheckedGuide): ChannelRecord[] {
    const channels = channelList.map(({ id, declared, displayNames, programmes }): ChannelRecord => ({
      ...{ id, declared, displayNames, programmes, element: this.#elements.get(id) ?? null },
    }));
    const nameless = this.#known.get('')?.starts.length ?? 0;
    if (nameless > 0 && !channels.some(({ id }) => id === ''))
      channels.push({ id: '', declared: false, displayNames: [], programmes: nameless, element: null });
    return channels;
  }

  async #writeFaults(faults: readonly Fault[], channels: ReadonlySet<string>): Promise<void> {
    const days = new Map<string, StoredFault[]>();
    const places = new Map<string, Map<number, number>>();
    for (const [at, fault] of faults.entries()) {
      if (at % STORED_AT_ONCE === 0) await this.#rest();
      const stored = this.#stored(fault, channels, places);
      const { channel, start } = stored;
      const key = `${start === null ? '' : Math.floor(start / DAY)} ${channel === null ? '' : `c${channel}`}`;
      const day = days.get(key);
      if (day === undefined) days.set(key, [stored]);
      else day.push(stored);
    }
    let rows: PackedDay[] = [];
    let waiting = 0;
    const write = async (): Promise<void> => {
      if (rows.length > 0) await this.#stage.add({ faults: rows });
      [rows, waiting] = [[], 0];
    };
    for (const all of days.values())
      for (let at = 0; at < all.length; at += A_ROW) {
        const of = all.slice(at, at + A_ROW);
        const { channel = null, start = null } = of[0] ?? {};
        const day = start === null ? null : Math.floor(start / DAY);
        rows.push({ channel, day, count: of.length, data: packFaults(of) });
        await this.#rest();
        if ((waiting += of.length) >= HELD) await write();
      }
    await write();
  }

  #stored(
    { type, code: said, where }: Fault,
    channels: ReadonlySet<string>,
    places: Map<string, Map<number, number>>,
  ): StoredFault {
    const code = said ?? null;
    const none = { type, code, where, start: null, about: null, title: null };
    if (channels.has(where) && !where.includes('@')) return { ...none, channel: where };
    // A channel's id may have an @ in it.
    for (let at = where.indexOf('@'); at >= 0; at = where.indexOf('@', at + 1)) {
      const channel = where.slice(0, at);
      const known = this.#known.get(channel);
      if (known === undefined) continue;
      const start = readAnyTime(where.slice(at + 1), this.#zone);
      if (start === null) continue;
      let starts = places.get(channel);
      if (starts === undefined) {
        starts = new Map();
        for (let n = known.starts.length - 1; n >= 0; n--) starts.set(known.starts[n] ?? 0, n);
        places.set(channel, starts);
      }
      const place = starts.get(start);
      if (place === undefined) continue;
      const title = known.titles[place] ?? -1;
      return {
        ...{ type, code, where, channel, start },
        ...{ about: known.abouts[place] ?? null, title: title < 0 ? null : title },
      };
    }
    if (channels.has(where)) return { ...none, channel: where };
    const channel = where.slice(0, Math.max(0, where.indexOf('@')));
    return { ...none, channel: where.includes('@') && channels.has(channel) ? channel : null };
  }
}
