/**
 * Brings the rows of a folder up to date with its files.
 *
 *   look through the folder -> known by size and time: kept
 *                           -> content and agents known: its rows are made of what is kept
 *                           -> read by an agent -> some files in one transaction    (again until all are read)
 *   the folder is still there -> what is gone is taken away
 *
 * A file's rows come and go in one transaction, which also holds the lease: killed at any instant, each file is there
 * once, as it was or as it is, and whoever takes the folder next goes on.
 */
import { throwIfCancelled } from '#core/cancel.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { AccessionError, isCode } from '#core/errors.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import type { ReadFile } from '#lanes/library/core/index/file-record.ts';
import { isReadAsToday, readFile } from '#lanes/library/core/indexing/read-file.ts';
import { walkFolder, type Found, type FoundFile } from '#lanes/library/core/indexing/walk.ts';
import { databaseFailure } from '#server/store/database-failure.ts';
import { chunks } from '#server/store/rows.ts';
import type { Store } from '#server/store/store.ts';
import { bufferOf } from './buffer-of.ts';
import { fillFolderVectors } from './fill-folder-vectors.ts';
import { finishFolder, holdFolder, type Lease } from './leases.ts';
import { binaryFile, failedFile, prepareFile, type PreparedFile } from './prepare-file.ts';
import type { LibraryFileTable } from './tables.ts';
import { changeFiles } from './write-files.ts';

/** What is written at once: so many pieces, or files, or milliseconds of work. Others write to the database, too. */
const BATCH = { pieces: 60, files: 100, ms: 2_000 };

/** UTF-16 code units: what an index of PostgreSQL takes, whatever the script. */
const LONGEST_PATH = 800;

export interface ServerIndexing extends Omit<IndexingPorts, 'store' | 'onProgress' | 'mayGoOn'> {
  store: Store;
  everyMs: number;
  mostFiles: number;
  /** Makes vectors of what is read; absent or null: there is no model for them. */
  embedder?: Embedder | null | undefined;
  /** What went wrong and keeps nothing up, a sentence. */
  say(line: string): void;
}

type Known = Pick<
  LibraryFileTable,
  'id' | 'path' | 'size' | 'modified' | 'sha256' | 'agent_id' | 'agent_key' | 'capability' | 'no_text' | 'failed'
>;

/**
 * One run over a folder that is held; it is given back at the end, with why where it came to nothing. Rejects where the
 * database cannot be written, and with `cancelled` where the run is stopped or another process holds the folder.
 */
export async function indexServerFolder(ports: ServerIndexing, lease: Lease): Promise<void> {
  const finish = (said: Parameters<typeof finishFolder>[4]): Promise<void> =>
    ports.store.write((tx) => finishFolder(tx, lease, ports.clock, ports.everyMs, said));
  try {
    const run = await Run.begin(ports, lease);
    await run.readAll();
    await fillVectors(ports, lease);
    const completed_at = ports.clock.now();
    await finish({ completed_at, error: null, left_out: JSON.stringify(await run.leftOut()) });
  } catch (thrown) {
    if (thrown instanceof AccessionError && thrown.failure.code === 'cancelled') throw thrown;
    const database = databaseFailure(thrown);
    if (database === null || database.kind === 'full')
      await finish({ error: sentenceOf(thrown) }).catch(() => undefined);
    throw thrown;
  }
}

/** A model that fails leaves the folder as it is found by words; what is missing is asked for at the next run. */
async function fillVectors({ embedder, ...ports }: ServerIndexing, lease: Lease): Promise<void> {
  if (!embedder) return;
  try {
    await fillFolderVectors({ ...ports, embedder }, lease);
  } catch (thrown) {
    if (!(thrown instanceof AccessionError) || thrown.failure.code === 'cancelled') throw thrown;
    ports.say(`${lease.folder.name}: its vectors could not all be made: ${thrown.failure.message}`);
  }
}

