/** Runs on the disk: a folder each, below `playbooks` of the data directory, with the journal as lines of JSON. */
import { existsSync, writeSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, syncDirectory } from '#adapters/node/atomic-file.ts';
import { lockFile } from '#adapters/node/lock-file.ts';
import { failed, isCode } from '#core/errors.ts';
import type { RunLog, RunStore } from '../core/run/ports.ts';
import { noRun, isThereAlready, isOpenAlready } from '../core/run/store-failures.ts';

const JOURNAL = 'journal.jsonl';

export class DiskRuns implements RunStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Folder of a run. Throws AccessionError `invalid` where the id is none. */
  folder(id: string): string {
    if (!/^[\w-]{1,120}$/.test(id)) throw failed('invalid', `"${id}" is no id of a run.`);
    return join(this.#directory, id);
  }

  async create(id: string): Promise<RunLog> {
    const folder = this.folder(id);
    await makeDirectory(this.#directory);
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (isCode(error, 'EEXIST')) throw isThereAlready(id, error);
      throw error;
    }
    await syncDirectory(this.#directory);
    return this.#log(id, 'wx');
  }

  async open(id: string): Promise<{ lines: unknown[]; log: RunLog }> {
    const path = join(this.folder(id), JOURNAL);
    if (!existsSync(path)) throw noRun(id);
    const log = await this.#log(id, 'r+');
    try {
      // Under its lock: whoever had it open until now may have written more.
      const text = (await textOf(path)) ?? '';
      const whole = wholeLines(text);
      const bytes = Buffer.byteLength(whole);
      if (whole.length < text.length) await truncate(path, bytes);
      log.at(bytes);
      return { lines: linesOf(whole), log };
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async read(id: string): Promise<unknown[] | null> {
    const text = await textOf(join(this.folder(id), JOURNAL));
    return text === null ? null : linesOf(wholeLines(text));
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  async remove(id: string): Promise<void> {
    await rm(this.folder(id), { recursive: true, force: true });
  }

  async #log(id: string, flags: 'r+' | 'wx'): Promise<DiskLog> {
    const folder = this.folder(id);
    const release = lockFile(join(folder, 'lock'));
    if (release === null) throw isOpenAlready(id);
    try {
      const handle = await open(join(folder, JOURNAL), flags, 0o600);
      await syncDirectory(folder);
      return new DiskLog(handle, release);
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Bytes that the journal is made longer by: what is written where the file has room costs the disk less than what makes it grow. */
const ROOM = 1024 * 1024;
const ZEROS = new Uint8Array(ROOM);

/**
 * Lines that are appended together reach the disk together: one write and one sync for all that wait. Behind the last line zeros
 * stand until the journal is closed, or opened after a kill: a line of JSON has none.
 */
class DiskLog implements RunLog {
  readonly #handle: FileHandle;
  readonly #release: () => void;
  /** Bytes of lines, and of the file. */
  #end = 0;
  #room = 0;
  #pending: string[] = [];
  #writing: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #closed = false;
  /** What a write failed with: lines after a gap would be no journal. */
  #broken: Error | null = null;

  constructor(handle: FileHandle, release: () => void) {
    this.#handle = handle;
    this.#release = release;
  }

  /** Where the next line goes. */
  at(bytes: number): void {
    this.#end = bytes;
    this.#room = bytes;
  }

  append(line: unknown): void {
    if (this.#closed) throw failed('conflict', 'The journal is closed.');
    this.#pending.push(`${JSON.stringify(line)}\n`);
  }

  sync(): Promise<void> {
    if (this.#pending.length === 0 || this.#broken !== null) return this.#writing ?? Promise.resolve();
    // What is appended before the next write begins goes with it.
    return (this.#next ??= this.#write(this.#writing));
  }

  async close(): Promise<void> {
    await this.sync().catch(() => undefined);
    this.#closed = true;
    try {
      if (this.#room > this.#end) await this.#handle.truncate(this.#end);
    } finally {
      await this.#handle.close();
      this.#release();
    }
  }

  #put(bytes: Uint8Array): void {
    const { fd } = this.#handle;
    if (this.#end + bytes.length > this.#room) {
      this.#room = this.#end + bytes.length;
      try {
        for (const most = this.#room + ROOM; this.#room < most;)
          this.#room += writeSync(fd, ZEROS, 0, most - this.#room, this.#room);
      } catch (error) {
        // Without room it grows line by line.
        if (!isCode(error, 'ENOSPC', 'EDQUOT')) throw error;
      }
    }
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, this.#end + done);
    this.#end += bytes.length;
  }

  async #write(before: Promise<void> | null): Promise<void> {
    await before?.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    this.#writing = this.#next;
    this.#next = null;
    const text = this.#pending.join('');
    this.#pending = [];
    try {
      if (this.#broken !== null) throw this.#broken;
      // For the system's own memory: to hand it to a thread takes longer than it does.
      this.#put(Buffer.from(text));
      await this.#handle.datasync();
    } catch (error) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      if (isCode(error, 'ENOSPC', 'EDQUOT'))
        throw failed('storage_full', 'There is no space left on the disk for the journal of the run.', {
          remedy: 'Free space on the disk, then resume the run.',
          cause: error,
        });
      throw error;
    }
  }
}

/** Up to the last line that is whole: what a kill or a power cut left behind it is cut off. */
function wholeLines(text: string): string {
  const zeros = text.indexOf('\0');
  const written = zeros < 0 ? text : text.slice(0, zeros);
  return written.slice(0, written.lastIndexOf('\n') + 1);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw failed('invalid', `The journal of the run is damaged in line ${at + 1}.`);
    }
  });
}
