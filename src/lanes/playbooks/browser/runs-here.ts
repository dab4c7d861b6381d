/** Runs of this browser as pages look at them, again and again: of each journal, only what came since the last look is read. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { linesIn } from '../core/run/lines-log.ts';
import { addLines, pastOf, type Past } from '../core/run/past.ts';
import type { ReadFiles } from '../core/run/ports.ts';
import { rootOfRun } from './books.ts';
import { pathsIn } from './indexed-files.ts';
import { filesOf, type PlaybookMachine } from './run-here.ts';
import type { RunStores } from './run-stores.ts';
import { closedFirst, type RunPlace } from './run-place.ts';
import { isGone } from '../core/run/store-failures.ts';

interface Kept {
  past: Past;
  /** Rows and lines that it was made of. */
  rows: number;
  lines: number;
}

/** Runs that are kept: the one that is looked at, and the one beside it. */
const MOST_KEPT = 2;

const NONE = { rows: 0, lines: 0 };
interface Read {
  rows: number;
  lines: unknown[];
}

export class RunsHere implements RunPlace {
  readonly #machine: PlaybookMachine;
  readonly #stores: RunStores;
  readonly #db: AccessionDb;
  readonly #kept = new Map<string, Kept>();
  /** One look after the other. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor(machine: PlaybookMachine, stores: RunStores) {
    this.#machine = machine;
    this.#stores = stores;
    this.#db = machine.db;
  }

  past(id: string): Promise<Past> {
    const look = this.#looking.catch(() => undefined).then(() => this.#look(id));
    this.#looking = look;
    return look;
  }

  async lines(id: string): Promise<unknown[]> {
    const { lines } = await this.#read(id);
    if (lines.length === 0) throw isGone('run');
    return lines;
  }

  async #look(id: string): Promise<Past> {
    const known = this.#kept.get(id);
    const { rows, lines } = await this.#read(id, known);
    if (known !== undefined) {
      addLines(known.past, lines, known.lines);
      known.rows += rows;
      known.lines += lines.length;
      return known.past;
    }
    if (lines.length === 0) throw isGone('run');
    const past = pastOf(lines);
    for (const other of [...this.#kept.keys()].slice(0, this.#kept.size + 1 - MOST_KEPT)) this.#kept.delete(other);
    this.#kept.set(id, { past, rows, lines: lines.length });
    return past;
  }

  async #read(id: string, { rows: from, lines: line }: Pick<Kept, 'rows' | 'lines'> = NONE): Promise<Read> {
    const inFolder = this.#stores.inFolder((await this.#db.playbook_runs.get(id)) ?? {});
    if (inFolder !== null) return { rows: 0, lines: await inFolder.since(id, line) };
    const rows = await this.#db.playbook_lines.where('[run+n]').between([id, from], [id, Infinity]).toArray();
    return { rows: rows.length, lines: linesIn(rows.map(({ text }) => text).join('')) };
  }

  /** After it was removed. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  async made(id: string, past: Past): Promise<string[]> {
    const given = (await this.#db.playbook_runs.get(id))?.given;
    // A run of an earlier release does not say with which files it was begun.
    if (given === undefined) return closedFirst(past, []);
    const others = await pathsIn(this.#db, rootOfRun(id));
    return closedFirst(
      past,
      others.filter((path) => !given.includes(path)),
    );
  }

  async files(id: string): Promise<ReadFiles> {
    return filesOf(this.#machine, (await this.#db.playbook_runs.get(id)) ?? {}, rootOfRun(id));
  }

  async text(id: string, path: string): Promise<string | null> {
    return (await (await this.files(id)).read(path))?.text ?? null;
  }
}
