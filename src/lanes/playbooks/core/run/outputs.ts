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
import { recordsOf, type Answered, type Records } from '../records/records.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Value } from '../value.ts';
import type { Level } from '../division/parse.ts';
import type { PlaybookFiles } from './ports.ts';

const SMALL = 1024 * 1024;

export interface OutputsPorts {
  files: PlaybookFiles;
  clock: Clock;
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
  readonly #answered = new Map<number, Answered>();
  readonly #files = new Map<string, OpenFile>();
  #highest = -1;
  /** Units added since the files were written, when each only goes to the end. */
  #fresh: Answered[] = [];
  #inOrder = true;
  #dirty = false;
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
    recordsOf([answered], this.#using);
    this.#answered.set(at, answered);
    if (at > this.#highest) this.#fresh.push(answered);
    else this.#inOrder = false;
    this.#highest = Math.max(at, this.#highest);
    this.#dirty = true;
  }

  /** Leaves out the units from this one on. */
  cut(before: number): void {
    for (const at of this.#answered.keys()) if (at >= before) this.#answered.delete(at);
    this.#inOrder = false;
    this.#dirty = true;
  }

  /** Writes what is done; at `last` all of it, whenever it was written before. */
  write(last = false): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(last));
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
    const files = recordsOf(this.#inOrderOfUnits(), this.#using);
    const last = this.#inOrderOfUnits().at(-1)?.outputs.at(-1)?.value ?? null;
    return { records: files.reduce((sum, { records }) => sum + records.length, 0), last };
  }

  text(path: string): string {
    return this.#files.get(path)?.text ?? '';
  }

  #inOrderOfUnits(): Answered[] {
    return [...this.#answered].sort(([a], [b]) => a - b).map(([, answered]) => answered);
  }

  async #write(last: boolean): Promise<void> {
    if (!this.#dirty) return;
    if (!last && this.#waits()) return;
    this.#dirty = false;
    const fresh = this.#fresh;
    this.#fresh = [];
    const { groupBy } = this.#using;
    if (this.#inOrder && groupBy === null && (await this.#appended(fresh))) return;
    this.#inOrder = true;
    const now = recordsOf(this.#inOrderOfUnits(), this.#using);
    for (const { path, records } of now)
      if (path !== null) await this.#put(path, writeRecords(outputType(path), records));
    const left = new Set(now.map(({ path }) => path));
    for (const path of this.#files.keys())
      if (!left.has(path)) await this.#put(path, writeRecords(outputType(path), []));
  }

  /** A large file is written once a second. */
  #waits(): boolean {
    const now = this.#ports.clock.now();
    return [...this.#files].some(
      ([path, { text, at }]) => text.length > SMALL && !path.endsWith('.jsonl') && now - at < 1000,
    );
  }

  /** Whether the new records were put at the ends of their files; false: all is to be written. */
  async #appended(fresh: readonly Answered[]): Promise<boolean> {
    const files = recordsOf(fresh, this.#using);
    const ends = files.flatMap(({ path, records }) => {
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
      } else await this.#put(path, before === '' ? writeRecords(type, records) : joined(type, before, records));
    }
    return true;
  }

  async #put(path: string, text: string): Promise<void> {
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
