/** A person at a terminal: questions that are answered with a line, and keys where the terminal gives each at once. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Terminal {
  /** Signs beside and below each other; null: no terminal, or it does not say. */
  readonly size: { columns: number; rows: number } | null;
  write(text: string): void;
  /** The next line; null: there is none any more. */
  line(question: string): Promise<string | null>;
  /** The same, of what nobody may see while it is typed. */
  secret(question: string): Promise<string | null>;
  /** The next key; null: there is none any more, or the person wants to stop. */
  key(): Promise<string | null>;
  close(): void;
}

/** This process's own. Ctrl-C stops it also while keys are read one by one; what waits for an answer gets null then. */
export function processTerminal(stop: AbortController): Terminal {
  const { stdin, stdout } = process;
  let lines: Interface | null = null;
  let iterator: AsyncIterator<string> | null = null;
  stop.signal.addEventListener('abort', () => lines?.close());
  let hidden = false;
  // Readline shows what is typed: of a secret nothing but what was asked.
  const shown = Object.assign(
    new Writable({ write: (chunk: Buffer, _encoding, done) => void (hidden ? done() : stdout.write(chunk, done)) }),
    { columns: stdout.columns },
  );
  async function line(question: string): Promise<string | null> {
    stdout.write(question);
    if (stop.signal.aborted) return null;
    lines ??= createInterface({ input: stdin, ...(stdin.isTTY ? { output: shown, terminal: true } : {}) }).on(
      'SIGINT',
      () => stop.abort(),
    );
    iterator ??= lines[Symbol.asyncIterator]();
    const next = await iterator.next();
    return next.done === true ? null : next.value;
  }
  return {
    size: stdin.isTTY && stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : null,
    write: (text) => void stdout.write(text),
    line,
    async secret(question) {
      hidden = true;
      try {
        return await line(question);
      } finally {
        hidden = false;
        stdout.write('\n');
      }
    },
    key() {
      lines?.close();
      [lines, iterator] = [null, null];
      if (stop.signal.aborted) return Promise.resolve(null);
      stdin.setRawMode(true);
      stdin.resume();
      return new Promise((resolve) => {
        const ended = (key: string | null): void => {
          stdin.off('data', heard).off('end', none).setRawMode(false);
          stdin.pause();
          stop.signal.removeEventListener('abort', none);
          resolve(key);
        };
        const none = (): void => ended(null);
        const heard = (data: Buffer | string): void => {
          const key = data.toString();
          if (key === '\u0003') stop.abort();
          else ended(key === '\u0004' ? null : key);
        };
        stop.signal.addEventListener('abort', none);
        stdin.on('data', heard).on('end', none);
      });
    },
    close() {
      lines?.close();
      stdin.pause();
    },
  };
}
