/**
 * Journals of runs in the folder of the disk that the person opened, beside the files that the runs write. A journal is a folder
 * of parts: the browser copies a file whenever it is written to, so that what is written stays small. A part is named by the
 * number of its first line, so that who looks at a run again reads what came since.
 */
import { failed } from '#core/errors.ts';
import { linesIn, LinesLog } from '../core/run/lines-log.ts';
import type { RunLog, RunStore } from '../core/run/ports.ts';
import { directoryIn, fileIn, OURS, putFile, refusing } from './folder-access.ts';
import type { TryLock } from './indexed-runs.ts';
import { noRun, isThereAlready, isOpenAlready } from '../core/run/store-failures.ts';

const PLACE = `${OURS}/playbooks`;
const PART = /^(\d{9})\.jsonl$/;
/** Characters of a part that has room for more. */
const FULL = 64 * 1024;
const MOST_TRIES = 5;

const partName = (line: number): string => `${String(line).padStart(9, '0')}.jsonl`;
const placeOf = (id: string): string => `${PLACE}/${id}`;

export class FolderRuns implements RunStore {
  readonly #root: FileSystemDirectoryHandle;
  readonly #lock: TryLock;
  readonly #onWritten: (id: string) => void;

  /** @param onWritten called when more of a journal is in the folder */
  constructor(root: FileSystemDirectoryHandle, lock: TryLock, onWritten: (id: string) => void = () => undefined) {
    this.#root = root;
    this.#lock = lock;
    this.#onWritten = onWritten;
  }

  async create(id: string): Promise<RunLog> {
    const release = await this.#locked(id);
    try {
      if ((await this.#parts(id)) !== null) throw isThereAlready(id);
      await this.#put(id, 0, '');
      return this.#log(id, { line: 0, text: '', lines: 0 }, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async open(id: string): Promise<{ lines: unknown[]; log: RunLog }> {
    const release = await this.#locked(id);
    try {
      const { lines, last } = await this.#read(id, 0);
      return { lines, log: this.#log(id, last, release) };
    } catch (error) {
      release();
      throw error;
    }
  }

  async read(id: string): Promise<unknown[] | null> {
    return (await this.#parts(id)) === null ? null : (await this.#read(id, 0)).lines;
  }

  /** Lines from this one on. Throws AccessionError `not_found`. */
  async since(id: string, line: number): Promise<unknown[]> {
    return (await this.#read(id, line)).lines;
  }

  list(): Promise<string[]> {
    return this.#refusing('', async () => {
      const place = await directoryIn(this.#root, PLACE.split('/'));
      return place === null ? [] : Array.fromAsync(place.entries(), ([name]) => name);
    });
  }

  remove(id: string): Promise<void> {
    return this.#refusing(id, async () => {
      const folder = await directoryIn(this.#root, placeOf(id).split('/'));
      if (folder === null) return;
      for (const name of await Array.fromAsync(folder.entries(), ([one]) => one)) await folder.removeEntry(name);
      await (await directoryIn(this.#root, PLACE.split('/')))?.removeEntry(id);
    });
  }

  /** Numbers of first lines, in their order; null: there is no such run. */
  #parts(id: string): Promise<number[] | null> {
    return this.#refusing(id, async () => {
      const folder = await directoryIn(this.#root, placeOf(id).split('/'));
      if (folder === null) return null;
      const found = await Array.fromAsync(folder.entries(), ([name]) => PART.exec(name)?.[1]);
      const parts = found.flatMap((number) => (number === undefined ? [] : [Number(number)]));
      return parts.length === 0 ? null : parts.sort((a, b) => a - b);
    });
  }

  async #read(id: string, from: number): Promise<{ lines: unknown[]; last: Part }> {
    const parts = await this.#parts(id);
    if (parts === null) throw noRun(id);
    const begin = parts.findLast((line) => line <= from) ?? 0;
    const lines: unknown[] = [];
    let last: Part = { line: begin, text: '', lines: 0 };
    for (const line of parts.filter((one) => one >= begin)) {
      if (line !== begin + lines.length)
        throw failed('invalid', `The journal of the run "${id}" in the folder lacks lines before line ${line + 1}.`);
      const text = await this.#refusing(id, () => this.#text(`${placeOf(id)}/${partName(line)}`));
      // A torn last line is none.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      const read = linesIn(whole);
      lines.push(...read);
      last = { line, text: whole, lines: read.length };
    }
    return { lines: lines.slice(from - begin), last };
  }

  async #text(path: string, tries = MOST_TRIES): Promise<string> {
    try {
      const file = await fileIn(this.#root, path);
      return (await (await file?.getFile())?.text()) ?? '';
    } catch (error) {
      // It was put in its place anew between two looks.
      if (tries > 1 && error instanceof Error && error.name === 'NotReadableError') return this.#text(path, tries - 1);
      throw error;
    }
  }

  #log(id: string, last: Part, release: () => void): RunLog {
    const written = (): void => this.#onWritten(id);
    return new FolderLog(id, last, release, async (line, text) => {
      await this.#put(id, line, text);
      written();
    });
  }

  #put(id: string, line: number, text: string): Promise<void> {
    return this.#refusing(id, () => putFile(this.#root, `${placeOf(id)}/${partName(line)}`, () => [text]));
  }

  #refusing<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    return refusing(this.#root, id === '' ? PLACE : placeOf(id), work);
  }

  async #locked(id: string): Promise<() => void> {
    const release = await this.#lock(`playbook run ${id}`);
    if (release === null) throw isOpenAlready(id);
    return release;
  }
}

/** The part that is written to. */
interface Part {
  /** The number of its first line, from 0. */
  line: number;
  text: string;
  lines: number;
}

class FolderLog extends LinesLog {
  #part: Part;
  readonly #release: () => void;
  readonly #put: (line: number, text: string) => Promise<void>;

  constructor(id: string, part: Part, release: () => void, put: (line: number, text: string) => Promise<void>) {
    super(`The journal of the run "${id}" is closed.`);
    this.#part = part;
    this.#release = release;
    this.#put = put;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#release();
  }

  protected async write(text: string): Promise<void> {
    const { line, lines, text: before } = this.#part;
    const isFull = before !== '' && before.length + text.length > FULL;
    const at = isFull ? line + lines : line;
    const whole = isFull ? text : before + text;
    await this.#put(at, whole);
    this.#part = { line: at, text: whole, lines: (isFull ? 0 : lines) + text.split('\n').length - 1 };
  }
}
