/**
 * The files of a step while it runs.
 *
 *   PB-41 a file is whole at every instant and holds all that is done: each time while it is under 1 MiB or is JSONL, then
 *         once a second, and at the end
 *   PB-31 records stand in the order of the units, whatever came first
 */
import type { Clock } from '#core/ports.ts';
import { outputType, recordLine, writeRecords } from '../files/contents.ts';
import { divideAnswer } from '../division/divide.ts';
import { recordsOf, type Answered, type FileRecords, type Records } from '../records/records.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Value } from '../value.ts';
import type { Level } from '../division/parse.ts';
import type { PlaybookFiles } from './ports.ts';

const SMALL = 1024 * 1024;

export interface OutputsPorts {
  files: PlaybookFiles;
  clock: Clock;
}

interface Unit {
  answered: Answered;
  /** Its own, as they are where nothing is grouped. */
  records: FileRecords[];
}

interface OpenFile {
  text: string;
  /** Milliseconds. */
  at: number;
}

export class Outputs {
  readonly #using: Records & { answerDivision: Level | null };
  readonly #ports: OutputsPorts;
  /** By unit. */
  readonly #answered = new Map<number, Unit>();
  /** Units that are over: answered, or left out. */
  readonly #over = new Set<number>();
  readonly #files = new Map<string, OpenFile>();
  /** The first unit that is not over. What is behind it waits, so that what stands in a file stays in it. */
  #next = 0;
  /** Units whose records were not put into the files yet. */
  #fresh: Unit[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(using: Records & { answerDivision: Level | null }, ports: OutputsPorts) {
    this.#using = using;
    this.#ports = ports;
  }

  /** Throws PlaybookFault where its records cannot be made; it is not added then. */
  add(at: number, unit: Frame | null, value: Value, pathOf: (output: Frame | null) => string | null): void {
    const outputs = divideAnswer(value, this.#using.answerDivision);
    const answered: Answered = { unit, outputs, pathOf };
    // Its own records, by themselves: what cannot be filled is this unit's fault.
    const records = recordsOf([answered], this.#using);
    this.#answered.set(at, { answered, records });
    this.leftOut(at);
  }

  /** A unit that is over without records. */
  leftOut(at: number): void {
    this.#over.add(at);
    for (; this.#over.has(this.#next); this.#next += 1) {
      const unit = this.#answered.get(this.#next);
      if (unit !== undefined) this.#fresh.push(unit);
    }
  }

  /**
   * Writes the units that are over up to the first that is not; at `last` whenever it was written before, and with `all`
   * those behind it, too.
   */
  write({ last = false, all = false } = {}): Promise<void> {
    this.#writing = this.#writing.then(() => (all ? this.#whole() : this.#write(last)));
    return this.#writing;
  }

  /** Paths that have something of this step. */
  get paths(): string[] {
    return [...this.#files.keys()];
  }

  /** An empty file where a step without a record says where its records go. */
  async writeEmpty(path: string): Promise<void> {
    if (this.#files.has(path)) return;
    const text = writeRecords(outputType(path), []);
    await this.#ports.files.write(path, text);
    this.#files.set(path, { text, at: this.#ports.clock.now() });
  }

  summary(): { records: number; last: Value } {
    const units = this.#inOrderOfUnits().map(([, unit]) => unit);
    const files = this.#records(units);
    const last = units.at(-1)?.answered.outputs.at(-1)?.value ?? null;
    return { records: files.reduce((sum, { records }) => sum + records.length, 0), last };
  }

  text(path: string): string {
    return this.#files.get(path)?.text ?? '';
  }

  #inOrderOfUnits(): [number, Unit][] {
    return [...this.#answered].sort(([a], [b]) => a - b);
  }

  #records(units: readonly Unit[]): FileRecords[] {
    if (this.#using.groupBy !== null)
      return recordsOf(
        units.map(({ answered }) => answered),
        this.#using,
      );
    const all = units.flatMap(({ records }) => records);
    return [...Map.groupBy(all, ({ path }) => path)].map(([path, parts]) => ({
      path,
      records: parts.flatMap(({ records }) => records),
    }));
  }

  async #write(last: boolean): Promise<void> {
    if (this.#fresh.length === 0 || (!last && this.#waits())) return;
    const fresh = this.#fresh;
    this.#fresh = [];
    if (this.#using.groupBy === null && (await this.#appended(fresh))) return;
    await this.#put(this.#inOrderOfUnits().filter(([at]) => at < this.#next));
  }

  async #whole(): Promise<void> {
    this.#fresh = [];
    await this.#put(this.#inOrderOfUnits());
  }

  /** A large file is written once a second. */
  #waits(): boolean {
    const now = this.#ports.clock.now();
    return [...this.#files].some(
      ([path, { text, at }]) => text.length > SMALL && !path.endsWith('.jsonl') && now - at < 1000,
    );
  }

  /** Whether the new records were put at the ends of their files; false: all is to be written. */
  async #appended(fresh: readonly Unit[]): Promise<boolean> {
    const ends = this.#records(fresh).flatMap(({ path, records }) => {
      if (path === null) return [];
      const type = outputType(path);
      return type === 'csv' ? [null] : [{ path, records, type }];
    });
    if (ends.includes(null)) return false;
    for (const end of ends) {
      if (end === null) continue;
      const { path, records, type } = end;
      const before = this.#files.get(path)?.text ?? '';
      if (type === 'jsonl' && before !== '') {
        const lines = records.map(recordLine).join('');
        await this.#ports.files.append(path, lines);
        this.#files.set(path, { text: before + lines, at: this.#ports.clock.now() });
      } else await this.#putText(path, before === '' ? writeRecords(type, records) : joined(type, before, records));
    }
    return true;
  }

  async #put(units: readonly (readonly [number, Unit])[]): Promise<void> {
    const files = this.#records(units.map(([, unit]) => unit));
    for (const { path, records } of files)
      if (path !== null) await this.#putText(path, writeRecords(outputType(path), records));
  }

  async #putText(path: string, text: string): Promise<void> {
    if (this.#files.get(path)?.text === text) return;
    await this.#ports.files.write(path, text);
    this.#files.set(path, { text, at: this.#ports.clock.now() });
  }
}

/** The text with more records at its end: the same as if all had been written at once. */
function joined(type: 'json' | 'jsonl' | 'md' | 'txt', before: string, records: readonly Value[]): string {
  if (records.length === 0) return before;
  const more = writeRecords(type, records);
  if (type === 'json')
    return before === '[]\n' ? more : `${before.slice(0, -'\n]\n'.length)},\n${more.slice('[\n'.length)}`;
  return before === '' ? more : `${before}\n${more}`;
}