/** For people who read the folder: without its path on the server. */
function sentenceOf(thrown: unknown): string {
  if (databaseFailure(thrown)?.kind === 'full' || isCode(thrown, 'ENOSPC', 'EDQUOT'))
    return 'The server has no space left for the index of this folder. What was read is kept, and it goes on by itself.';
  if (isCode(thrown, 'ENOENT', 'ENOTDIR'))
    return 'The folder is not there on the server. What was read before is kept.';
  if (isCode(thrown, 'EACCES', 'EPERM')) return 'The server may not read the folder. What was read before is kept.';
  return `The folder could not be read (${thrown instanceof AccessionError ? thrown.failure.message : 'unforeseen'}). What was read before is kept.`;
}

class Run {
  readonly #ports: ServerIndexing;
  readonly #lease: Lease;
  readonly #known: ReadonlyMap<string, Known>;
  readonly #byContent = new Map<string, Known>();
  #found: Found = { files: [], leftOut: new Map(), failed: [] };
  #waiting: PreparedFile[] = [];
  #pieces = 0;
  #begun: number;
  #done = 0;
  #reading = '';

  static async begin(ports: ServerIndexing, lease: Lease): Promise<Run> {
    const rows = await ports.store.db
      .selectFrom('library_files')
      .select(['id', 'path', 'size', 'modified', 'sha256', 'agent_id', 'agent_key', 'capability', 'no_text', 'failed'])
      .where('folder_id', '=', lease.folder.id)
      .execute();
    return new Run(ports, lease, rows);
  }

  constructor(ports: ServerIndexing, lease: Lease, known: readonly Known[]) {
    this.#ports = ports;
    this.#lease = lease;
    this.#known = new Map(known.map((row) => [row.path, row]));
    for (const row of known) if (row.sha256 !== '' && row.no_text === 0) this.#byContent.set(row.sha256, row);
    this.#begun = ports.clock.now();
  }

