/** The journal of a run that is kept on a server: each piece is durable there when its sync resolves. */
import type { RunLog, RunStore } from '../core/run/ports.ts';
import { linesIn, LinesLog } from '../core/run/lines-log.ts';
import { piecesOf } from '../core/shared/run-protocol.ts';
import type { HeldRun } from './held-run.ts';
import { isThereAlready } from '../core/run/store-failures.ts';

/** Its own run, and to read the one that it takes units over from. */
export class LeasedRuns implements Pick<RunStore, 'create' | 'open' | 'read'> {
  readonly #held: HeldRun;

  constructor(held: HeldRun) {
    this.#held = held;
  }

  create(id: string): Promise<RunLog> {
    if (this.#held.taken.pieces > 0) return Promise.reject(isThereAlready(id));
    return Promise.resolve(new LeasedLog(this.#held));
  }

  async open(id: string): Promise<{ lines: unknown[]; log: RunLog }> {
    return { lines: await this.read(id), log: new LeasedLog(this.#held) };
  }

  async read(id: string): Promise<unknown[]> {
    const text = await this.#held.asked((client, lease) => client.journal(lease, id !== this.#held.taken.id));
    return linesIn(text);
  }
}

class LeasedLog extends LinesLog {
  readonly #held: HeldRun;
  #pieces: number;

  constructor(held: HeldRun) {
    super('The journal is closed.');
    this.#held = held;
    this.#pieces = held.taken.pieces;
  }

  protected async write(text: string): Promise<void> {
    for (const texts of piecesOf(text)) {
      const n = this.#pieces;
      this.#held.hear(await this.#held.asked((client, lease) => client.putLines(lease, { n, texts })));
      this.#pieces = n + 1;
    }
  }
}
