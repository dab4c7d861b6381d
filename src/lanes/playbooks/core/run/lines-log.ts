/** A journal as lines of JSON, for stores that take what waits as one text. */
import { failed } from '#core/errors.ts';
import type { RunLog } from './ports.ts';

export const linesIn = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));

export const jsonLines = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export abstract class LinesLog implements RunLog {
  readonly #closedWords: string;
  #pending: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param closedWords what is said to who appends after the end */
  constructor(closedWords: string) {
    this.#closedWords = closedWords;
  }

  /** Lines that were appended together; durable when it resolves. */
  protected abstract write(text: string): Promise<void>;

  append(line: unknown): void {
    if (this.#closed) throw failed('conflict', this.#closedWords);
    this.#pending.push(`${JSON.stringify(line)}\n`);
  }

  sync(): Promise<void> {
    // After a write that failed none follows: lines after a gap would be no journal.
    this.#writing = this.#writing.then(() => this.#writePending());
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.sync().catch(() => undefined);
    this.#closed = true;
  }

  async #writePending(): Promise<void> {
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    await this.write(text);
  }
}
