/**
 * Brings a library up to date with its folder.
 *
 *   look through the folder -> known by size and time: kept
 *                           -> content and agents known: its chunks are copied
 *                           -> read by an agent -> a segment of some files -> manifest    (again until all are read)
 *   what is gone is marked dead -> manifest with the time
 *
 * A segment is on the disk before the manifest names it, and the manifest is replaced whole: killed at any instant, each
 * file is in exactly one place, or is read again.
 */
import { joinBytes } from '#core/ingest/bytes.ts';
import { throwIfCancelled } from '#core/cancel.ts';
import { AccessionError, type FailureCode } from '#core/errors.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { SegmentBuilder } from '../index/build-segment.ts';
import { mergeSegments, toMerge } from '../index/merge-segments.ts';
import { openSegment, type KeptFile, type Segment } from '../index/segment.ts';
import type { ReadFile } from '../index/file-record.ts';
import type { SegmentPart } from '../search/library-index.ts';
import { keepLibrary, openLibrary, type Manifest } from './manifest.ts';
import type { IndexingPorts, IndexProgress } from './ports.ts';
import { isReadAsToday, readFile } from './read-file.ts';
import { walkFolder, type Found, type FoundFile } from './walk.ts';

/** What is written at once: so many files, or UTF-16 code units of text, or milliseconds of work. */
const BATCH = { files: 256, length: 4_000_000, ms: 5_000 };

interface Place {
  part: number;
  file: number;
  of: Segment;
  kept: KeptFile;
}

interface OpenPart extends SegmentPart {
  dead: Set<number>;
}

/** Rejects where the folder or the store cannot be read; throws AccessionError `cancelled`, what was read being kept. */
export async function indexFolder(ports: IndexingPorts): Promise<Manifest> {
  const progress: IndexProgress = { phase: 'looking', found: 0, done: 0, read: 0, chunks: 0, path: '' };
  const report = (): void => ports.onProgress?.({ ...progress });
  const turn = async (): Promise<void> => {
    await ports.mayGoOn?.();
    if (ports.cancel) throwIfCancelled(ports.cancel);
  };
  const work = await Work.open(ports);
  report();
  const found = await walkFolder(ports.folder, turn);
  work.dropAllBut(new Set(found.files.map(({ path }) => path)));
  progress.phase = 'reading';
  progress.found = found.files.length;
  try {
    // Agents that come, change or go meanwhile read again what they would have read.
    let registry: IngesterRegistry | null = null;
    while (registry !== ports.registry()) {
      if (registry !== null) await work.commit(found, null);
      registry = ports.registry();
      const waiting: FoundFile[] = [];
      progress.chunks = 0;
      for (const file of found.files) {
        const known = work.unchanged(file);
        if (known === null) waiting.push(file);
        else progress.chunks += known.chunks;
      }
      progress.done = found.files.length - waiting.length;
      const again = new Set(waiting.map(({ path }) => path));
      found.failed = found.failed.filter(({ path }) => !again.has(path));
      report();
      for await (const { file, read } of inOrder(waiting, work, found, turn)) {
        progress.chunks += await work.take(file, read, found);
        progress.done += 1;
        progress.read += 1;
        progress.path = file.path;
        report();
      }
    }
  } catch (thrown) {
    if (thrown instanceof AccessionError && thrown.failure.code === 'cancelled') await work.commit(found, null);
    throw thrown;
  }
  await work.commit(found, ports.clock.now());
  progress.phase = 'done';
  report();
  return work.manifest;
}

/** The files with what was read of them, in their order; as many are read at once as `elsewhere` allows. */
async function* inOrder(
  files: readonly FoundFile[],
  work: Work,
  found: Found,
  turn: () => Promise<void>,
): AsyncGenerator<{ file: FoundFile; read: ReadFile | null }> {
  const atOnce = work.atOnce;
  const begun: Promise<ReadFile | null>[] = [];
  for (const [at, file] of files.entries()) {
    for (let next = at + begun.length; next < Math.min(files.length, at + atOnce); next++) {
      const following = files[next];
      if (following === undefined) break;
      await turn();
      const reading = work.read(following, found);
      // It is waited for in its turn, if it still is.
      reading.catch(() => undefined);
      begun.push(reading);
    }
    yield { file, read: (await begun.shift()) ?? null };
  }
}

class Work {
  readonly #ports: IndexingPorts;
  readonly #parts: OpenPart[];
  readonly #byPath = new Map<string, Place>();
  readonly #byContent = new Map<string, Place>();
  #builder = new SegmentBuilder();
  /** Old places of the files of the segment on its way. */
  #replaced: Place[] = [];
  #begun: number;
  manifest: Manifest;

  /** How many files are read at once. */
  get atOnce(): number {
    return this.#ports.elsewhere?.atOnce ?? 1;
  }

  static async open(ports: IndexingPorts): Promise<Work> {
    const { manifest, index } = await openLibrary(ports.store);
    return new Work(ports, manifest, index.parts);
  }

  constructor(ports: IndexingPorts, manifest: Manifest, parts: readonly SegmentPart[]) {
    this.#ports = ports;
    this.manifest = manifest;
    this.#begun = ports.clock.now();
    this.#parts = parts.map((part) => ({ ...part, dead: new Set(part.dead) }));
    for (const part of this.#parts.keys()) this.#know(part);
  }

  #know(number: number): void {
    const part = this.#parts[number];
    for (const [file, kept] of part?.segment.files.entries() ?? []) {
      if (part === undefined || part.dead.has(file)) continue;
      const place = { part: number, file, of: part.segment, kept };
      this.#byPath.set(kept.path, place);
      this.#byContent.set(kept.sha256, place);
    }
  }

