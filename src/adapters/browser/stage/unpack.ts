import { AccessionError, toFailure } from '#core/errors.ts';
import { archivePlaces, baseName, insideGzip, withoutArchive } from '#core/ingest/paths.ts';
import type { Expansion } from '#core/ingest/limits.ts';
import type { BatchArchive } from '#core/job/job.ts';
import type { ArchiveItem, OpenArchive } from '../../media/archive/archive.types.ts';
import { openArchive } from '../../media/archive/open.ts';
import type { StageDeps, StageRun } from './context.ts';
import { entryFile } from './incoming.ts';
import { contextStep } from './look.ts';
import { closeArchive, countEntries, takeFailed, takenPaths, type TakenFile } from './rows.ts';
import { takeFile } from './take-file.ts';

/** An entry with its place in the batch. */
export interface PlacedItem {
  path: string;
  item: ArchiveItem;
}

/**
 * Takes in the entries of every archive of the batch that is not done, archives inside them as they turn up.
 * What is a row already (before a reload) is left alone.
 */
export async function unpackAll(deps: StageDeps, run: StageRun): Promise<void> {
  for (;;) {
    const archives = (await deps.db.batches.get(run.batchId))?.archives ?? [];
    const next = archives.find((archive) => !archive.done);
    if (next === undefined) return;
    await unpack(deps, run, next, archives);
  }
}

async function unpack(
  deps: StageDeps,
  run: StageRun,
  archive: BatchArchive,
  all: readonly BatchArchive[],
): Promise<void> {
  const name = baseName(archive.path);
  let opened: OpenArchive;
  try {
    opened = await openStaged(deps, run, archive, all);
  } catch (error) {
    const file = { path: archive.path, name, size: (await deps.blobs.size(archive.sha256)) ?? 0, sha256: null };
    const why = { ...toFailure(error, name), subject: name };
    if (why.code === 'cancelled') throw error;
    const steps = [contextStep({ ...file, from: null }, archive.kind ?? 'zip', 'zip-ingester')];
    await closeArchive(deps, run.batchId, archive.path, { failed: { file: { ...file, steps }, why } });
    await freeArchive(deps, archive.sha256);
    return;
  }
  const items = placed(archive, opened);
  try {
    await countEntries(deps, run.batchId, archive.path, items.length);
    const done = await takenPaths(deps, run.batchId);
    const retake = run.again?.path === archive.path ? run.again.retake : null;
    const takes = (path: string): boolean => retake?.has(path) === true || !done.has(path);
    const expected = run.listed.delete(archive.path);
    if (!expected)
      run.reading.expect(items.reduce((sum, { path, item }) => sum + (item.ok && takes(path) ? item.size : 0), 0));
    for (const { path, item } of items) {
      const replaces = retake?.get(path);
      if (replaces !== undefined || !done.has(path)) await takeItem(deps, run, { path, item }, archive.path, replaces);
    }
  } finally {
    await opened.close();
  }
  const paths = new Set(items.map(({ path }) => path));
  const kept = await closeArchive(deps, run.batchId, archive.path, { paths });
  if (!kept) await freeArchive(deps, archive.sha256);
}

/** Lists an archive of a batch under the limits that it shares with the one that was dropped. */
export async function openStaged(
  deps: Pick<StageDeps, 'blobs'>,
  run: StageRun,
  archive: BatchArchive,
  all: readonly BatchArchive[],
): Promise<OpenArchive> {
  const around = archivesAround(archive, all);
  const outermost = around.at(-1) ?? archive;
  const used = run.expansions.get(outermost.path) ?? (await unused(deps, outermost));
  run.expansions.set(outermost.path, used);
  const blob = await deps.blobs.file(archive.sha256);
  const { password } = run.again?.path === archive.path ? run.again : {};
  return openArchive(blob, {
    name: baseName(archive.path),
    limits: run.limits,
    depth: depthOf([archive, ...around]),
    used,
    ...(password === undefined ? {} : { password }),
  });
}

async function unused({ blobs }: Pick<StageDeps, 'blobs'>, archive: BatchArchive): Promise<Expansion> {
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
export function placed(archive: BatchArchive, { kind, items }: OpenArchive): PlacedItem[] {
  if (kind === 'gzip') return items.map((item) => ({ path: insideGzip(archive.path), item }));
  const folder = withoutArchive(archive.path);
  const isArchive = ({ path }: ArchiveItem): boolean => withoutArchive(path) !== path;
  const place = archivePlaces(items.filter((item) => !isArchive(item)).map(({ path }) => path));
  return items.map((item) => ({ path: `${folder}/${isArchive(item) ? place(item.path) : item.path}`, item }));
}

async function takeItem(
  deps: StageDeps,
  run: StageRun,
  { path, item }: PlacedItem,
  inside: string,
  replaces: string | undefined,
): Promise<void> {
  const archive = baseName(inside);
  const again = replaces === undefined ? {} : { replaces };
  if (item.ok) return takeFile(deps, run, { ...entryFile(path, item, archive, run.cancel), inside, ...again });
  const file = { path, name: item.name, size: item.size, sha256: null, ...again };
  const steps = [contextStep({ ...file, from: archive }, null, null)];
  await takeFailed(deps, run.batchId, { ...file, steps }, item.failure);
}

/** An archive's blob goes when no batch needs it any more: the same one may be dropped twice. */
export async function freeArchive(deps: Pick<StageDeps, 'db' | 'blobs'>, sha256: string): Promise<void> {
  const needs = (archive: BatchArchive): boolean =>
    archive.sha256 === sha256 && (!archive.done || archive.waiting !== undefined);
  const needed = await deps.db.batches.filter((batch) => batch.archives.some(needs)).count();
  if (needed === 0) await deps.blobs.delete(sha256);
}

/** The entries of the batch's open archives that are no rows yet, for cancelling; an archive that cannot be listed counts as itself. */
export async function untakenEntries(deps: StageDeps, run: StageRun, done: ReadonlySet<string>): Promise<TakenFile[]> {
  const archives = (await deps.db.batches.get(run.batchId))?.archives ?? [];
  const rest: TakenFile[] = [];
  for (const archive of archives.filter((one) => !one.done)) {
    try {
      const opened = await openStaged(deps, { ...run, expansions: new Map() }, archive, archives);
      for (const { path, item } of placed(archive, opened)) {
        if (!done.has(path))
          rest.push(untaken(path, item.ok ? baseName(path) : item.name, item.size, baseName(archive.path)));
      }
      await opened.close();
    } catch (error) {
      if (!(error instanceof AccessionError)) throw error;
      rest.push(untaken(archive.path, baseName(archive.path), (await deps.blobs.size(archive.sha256)) ?? 0, null));
    }
  }
  return rest;
}

/** A file that is not taken in, as its row says it. */
export function untaken(path: string, name: string, size: number, from: string | null): TakenFile {
  return { path, name, size, sha256: null, steps: [contextStep({ path, name, size, from }, null, null)] };
}
