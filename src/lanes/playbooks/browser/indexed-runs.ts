/** Journals of runs in IndexedDB. A run is open in one tab at a time, by a lock that ends with its tab. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed, isQuotaExceeded } from '#core/errors.ts';
import { linesIn, LinesLog } from '../core/run/lines-log.ts';
import type { RunLog, RunStore } from '../core/run/ports.ts';
import { noRun, isThereAlready, isOpenAlready } from '../core/run/store-failures.ts';

/** The lock's release; null: another holds it. */
export type TryLock = (name: string) => Promise<(() => void) | null>;

export class IndexedRuns implements RunStore {
  readonly #db: AccessionDb;
  readonly #lock: TryLock;

  constructor(db: AccessionDb, lock: TryLock) {
    this.#db = db;
    this.#lock = lock;
  }

  async create(id: string): Promise<RunLog> {
    const release = await this.#locked(id);
    const { playbook_lines: lines } = this.#db;
    const made = await this.#db.transaction('rw', lines, async () => {
      if ((await this.#rows(id).count()) > 0) return false;
      await lines.add({ run: id, n: 0, text: '' });
      return true;
    });
    if (made) return new IndexedLog(this.#db, id, 1, release);
    release();
    throw isThereAlready(id);
  }

  async open(id: string): Promise<{ lines: unknown[]; log: RunLog }> {
    const release = await this.#locked(id);
    const rows = await this.#rows(id).toArray();
    if (rows.length > 0) return { lines: linesOf(rows), log: new IndexedLog(this.#db, id, rows.length, release) };
    release();
    throw noRun(id);
  }

  async read(id: string): Promise<unknown[] | null> {
    const rows = await this.#rows(id).toArray();
    return rows.length === 0 ? null : linesOf(rows);
  }

  async list(): Promise<string[]> {
    const keys = await this.#db.playbook_lines.toCollection().primaryKeys();
    return [...new Set(keys.map(([run]) => run))];
  }

  async remove(id: string): Promise<void> {
    await this.#rows(id).delete();
  }

  #rows(id: string) {
    return this.#db.playbook_lines.where('[run+n]').between([id, 0], [id, Infinity]);
  }

  async #locked(id: string): Promise<() => void> {
    const release = await this.#lock(`playbook run ${id}`);
    if (release === null) throw isOpenAlready(id);
    return release;
  }
}

const linesOf = (rows: readonly { text: string }[]): unknown[] => linesIn(rows.map(({ text }) => text).join(''));

/** Lines that are appended together are one row: it is there whole, or not at all. */
class IndexedLog extends LinesLog {
  readonly #db: AccessionDb;
  readonly #run: string;
  readonly #release: () => void;
  #n: number;

  constructor(db: AccessionDb, run: string, n: number, release: () => void) {
    super(`The journal of the run "${run}" is closed.`);
    this.#db = db;
    this.#run = run;
    this.#n = n;
    this.#release = release;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#release();
  }

  protected async write(text: string): Promise<void> {
    try {
      const { playbook_lines: lines } = this.#db;
      await this.#db.transaction('rw', lines, async () => {
        // The run was removed meanwhile, in this tab or another: nothing of it is written any more.
        if ((await lines.get([this.#run, this.#n - 1])) === undefined) throw noRun(this.#run);
        await lines.add({ run: this.#run, n: this.#n, text });
      });
      this.#n += 1;
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error;
      throw failed('storage_full', 'The browser has no space left for the journal of the run.', {
        remedy: 'Free space (Settings, Storage), then resume the run.',
        cause: error,
      });
    }
  }
}