  /** Files that are gone. */
  dropAllBut(paths: ReadonlySet<string>): void {
    for (const [path, place] of this.#byPath) {
      if (paths.has(path)) continue;
      this.#byPath.delete(path);
      this.#parts[place.part]?.dead.add(place.file);
    }
  }

  /** What is known of a file that is the same by size and time, and would be read by the same agents. */
  unchanged({ path, size, modified }: FoundFile): KeptFile | null {
    const known = this.#byPath.get(path)?.kept;
    if (known === undefined || known.size !== size || known.modified !== modified) return null;
    return isReadAsToday(this.#ports.registry(), known) || known.binary ? known : null;
  }

  /** Takes in what was read of a file. Answers how many chunks it has. */
  async take(file: FoundFile, read: ReadFile | null, found: Found): Promise<number> {
    const before = this.#byPath.get(file.path);
    if (read === null) {
      if (before !== undefined) this.#parts[before.part]?.dead.add(before.file);
      return 0;
    }
    this.#builder.add(read);
    if (before !== undefined) this.#replaced.push(before);
    const late = this.#ports.clock.now() - this.#begun > BATCH.ms;
    if (late || this.#builder.files >= BATCH.files || this.#builder.length >= BATCH.length)
      await this.commit(found, null);
    return read.chunks.length;
  }

  /** Reads a file, or copies what is known of its content. Null: it is gone, or cannot be read, which is said in `found`. */
  async read({ path }: FoundFile, found: Found): Promise<ReadFile | null> {
    let bytes;
    try {
      bytes = await this.#ports.folder.read(path);
    } catch (thrown) {
      found.failed.push({
        path,
        why: thrown instanceof AccessionError ? thrown.failure.message : 'It cannot be read.',
      });
      return null;
    }
    // Gone since the folder was looked through.
    if (bytes === null) return null;
    const known = { path, modified: bytes.modified, sha256: await this.#ports.hash(bytes.bytes) };
    const same = this.#byContent.get(known.sha256);
    if (same !== undefined && !same.kept.binary && isReadAsToday(this.#ports.registry(), same.kept)) {
      // A copy under another kind of name is read by another agent.
      if (endingOf(same.kept.path) === endingOf(path)) return { ...same.of.read(same.kept), ...known };
    }
    const elsewhere = this.#ports.elsewhere;
    let read;
    try {
      read = await (elsewhere === undefined
        ? readFile(this.#ports, known, bytes.bytes)
        : elsewhere.read(known, bytes.bytes));
    } catch (thrown) {
      if (!(thrown instanceof AccessionError) || ENDS.has(thrown.failure.code)) throw thrown;
      found.failed.push({ path, why: thrown.failure.message });
      return null;
    }
    return read ?? { ...BINARY, ...known, size: bytes.bytes.length };
  }

  /** Writes what was read, and what the library consists of. `completed`: when the folder was looked through to the end. */
  async commit(found: Found, completed: number | null): Promise<void> {
    const { store, ids, clock } = this.#ports;
    if (this.#builder.files > 0) {
      const id = ids.next();
      const pieces = this.#builder.pack();
      await store.writeSegment(id, pieces);
      for (const { part, file } of this.#replaced) this.#parts[part]?.dead.add(file);
      this.#parts.push({ id, segment: openSegment(joinBytes(pieces).buffer), dead: new Set() });
      this.#know(this.#parts.length - 1);
      this.#builder = new SegmentBuilder();
      this.#replaced = [];
    }
    await this.#merge(completed !== null);
    const leftOut = Object.fromEntries(found.leftOut);
    const binary = [...this.#byPath.values()].filter(({ kept }) => kept.binary).length;
    if (binary > 0) leftOut['binary'] = binary;
    this.manifest = await keepLibrary(store, this.#parts, {
      leftOut,
      failed: found.failed,
      completed: completed ?? this.manifest.completed,
      ...(this.manifest.vectors === undefined ? {} : { vectors: this.manifest.vectors }),
    });
    this.#begun = clock.now();
  }

  /** Small segments become one, so that a question asks few. */
  async #merge(atEnd: boolean): Promise<void> {
    for (let chosen = toMerge(this.#parts, atEnd); chosen.length > 0; chosen = toMerge(this.#parts, atEnd)) {
      const parts = chosen.flatMap((number) => this.#parts[number] ?? []);
      const pieces = mergeSegments(parts);
      const id = this.#ports.ids.next();
      await this.#ports.store.writeSegment(id, pieces);
      const rest = this.#parts.filter((_, number) => !chosen.includes(number));
      this.#parts.splice(0, Infinity, ...rest, { id, segment: openSegment(joinBytes(pieces).buffer), dead: new Set() });
      this.#byPath.clear();
      this.#byContent.clear();
      for (const number of this.#parts.keys()) this.#know(number);
    }
  }
}

/** Failures that are no file's own. */
const ENDS: ReadonlySet<FailureCode> = new Set<FailureCode>(['cancelled', 'offline']);

/** A file that is no text: it is remembered, so that it is not read again. */
const BINARY = {
  ...{ agentId: '', agentKey: '', capability: '', language: '', encoding: '', binary: true },
  ...{ warnings: [], text: '', chunks: [] },
};

const endingOf = (path: string): string => /[^./]*$/.exec(path.toLowerCase())?.[0] ?? '';
