import { AccessionError, toFailure } from '#core/errors.ts';
import { baseName, withoutZip } from '#core/ingest/paths.ts';
import type { BatchArchive } from '#core/job/job.ts';
import { openArchive, type ArchiveEntry, type ArchiveRefusal, type OpenArchive } from '../../media/zip.ts';
import type { StageDeps, StageRun } from './context.ts';
import { entryFile } from './incoming.ts';
import { freeArchivePath } from './plan.ts';
import { closeArchive, countEntries, takeFailed, takenPaths, type TakenFile } from './rows.ts';
import { contextStep, takeFile } from './take-file.ts';

/**
 * Takes in the entries of every archive of the batch that is not done, ZIPs inside ZIPs as they turn up.
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
    opened = await open(deps, run, archive, all);
  } catch (error) {
    const file = { path: archive.path, name, size: (await deps.blobs.size(archive.sha256)) ?? 0, sha256: null };
    const why = { ...toFailure(error, name), subject: name };
    if (why.code === 'cancelled') throw error;
    await closeArchive(deps, run.batchId, archive.path, {
      file: { ...file, steps: [contextStep({ ...file, from: null }, 'zip', 'zip-ingester')] },
      why,
    });
    await freeArchive(deps, archive.sha256);
    return;
  }
  try {
    await countEntries(deps, run.batchId, archive.path, opened.items.length);
    const done = await takenPaths(deps, run.batchId);
    for (const { path, item } of placed(archive, opened.items)) {
      if (!done.has(path)) await takeItem(deps, run, path, item, name);
    }
  } finally {
    await opened.close();
  }
  await closeArchive(deps, run.batchId, archive.path);
  await freeArchive(deps, archive.sha256);
}

/** Lists an archive under the limits that it shares with the one that was dropped. */
async function open(
  deps: StageDeps,
  run: StageRun,
  archive: BatchArchive,
  all: readonly BatchArchive[],
): Promise<OpenArchive> {
  const around = all.filter((one) => one !== archive && archive.path.startsWith(`${withoutZip(one.path)}/`));
  const outermost = around.reduce((a, b) => (b.path.length < a.path.length ? b : a), archive);
  const used = run.expansions.get(outermost.path) ?? { entries: 0, bytes: 0 };
  run.expansions.set(outermost.path, used);
  const blob = await deps.blobs.file(archive.sha256);
  return openArchive(blob, { name: baseName(archive.path), limits: run.limits, depth: around.length + 1, used });
}

/** Where each entry lies in the batch. A ZIP inside may not share its folder with entries beside it. */
function placed(
  archive: BatchArchive,
  items: OpenArchive['items'],
): { path: string; item: ArchiveEntry | ArchiveRefusal }[] {
  const folder = withoutZip(archive.path);
  return items.map((item) => {
    const inner =
      withoutZip(item.path) === item.path
        ? item.path
        : freeArchivePath(item.path, (taken) => items.some((one) => one.path.startsWith(`${taken}/`)));
    return { path: `${folder}/${inner}`, item };
  });
}

async function takeItem(
  deps: StageDeps,
  run: StageRun,
  path: string,
  item: ArchiveEntry | ArchiveRefusal,
  archive: string,
): Promise<void> {
  if (item.ok) return takeFile(deps, run, entryFile(path, item, archive, run.cancel));
  const file = { path, name: item.name, size: item.size, sha256: null };
  await takeFailed(
    deps,
    run.batchId,
    { ...file, steps: [contextStep({ ...file, from: archive }, null, null)] },
    item.failure,
  );
}

/** An archive's blob goes when no batch needs it any more: the same one may be dropped twice. */
async function freeArchive(deps: StageDeps, sha256: string): Promise<void> {
  const staging = await deps.db.batches.where('state').equals('staging').toArray();
  const needed = staging.some((batch) => batch.archives.some((archive) => !archive.done && archive.sha256 === sha256));
  if (!needed) await deps.blobs.delete(sha256);
}

/** The entries of the batch's open archives that are no rows yet, for cancelling; an archive that cannot be listed counts as itself. */
export async function untakenEntries(deps: StageDeps, run: StageRun, done: ReadonlySet<string>): Promise<TakenFile[]> {
  const archives = (await deps.db.batches.get(run.batchId))?.archives ?? [];
  const rest: TakenFile[] = [];
  for (const archive of archives.filter((one) => !one.done)) {
    try {
      const opened = await open(deps, { ...run, expansions: new Map() }, archive, archives);
      for (const { path, item } of placed(archive, opened.items)) {
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