  async readAll(): Promise<void> {
    const found = await this.#look();
    const seen = new Set(found.files.map(({ path }) => path));
    const toRead = found.files.filter((file) => !this.#isUnchanged(file));
    this.#done = found.files.length - toRead.length;
    for (const { path, why } of found.failed) {
      seen.add(path);
      if (this.#known.get(path)?.failed !== why) this.#waiting.push(failedFile(path, why));
    }
    await this.#write();
    for (const file of toRead) {
      this.#turn();
      const read = await this.#read(file);
      if (read === null) seen.delete(file.path);
      else await this.#take(read);
      this.#done += 1;
      this.#reading = file.path;
    }
    await this.#write();
    // A folder that is gone as a whole (a disk that was taken away) keeps what was read of it.
    await this.#ports.folder.list('');
    const gone = [...this.#known.values()].filter(({ path }) => !seen.has(path)).map(({ id }) => id);
    for (const part of chunks(gone, 1, BATCH.files)) await this.#change({ put: [], gone: part });
  }

  /** What was left out, by reason. */
  async leftOut(): Promise<Record<string, number>> {
    const binary = await this.#ports.store.db
      .selectFrom('library_files')
      .select((eb) => eb.fn.countAll().as('files'))
      .where('folder_id', '=', this.#lease.folder.id)
      .where('no_text', '=', 1)
      .executeTakeFirst();
    const all = Object.fromEntries(this.#found.leftOut);
    return Number(binary?.files ?? 0) === 0 ? all : { ...all, binary: Number(binary?.files) };
  }

  async #look(): Promise<Found> {
    const found = await walkFolder(this.#ports.folder, () => {
      this.#turn();
      return this.#holdOn();
    });
    const { mostFiles } = this.#ports;
    const long = found.files.filter(({ path }) => path.length > LONGEST_PATH);
    found.files = found.files.filter(({ path }) => path.length <= LONGEST_PATH);
    for (const { path } of long) found.failed.push({ path: path.slice(0, LONGEST_PATH), why: 'Its path is too long.' });
    const beyond = found.files.splice(mostFiles);
    if (beyond.length > 0)
      found.failed.push({
        path: beyond[0]?.path ?? '',
        why: `The folder has more than ${mostFiles} files: this one and ${beyond.length - 1} behind it are left out.`,
      });
    this.#found = found;
    return found;
  }

  #turn(): void {
    if (this.#ports.cancel) throwIfCancelled(this.#ports.cancel);
  }

  #isUnchanged({ path, size, modified }: FoundFile): boolean {
    const known = this.#known.get(path);
    if (known === undefined || known.failed !== null || known.size !== size || known.modified !== modified)
      return false;
    return known.no_text === 1 || this.#isReadAsToday(known);
  }

  #isReadAsToday({ capability, agent_id, agent_key }: Known): boolean {
    return isReadAsToday(this.#ports.registry(), { capability, agentId: agent_id, agentKey: agent_key });
  }

  /** Null where the file is gone since the folder was looked through. */
  async #read({ path }: FoundFile): Promise<PreparedFile | null> {
    const { folder, hash } = this.#ports;
    try {
      const bytes = await folder.read(path);
      if (bytes === null) return null;
      const file = { path, modified: bytes.modified, sha256: await hash(bytes.bytes) };
      const copy = await this.#copy(file);
      if (copy !== null) return prepareFile(copy);
      const read = await readFile(this.#ports, file, bytes.bytes);
      return read === null ? binaryFile({ ...file, size: bytes.bytes.length }) : prepareFile(read);
    } catch (thrown) {
      if (thrown instanceof AccessionError && thrown.failure.code === 'cancelled') throw thrown;
      if (databaseFailure(thrown) !== null) throw thrown;
      return failedFile(path, whyOf(thrown));
    }
  }

  /** What is known of the same content under the same kind of name. */
  async #copy(file: { path: string; modified: number; sha256: string }): Promise<ReadFile | null> {
    const same = this.#byContent.get(file.sha256);
    if (same === undefined || endingOf(same.path) !== endingOf(file.path) || !this.#isReadAsToday(same)) return null;
    const row = await this.#ports.store.db
      .selectFrom('library_texts')
      .select('segment')
      .where('file_id', '=', same.id)
      .executeTakeFirst();
    if (row === undefined) return null;
    const segment = openSegment(bufferOf(row.segment));
    const kept = segment.files[0];
    return kept === undefined ? null : { ...segment.read(kept), ...file };
  }

  async #take(file: PreparedFile): Promise<void> {
    this.#waiting.push(file);
    this.#pieces += file.pieces.length;
    const late = this.#ports.clock.now() - this.#begun > BATCH.ms;
    if (late || this.#pieces >= BATCH.pieces || this.#waiting.length >= BATCH.files) await this.#write();
  }

  async #write(): Promise<void> {
    const put = this.#waiting;
    this.#waiting = [];
    this.#pieces = 0;
    await this.#change({ put });
  }

  async #holdOn(): Promise<void> {
    if (this.#ports.clock.now() - this.#begun > BATCH.ms) await this.#change({ put: [] });
  }

  async #change(change: Parameters<typeof changeFiles>[2]): Promise<void> {
    const { store, clock } = this.#ports;
    const said = { found: this.#found.files.length, done: this.#done, reading: this.#reading };
    await store.write(async (tx) => {
      await holdFolder(tx, this.#lease, clock, said);
      if (change.put.length > 0 || change.gone !== undefined) await changeFiles(tx, this.#lease.folder.id, change);
    });
    this.#begun = clock.now();
  }
}

const endingOf = (path: string): string => /[^./]*$/.exec(path.toLowerCase())?.[0] ?? '';

function whyOf(thrown: unknown): string {
  if (thrown instanceof AccessionError) return thrown.failure.message;
  if (isCode(thrown, 'EACCES', 'EPERM')) return 'The server may not read it.';
  // Its words would name the folder's place on the server.
  const code = thrown instanceof Error && 'code' in thrown ? ` (${String(thrown.code)})` : '';
  return `It cannot be read${code}.`;
}
