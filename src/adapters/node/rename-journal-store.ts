import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { AccessionError, failure, messageOf, isCode } from '#core/errors.ts';
import {
  JournalHeadSchema,
  JournalRecordSchema,
  type Journal,
  type JournalHead,
  type JournalRecord,
  type JournalStore,
} from '#core/plan/rename-journal.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { readTextIfThere, syncDirectory } from './atomic-file.ts';
import { FOLDER_MARK, isFileUpTo, lockFolder, readMark, removeMark, touchMark, writeMark } from './folder-lock.ts';

const LineSchema = v.union([
  v.object({ head: JournalHeadSchema }),
  v.object({ of: v.string(), record: JournalRecordSchema }),
]);
type Line = v.InferOutput<typeof LineSchema>;

const ENDING = '.journal.jsonl';
const LINE_END = 0x0a;
/** Bytes of another program's journal that is read. */
const LARGEST_FOREIGN = 64 * 1024 * 1024;

/**
 * Journals as files that only grow, a line a record, each on the disk before it counts. A file holds the journals of
 * one plan, one after the other. While a journal is open, a mark in its folder says so to programs that keep their
 * journals in other places. `root` of a journal is a directory of this machine.
 */
export class NodeJournalStore implements JournalStore {
  readonly #fileOf: (planId: string) => string;
  readonly #files: () => Promise<string[]>;
  readonly #lockDirectory: string | undefined;
  /** By journal: where it is and what it is about. */
  readonly #known = new Map<string, { file: string; root: string }>();

  private constructor(
    fileOf: (planId: string) => string,
    files: () => Promise<string[]>,
    lockDirectory: string | undefined,
  ) {
    this.#fileOf = fileOf;
    this.#files = files;
    this.#lockDirectory = lockDirectory;
  }

  /** `{planId}.journal.jsonl` in a directory, which is made when it is needed. */
  static inDirectory(directory: string, lockDirectory?: string): NodeJournalStore {
    const files = async (): Promise<string[]> => {
      try {
        const names = await readdir(directory);
        return names.filter((name) => name.endsWith(ENDING)).map((name) => resolve(directory, name));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return [];
        throw error;
      }
    };
    const fileOf = (planId: string): string => resolve(directory, `${basename(planId)}${ENDING}`);
    return new NodeJournalStore(fileOf, files, lockDirectory);
  }

  /** One file for whatever plan. */
  static inFile(path: string, lockDirectory?: string): NodeJournalStore {
    const file = resolve(path);
    return new NodeJournalStore(
      () => file,
      () => Promise.resolve([file]),
      lockDirectory,
    );
  }

  async hold(root: string): Promise<(() => Promise<void>) | null> {
    return lockFolder(root, this.#lockDirectory === undefined ? {} : { directory: this.#lockDirectory });
  }

  async begin(head: JournalHead): Promise<void> {
    const file = this.#fileOf(head.plan.id);
    if ((await journalsIn(file)).some((journal) => journal.head.id === head.id))
      throw new AccessionError(failure('conflict', `There is a journal ${head.id} already.`));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Should it end here, the mark points to a journal that is not there, and nobody minds.
    await this.#claim(head.root, file, head.id);
    await appendLines(file, [{ head }]);
    this.#known.set(head.id, { file, root: head.root });
  }

  async append(id: string, records: readonly JournalRecord[]): Promise<void> {
    if (!this.#known.has(id)) await this.list();
    const known = this.#known.get(id);
    if (known === undefined) throw new AccessionError(failure('not_found', `There is no journal ${id}.`));
    const { file, root } = known;
    const ends = records.at(-1)?.kind === 'end';
    if (records.some(({ kind }) => kind === 'turn')) await this.#claim(root, file, id);
    await appendLines(
      file,
      records.map((record) => ({ of: id, record })),
    );
    await marked(root, () => (ends ? removeMark(root) : touchMark(root)));
  }

  /**
   * Marks the folder. What the mark of another program points to is only read: a mark may have come with the
   * files, and no journal is followed but one's own.
   */
  async #claim(root: string, file: string, id: string): Promise<void> {
    const mark = await readMark(root);
    if (mark !== null && mark.journal !== file && !(await this.#files()).includes(mark.journal)) {
      const isFile = await isFileUpTo(mark.journal, LARGEST_FOREIGN);
      const there = isFile ? await journalsIn(mark.journal).catch(() => []) : [];
      const open = there.find(({ head }) => head.id === mark.id && head.root === root);
      if (open !== undefined && replayJournal(open).ended === null) throw openByOthers(root, mark.journal);
    }
    await marked(root, () => writeMark(root, file, id));
  }

  async list(of: { root?: string; planId?: string } = {}): Promise<Journal[]> {
    const files = of.planId === undefined ? await this.#files() : [this.#fileOf(of.planId)];
    const journals: Journal[] = [];
    for (const file of files) {
      for (const journal of await journalsIn(file)) {
        const { id, root, plan } = journal.head;
        this.#known.set(id, { file, root });
        if (of.root !== undefined && of.root !== root) continue;
        if (of.planId === undefined || of.planId === plan.id) journals.push(journal);
      }
    }
    return journals.sort((a, b) => a.head.started_at - b.head.started_at);
  }
}

/** A folder that cannot be marked cannot be renamed in. */
async function marked(root: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const remedy = 'Check that the folder may be written.';
    throw new AccessionError(
      failure('storage_failed', `"${root}" cannot be written: ${messageOf(error)}.`, { remedy }),
    );
  }
}

function openByOthers(root: string, journal: string): AccessionError {
  const remedy = `Recover it with the program that began it, or remove "${FOLDER_MARK}" from the folder if that is gone.`;
  const message = `Another program left a rename of "${root}" open; its journal is "${journal}".`;
  return new AccessionError(failure('conflict', message, { remedy }));
}

async function journalsIn(file: string): Promise<Journal[]> {
  const text = await readTextIfThere(file);
  const journals = new Map<string, Journal>();
  const lines = (text ?? '').split('\n');
  // What follows the last line end was being written when the process died, and counts for nothing.
  lines.pop();
  for (const [at, line] of lines.entries()) {
    const read = parseLine(line);
    if (read === null) throw damaged(file, at);
    if ('head' in read) journals.set(read.head.id, { head: read.head, records: [] });
    else {
      const journal = journals.get(read.of);
      if (journal === undefined) throw damaged(file, at);
      journal.records.push(read.record);
    }
  }
  return [...journals.values()];
}

function parseLine(line: string): Line | null {
  try {
    return v.parse(LineSchema, JSON.parse(line));
  } catch {
    return null;
  }
}

function damaged(file: string, at: number): AccessionError {
  const remedy = 'Look at the folder and at this file; move the file away when every file is where it should be.';
  const message = `The journal "${file}" is damaged in line ${at + 1}.`;
  return new AccessionError(failure('storage_failed', message, { remedy }));
}

async function appendLines(file: string, lines: readonly Line[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const handle = await open(file, 'a+', 0o600);
  try {
    const isNew = (await handle.stat()).size === 0;
    await cutTorn(handle);
    await handle.appendFile(text);
    await handle.sync();
    if (isNew) await syncDirectory(dirname(file));
  } finally {
    await handle.close();
  }
}

/** Takes away the half of a line that a crash, or a full disk, left at the end. */
async function cutTorn(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  if (last[0] === LINE_END) return;
  const whole = await handle.readFile();
  await handle.truncate(whole.lastIndexOf(LINE_END) + 1);
}
