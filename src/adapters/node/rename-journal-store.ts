import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { AccessionError, failed, isCode, messageOf } from '#core/errors.ts';
import { JournalHeadSchema, JournalRecordSchema, type Journal, type JournalStore } from '#core/plan/rename-journal.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { readTextIfThere, syncDirectory } from './atomic-file.ts';
import { FOLDER_MARK, isFileUpTo, lockFolder, readMark, removeMark, touchMark, writeMark } from './folder-lock.ts';

const LineSchema = v.union([
  v.object({ head: JournalHeadSchema }),
  v.object({ of: v.string(), record: JournalRecordSchema }),
]);
type Line = v.InferOutput<typeof LineSchema>;
const LineText = v.pipe(v.string(), v.parseJson(), LineSchema);

const ENDING = '.journal.jsonl';
const LINE_END = 0x0a;
/** Bytes of another program's journal that is read. */
const LARGEST_FOREIGN = 64 * 1024 * 1024;

/** `{planId}.journal.jsonl` in a directory, which is made when it is needed. */
export function journalsInDirectory(directory: string, lockDirectory?: string): JournalStore {
  const files = async (): Promise<string[]> => {
    try {
      const names = await readdir(directory);
      return names.filter((name) => name.endsWith(ENDING)).map((name) => resolve(directory, name));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
  };
  return journals((planId) => resolve(directory, `${basename(planId)}${ENDING}`), files, lockDirectory);
}

/** One file for whatever plan. */
export function journalsInFile(path: string, lockDirectory?: string): JournalStore {
  const file = resolve(path);
  const files = (): Promise<string[]> => Promise.resolve([file]);
  return journals(() => file, files, lockDirectory);
}

/**
 * Journals as files that only grow, a line a record, each on the disk before it counts. A file holds the journals of
 * one plan, one after the other. While a journal is open, a mark in its folder says so to programs that keep their
 * journals in other places. `root` of a journal is a directory of this machine.
 */
function journals(
  fileOf: (planId: string) => string,
  filesOf: () => Promise<string[]>,
  lockDirectory: string | undefined,
): JournalStore {
  /** By journal: where it is and what it is about. */
  const known = new Map<string, { file: string; root: string }>();

  /**
   * Marks the folder. What the mark of another program points to is only read: a mark may have come with the
   * files, and no journal is followed but one's own.
   */
  async function claim(root: string, file: string, id: string): Promise<void> {
    const mark = await readMark(root);
    if (mark !== null && mark.journal !== file && !(await filesOf()).includes(mark.journal)) {
      const isFile = await isFileUpTo(mark.journal, LARGEST_FOREIGN);
      const there = isFile ? await journalsIn(mark.journal).catch(() => []) : [];
      const open = there.find(({ head }) => head.id === mark.id && head.root === root);
      if (open !== undefined && replayJournal(open).ended === null) throw openByOthers(root, mark.journal);
    }
    await marked(root, () => writeMark(root, file, id));
  }

  const store: JournalStore = {
    hold: (root) => lockFolder(root, lockDirectory),

    async begin(head) {
      const file = fileOf(head.plan.id);
      if ((await journalsIn(file)).some((journal) => journal.head.id === head.id))
        throw failed('conflict', `There is a journal ${head.id} already.`);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // Should it end here, the mark points to a journal that is not there, and nobody minds.
      await claim(head.root, file, head.id);
      await appendLines(file, [{ head }]);
      known.set(head.id, { file, root: head.root });
    },

    async append(id, records) {
      if (!known.has(id)) await store.list();
      const place = known.get(id);
      if (place === undefined) throw failed('not_found', `There is no journal ${id}.`);
      const { file, root } = place;
      const ends = records.at(-1)?.kind === 'end';
      if (records.some(({ kind }) => kind === 'turn')) await claim(root, file, id);
      await appendLines(
        file,
        records.map((record) => ({ of: id, record })),
      );
      await marked(root, () => (ends ? removeMark(root) : touchMark(root)));
    },

    async list(of = {}) {
      const files = of.planId === undefined ? await filesOf() : [fileOf(of.planId)];
      const found: Journal[] = [];
      for (const file of files) {
        for (const journal of await journalsIn(file)) {
          const { id, root, plan } = journal.head;
          known.set(id, { file, root });
          if (of.root !== undefined && of.root !== root) continue;
          if (of.planId === undefined || of.planId === plan.id) found.push(journal);
        }
      }
      return found.sort((a, b) => a.head.started_at - b.head.started_at);
    },
  };
  return store;
}

/** A folder that cannot be marked cannot be renamed in. */
async function marked(root: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFull = isCode(error, 'ENOSPC', 'EDQUOT');
    const remedy = isFull ? 'Free space on its disk, then try again.' : 'Check that the folder may be written.';
    const code = isFull ? 'storage_full' : 'storage_failed';
    throw failed(code, `"${root}" cannot be written: ${messageOf(error)}.`, { remedy });
  }
}

function openByOthers(root: string, journal: string): AccessionError {
  const remedy = `Recover it with the program that began it, or remove "${FOLDER_MARK}" from the folder if that is gone.`;
  const message = `Another program left a rename of "${root}" open; its journal is "${journal}".`;
  return failed('conflict', message, { remedy });
}

async function journalsIn(file: string): Promise<Journal[]> {
  const text = await readTextIfThere(file);
  const found = new Map<string, Journal>();
  const lines = (text ?? '').split('\n');
  // What follows the last line end was being written when the process died, and counts for nothing.
  lines.pop();
  for (const [at, line] of lines.entries()) {
    const { output: read, success } = v.safeParse(LineText, line);
    if (!success) throw damaged(file, at);
    if ('head' in read) found.set(read.head.id, { head: read.head, records: [] });
    else {
      const journal = found.get(read.of);
      if (journal === undefined) throw damaged(file, at);
      journal.records.push(read.record);
    }
  }
  return [...found.values()];
}

function damaged(file: string, at: number): AccessionError {
  const remedy = 'Look at the folder and at this file; move the file away when every file is where it should be.';
  const message = `The journal "${file}" is damaged in line ${at + 1}.`;
  return failed('storage_failed', message, { remedy });
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
