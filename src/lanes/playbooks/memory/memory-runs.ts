/** Runs in memory; a line is kept as JSON, as a disk keeps it. */
import { failed } from '#core/errors.ts';
import type { RunLog, RunStore } from '../core/run/ports.ts';
import { noRun, isThereAlready, isOpenAlready } from '../core/run/store-failures.ts';

export class MemoryRuns implements RunStore {
  readonly #runs = new Map<string, string[]>();
  readonly #open = new Set<string>();

  create(id: string): Promise<RunLog> {
    if (this.#runs.has(id)) return Promise.reject(isThereAlready(id));
    const lines: string[] = [];
    this.#runs.set(id, lines);
    return Promise.resolve(this.#log(id, lines));
  }

  async open(id: string): Promise<{ lines: unknown[]; log: RunLog }> {
    const lines = this.#runs.get(id);
    if (lines === undefined) throw noRun(id);
    if (this.#open.has(id)) throw isOpenAlready(id);
    return { lines: (await this.read(id)) ?? [], log: this.#log(id, lines) };
  }

  read(id: string): Promise<unknown[] | null> {
    return Promise.resolve(this.#runs.get(id)?.map((line) => JSON.parse(line) as unknown) ?? null);
  }

  list(): Promise<string[]> {
    return Promise.resolve([...this.#runs.keys()]);
  }

  remove(id: string): Promise<void> {
    this.#runs.delete(id);
    return Promise.resolve();
  }

  #log(id: string, lines: string[]): RunLog {
    this.#open.add(id);
    let closed = false;
    return {
      append: (line) => {
        if (closed) throw failed('conflict', `The journal of the run "${id}" is closed.`);
        lines.push(JSON.stringify(line));
      },
      sync: () => Promise.resolve(),
      close: () => {
        closed = true;
        this.#open.delete(id);
        return Promise.resolve();
      },
    };
  }
}
