/**
 * Takes drops in. One tab stages a batch at a time (a lock by batch); every step is written before the next.
 *
 *   drop -> batch (staging) -> each file: blob, then its rows -> each archive: its entries likewise -> staged
 *             |  reload: archives are unpacked on, loose files that never arrived are said
 *             +- cancelled: what is left becomes cancelled rows -> staged
 *   staged -> reopened with a password, or when there is space: what waits in an archive is taken -> staged
 */
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import type { AlbumWithTracks } from '#core/music/catalog.ts';
import { baseName } from '#core/ingest/paths.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { DropContext, DroppedFile, Reopening, StageApi } from './api.ts';
import type { Reopened, StageDeps, StageRun } from './stage/context.ts';
import { DEMO_NAMES } from './stage/demo-names.ts';
import { looseFile } from './stage/incoming.ts';
import { planLabel, planPaths, type Planned } from '#core/ingest/plan-paths.ts';
import { readingOf } from './stage/reading-of.ts';
import { lookAgain } from './stage/reopen.ts';
import {
  askToCancel,
  cancelRest,
  createBatch,
  finishBatch,
  forgetWaiting,
  reopenArchive,
  takenPaths,
  waitingJobs,
} from './stage/rows.ts';
import { takeFile } from './stage/take-file.ts';
import { freeArchive, unpackAll, untaken, untakenEntries } from './stage/unpack.ts';

export function createStage(deps: StageDeps): StageApi {
  /** Batches that this tab stages now. */
  const running = new Map<string, { cancel: { aborted: boolean }; done: Promise<void> }>();

  async function stage(
    files: DroppedFile[],
    context: DropContext,
    label?: string,
    demo = false,
  ): Promise<Result<{ batch_id: string }>> {
    if (files.length === 0) return fail(failure('invalid', 'Nothing was dropped.'));
    if (context.type === 'DOWNLOAD_REQUEST' && context.id === null)
      return fail(failure('invalid', 'Choose the download request to fulfill first.'));
    try {
      const plan = planPaths(files);
      const id = deps.ids.next();
      // Held before the row is there: who goes on with unfinished batches would find this one, and end it as empty.
      await deps.locks.run(id, async () => {
        await createBatch(deps, {
          id,
          label: label ?? planLabel(plan),
          context_type: context.type,
          context_id: context.type === 'DOWNLOAD_REQUEST' ? context.id : null,
          total: plan.length,
          demo,
        });
        await takeBatch(id, plan);
      });
      return ok({ batch_id: id });
    } catch (error) {
      return fail(toFailure(error));
    }
  }

  /** Runs one batch to its end under its lock; a cancelled one ends as cancelled rows. */
  async function takeBatch(batchId: string, plan: Planned<File>[], again?: Reopened): Promise<void> {
    const limits = await deps.limits();
    const cancel = { aborted: false };
    const gate = deps.gate?.(batchId, cancel);
    const run: StageRun = {
      batchId,
      cancel,
      limits,
      expansions: new Map(),
      reading: readingOf(deps, batchId, gate),
      listed: new Set(),
      ...(again === undefined ? {} : { again }),
    };
    const work = takeAll(run, plan);
    running.set(batchId, { cancel, done: work });
    try {
      await work;
    } finally {
      gate?.end();
      running.delete(batchId);
      deps.notify();
    }
  }

  async function takeAll(run: StageRun, plan: Planned<File>[]): Promise<void> {
    try {
      run.reading.expect(plan.reduce((sum, { file }) => sum + file.size, 0));
      for (const { path, file } of plan) {
        if (run.cancel.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
        await takeFile(deps, run, looseFile(path, file));
      }
      await unpackAll(deps, run);
      await finishBatch(deps, run.batchId);
    } catch (error) {
      if (toFailure(error).code !== 'cancelled') throw error;
      const done = await takenPaths(deps, run.batchId);
      const loose = plan.filter(({ path }) => !done.has(path));
      const rest = loose.map(({ path, file }) => untaken(path, baseName(path), file.size, null));
      await cancelRest(deps, run.batchId, [...rest, ...(await untakenEntries(deps, run, done))]);
    }
  }

  async function resume(): Promise<void> {
    const batches = await deps.db.batches.where('state').equals('staging').sortBy('created_at');
    for (const batch of batches) await deps.locks.runIfFree(batch.id, () => takeBatch(batch.id, []));
  }

  async function cancel(batchId: string): Promise<void> {
    if (!(await askToCancel(deps, batchId))) return;
    const here = running.get(batchId);
    if (here !== undefined) {
      here.cancel.aborted = true;
      await here.done;
      return;
    }
    // Nobody is at work on it: its first write meets the wish and ends it. Another tab meets it by itself.
    await deps.locks.runIfFree(batchId, () => takeBatch(batchId, []));
  }

  async function reopen(batchId: string, path: string, password: string | null): Promise<Result<Reopening>> {
    try {
      return await deps.locks.run(batchId, async () => {
        const again = await lookAgain(deps, batchId, path, password);
        await reopenArchive(deps, batchId, path);
        await takeBatch(batchId, [], again);
        const left = (await deps.db.batches.get(batchId))?.archives.find((one) => one.path === path)?.waiting;
        const still = await waitingJobs(deps, batchId, new Set(again.retake.keys()));
        return ok({ taken: again.retake.size - still.length, waiting: (left?.password ?? 0) + (left?.space ?? 0) });
      });
    } catch (error) {
      return fail(toFailure(error));
    }
  }

  async function leaveArchive(batchId: string, path: string): Promise<void> {
    await deps.locks.run(batchId, async () => {
      const archive = (await deps.db.batches.get(batchId))?.archives.find((one) => one.path === path);
      if (archive === undefined) return;
      await forgetWaiting(deps, batchId, path);
      await freeArchive(deps, archive.sha256);
    });
  }

  async function tryIt(requestId: string): Promise<Result<{ batch_id: string }>> {
    try {
      const album = await requestedAlbum(deps, requestId);
      const file = await deps.makeDemoAlbum(album, DEMO_NAMES);
      return await stage([{ path: file.name, file }], { type: 'DOWNLOAD_REQUEST', id: requestId }, album.title, true);
    } catch (error) {
      return fail(toFailure(error));
    }
  }

  return { stage, tryIt, resume, cancel, reopen, leaveArchive };
}

/** What a request wants, from the replica: the album, or the album with the one track. */
async function requestedAlbum({ db }: Pick<StageDeps, 'db'>, requestId: string): Promise<AlbumWithTracks> {
  const request = await db.requests.get(requestId);
  const wanted = request?.track_id == null ? undefined : await db.tracks.get(request.track_id);
  const albumId = request?.album_id ?? wanted?.album_id;
  const album = albumId === undefined ? undefined : await db.albums.get(albumId);
  if (album === undefined) {
    throw new AccessionError(
      failure('not_found', 'The catalog on this device does not have what the request asks for yet.'),
    );
  }
  const tracks = wanted === undefined ? await db.tracks.where('album_id').equals(album.id).toArray() : [wanted];
  return { ...album, tracks: tracks.sort((a, b) => a.disc - b.disc || a.position - b.position) };
}
