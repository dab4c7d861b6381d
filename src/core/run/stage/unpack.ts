import { AccessionError, toFailure } from '../../errors.ts';
import type { ArchiveItem, OpenArchive, ArchiveEntry } from '../../ingest/archive.types.ts';
import type { Expansion } from '../../ingest/limits.ts';
import { archivePlaces, baseName, insideGzip, withoutArchive } from '../../ingest/paths.ts';
import type { BatchArchive } from '../../job/job.ts';
import { isLocal } from '../ports.ts';
import { contextStep } from './look.ts';
import type { Incoming, StagePorts } from './ports.ts';
import { refill } from './refill.ts';
import type { TakenFile } from './rows.ts';
import { takeFile } from './take-file.ts';
import type { StageRun } from './stage-run.ts';
import { joinBytes } from '../../ingest/bytes.ts';
import { HEAD_BYTES, sniff } from '../../ingest/sniff.ts';
import type { Cancel } from '../../ports.ts';

/** An entry of an archive on its way in. Throws what reading the entry throws (`archive_*`) from `kind` and `chunks`. */
function entryFile(path: string, entry: ArchiveEntry, from: string, cancel: Cancel): Incoming {
  const source = entry.chunks(cancel)[Symbol.asyncIterator]();
  const peeked: Uint8Array[] = [];
  return {
    path,
    name: baseName(path),
    size: entry.size,
    from,
    repairs: entry.repairs,
    async kind() {
      let length = 0;
      while (length < HEAD_BYTES) {
        const next = await source.next();
        if (next.done === true) break;
        // The reader may use its buffer again.
        peeked.push(next.value.slice());
        length += next.value.length;
      }
      return sniff(joinBytes(peeked).subarray(0, HEAD_BYTES));
    },
    async *chunks() {
      yield* peeked.splice(0);
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    },
    async release() {
      await source.return?.();
    },
  };
}

/** An entry with its place in the batch. */
interface PlacedItem {
  path: string;
  item: ArchiveItem;
}

/**
 * Takes in the entries of every archive of the batch that is not done, archives inside them as they turn up.
 * What is a row already (before a reload) is left alone.
 */
export async function unpackAll(run: StageRun): Promise<void> {
  for (;;) {
    const archives = await run.rows.archives();
    const next = archives.find((archive) => !archive.done && archive.error === undefined);
    if (next === undefined) return;
    await unpack(run, next, archives);
  }
}

async function unpack(run: StageRun, archive: BatchArchive, all: readonly BatchArchive[]): Promise<void> {
  const { ports, rows } = run;
  const name = baseName(archive.path);
  let opened: OpenArchive;
  try {
    opened = await openStaged(run, archive, all);
  } catch (error) {
    const file = { path: archive.path, name, size: (await ports.blobs.size(archive.sha256)) ?? 0, sha256: null };
    const why = { ...toFailure(error, name), subject: name };
    if (why.code === 'cancelled') throw error;
    if (isLocal(why) && ports.onLocalFailure(why) === 'stop') throw error;
    const steps = [contextStep({ ...file, from: null }, archive.kind ?? 'zip', 'zip-ingester')];
    await rows.failArchive(archive.path, { ...file, steps }, why);
    await freeArchive(ports, archive.sha256);
    return;
  }
  const items = placed(archive, opened);
  try {
    await rows.countEntries(archive.path, items.length);
    const done = await rows.taken();
    const retake = run.again?.path === archive.path ? run.again.retake : null;
    const takes = (path: string): boolean => retake?.has(path) === true || !done.has(path);
    const expected = run.listed.delete(archive.path);
    if (!expected)
      run.reading.expect(items.reduce((sum, { path, item }) => sum + (item.ok && takes(path) ? item.size : 0), 0));
    for (const placedItem of items) {
      const { path } = placedItem;
      // Somebody cancelled the archive's job.
      if (archive.job_id !== undefined && (await rows.archive(archive.path))?.error !== undefined) return;
      if (takes(path)) await takeItem(run, placedItem, archive.path, retake?.get(path));
      else if (run.refill) await refillItem(run, placedItem, archive.path);
    }
  } finally {
    await opened.close();
  }
  const kept = await rows.closeArchive(archive.path, new Set(items.map(({ path }) => path)));
  if (!kept) await freeArchive(ports, archive.sha256);
}

/** Lists an archive of a batch under the limits that it shares with the one that was dropped. */
export async function openStaged(
  run: StageRun,
  archive: BatchArchive,
  all: readonly BatchArchive[],
): Promise<OpenArchive> {
  const { ports } = run;
  const around = archivesAround(archive, all);
  const outermost = around.at(-1) ?? archive;
  const used = run.expansions.get(outermost.path) ?? (await unused(ports, outermost));
  run.expansions.set(outermost.path, used);
  const { password } = run.again?.path === archive.path ? run.again : {};
  return ports.openArchive(archive.sha256, {
    name: baseName(archive.path),
    limits: run.limits,
    depth: depthOf([archive, ...around]),
    used,
    ...(password === undefined ? {} : { password }),
  });
}

async function unused({ blobs }: Pick<StagePorts, 'blobs'>, archive: BatchArchive): Promise<Expansion> {
  return { entries: 0, bytes: 0, packed: (await blobs.size(archive.sha256)) ?? 0 };
}

/** From the one it lies in to the one that was dropped. */
function archivesAround(archive: BatchArchive, all: readonly BatchArchive[]): BatchArchive[] {
  const around: BatchArchive[] = [];
  let next = all.find((one) => one.path === archive.inside);
  while (next !== undefined && !around.includes(next)) {
    around.push(next);
    const { inside } = next;
    next = inside === undefined ? undefined : all.find((one) => one.path === inside);
  }
  return around;
}

/** How many archives lie around a file, from the innermost: a TAR in a gzip is one archive to those who made it. */
function depthOf(chain: readonly BatchArchive[]): number {
  return chain.filter(({ kind }, i) => kind !== 'gzip' || chain[i - 1]?.kind !== 'tar').length;
}

/** Where each entry lies in the batch. An archive inside may not share its folder with entries beside it. */
export function placed(archive: Pick<BatchArchive, 'path'>, { kind, items }: OpenArchive): PlacedItem[] {
  if (kind === 'gzip') return items.map((item) => ({ path: insideGzip(archive.path), item }));
  const folder = withoutArchive(archive.path);
  const isArchive = ({ path }: ArchiveItem): boolean => withoutArchive(path) !== path;
  const place = archivePlaces(items.filter((item) => !isArchive(item)).map(({ path }) => path));
  return items.map((item) => ({ path: `${folder}/${isArchive(item) ? place(item.path) : item.path}`, item }));
}

async function takeItem(
  run: StageRun,
  { path, item }: PlacedItem,
  inside: string,
  replaces: string | undefined,
): Promise<void> {
  const archive = baseName(inside);
  const again = replaces === undefined ? {} : { replaces };
  if (item.ok) return takeFile(run, { ...entryFile(path, item, archive, run.cancel), inside, ...again });
  const file = { path, name: item.name, size: item.size, sha256: null, replaces };
  const steps = [contextStep({ ...file, from: archive }, null, null)];
  const own = run.ports.archivesAreJobs ? { archive: inside } : {};
  await run.rows.takeFailed({ ...file, ...own, steps }, item.failure);
}

async function refillItem(run: StageRun, { path, item }: PlacedItem, inside: string): Promise<void> {
  if (item.ok) await refill(run, { ...entryFile(path, item, baseName(inside), run.cancel), inside });
}

/** An archive's blob goes when no batch needs it any more: the same one may be dropped twice. */
export async function freeArchive(ports: Pick<StagePorts, 'store' | 'blobs'>, sha256: string): Promise<void> {
  const needs = (archive: BatchArchive): boolean =>
    archive.sha256 === sha256 && (!archive.done || archive.waiting !== undefined);
  const batches = [...(await ports.store.batches('staging')), ...(await ports.store.batches('staged'))];
  if (!batches.some((batch) => batch.archives.some(needs))) await ports.blobs.delete(sha256);
}

/** The entries of the batch's open archives that are no rows yet, for cancelling; an archive that cannot be listed counts as itself. */
export async function untakenEntries(run: StageRun, done: ReadonlySet<string>): Promise<TakenFile[]> {
  const archives = await run.rows.archives();
  const rest: TakenFile[] = [];
  for (const archive of archives.filter((one) => !one.done)) {
    const { path: at, sha256 } = archive;
    try {
      const opened = await openStaged({ ...run, expansions: new Map() }, archive, archives);
      for (const { path, item } of placed(archive, opened)) {
        if (!done.has(path)) rest.push(untaken(path, item.ok ? baseName(path) : item.name, item.size, baseName(at)));
      }
      await opened.close();
    } catch (error) {
      if (!(error instanceof AccessionError)) throw error;
      rest.push(untaken(at, baseName(at), (await run.ports.blobs.size(sha256)) ?? 0, null));
    }
  }
  return rest;
}

/** A file that is not taken in, as its row says it. */
export function untaken(path: string, name: string, size: number, from: string | null): TakenFile {
  return { path, name, size, sha256: null, steps: [contextStep({ path, name, size, from }, null, null)] };
}
