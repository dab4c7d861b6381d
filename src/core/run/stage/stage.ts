/**
 * Takes drops in. One holder stages a batch at a time (a lock by batch); every step is written before the next.
 *
 *   drop -> batch (staging) -> each file: blob, then its rows -> each archive: its entries likewise -> staged
 *             |  reload: archives are unpacked on, loose files that never arrived are said
 *             +- cancelled: what is left becomes cancelled rows -> staged
 *   staged -> reopened with a password, or when there is space: what waits in an archive is taken -> staged
 */
import { throwIfCancelled } from '../../cancel.ts';
import { AccessionError, failed, failure, toFailure } from '../../errors.ts';
import { baseName, planLabel, planPaths, type Planned } from '../../ingest/paths.ts';
import type { Companion, ContextType } from '../../job/job.ts';
import { answered, fail, type Result } from '../../result.ts';
import type { Gate, LooseFile, StagePorts } from './ports.ts';
import { Reading } from './reading.ts';
import { refill } from './refill.ts';
import { BatchRows, waitingJobs } from './rows.ts';
import { takeFile } from './take-file.ts';
import { freeArchive, openStaged, placed, unpackAll, untaken, untakenEntries } from './unpack.ts';
import type { Reopened, StageRun } from './stage-run.ts';

export interface Drop {
  files: readonly LooseFile[];
  context: { type: ContextType; /** Download request id. */ id: string | null };
  label?: string | undefined;
  demo?: boolean;
  /** Files of the drop that a lane has taken itself: they are said to have come along. */
  apart?: readonly Companion[];
}

export function createStage(ports: StagePorts) {
  /** Batches that are staged here now. */
  const running = new Map<string, { cancel: { aborted: boolean }; done: Promise<void> }>();

  /** Makes the batch and stages every file. Answers when all are jobs, companions or failed rows. */
  async function stage({
    files,
    context,
    label,
    demo = false,
    apart = [],
  }: Drop): Promise<Result<{ batch_id: string }>> {
    if (files.length + apart.length === 0) return fail(failure('invalid', 'Nothing was dropped.'));
    if (context.type === 'DOWNLOAD_REQUEST' && context.id === null)
      return fail(failure('invalid', 'Choose the download request to fulfill first.'));
    return answered(async () => {
      const plan = planPaths(files.map((file) => ({ path: file.path, file })));
      const id = ports.ids.next();
      // Held before the row is there: who goes on with unfinished batches would find this one, and end it as empty.
      await ports.locks.run(id, async () => {
        await new BatchRows(ports, id).create({
          label: label ?? planLabel([...plan, ...apart]),
          context_type: context.type,
          context_id: context.type === 'DOWNLOAD_REQUEST' ? context.id : null,
          total: plan.length,
          companions: [...apart],
          demo,
        });
        await takeBatch(id, plan);
      });
      return { batch_id: id };
    });
  }

  /** Goes on with a batch that is there: these loose files of it, and its archives. Throws what `takeFile` throws. */
  async function goOn(batchId: string, files: readonly LooseFile[], cancel = { aborted: false }): Promise<void> {
    const plan = files.map((file) => ({ path: file.path, file }));
    await takeBatch(batchId, plan, { cancel, refill: true });
  }

  /** Runs one batch to its end under its lock; a cancelled one ends as cancelled rows. */
  async function takeBatch(
    batchId: string,
    plan: readonly Planned<LooseFile>[],
    more: Partial<Pick<StageRun, 'again' | 'refill'>> & { cancel?: { aborted: boolean } } = {},
  ): Promise<void> {
    const limits = await ports.limits();
    const cancel = more.cancel ?? { aborted: false };
    const gate = ports.gate?.(batchId, cancel);
    const reading = readingOf(batchId, gate);
    const rows = new BatchRows(ports, batchId);
    const run = { ports, rows, limits, expansions: new Map(), reading, listed: new Set<string>(), ...more, cancel };
    const work = takeAll(run, plan);
    running.set(batchId, { cancel, done: work });
    try {
      await work;
    } finally {
      gate?.end();
      running.delete(batchId);
      ports.notify();
    }
  }

  async function takeAll(run: StageRun, plan: readonly Planned<LooseFile>[]): Promise<void> {
    try {
      run.reading.expect(plan.reduce((sum, { file }) => sum + file.size, 0));
      if (run.refill) await run.rows.reopenUnfinished();
      const known = run.refill ? await run.rows.taken() : null;
      for (const { path, file } of plan) {
        throwIfCancelled(run.cancel);
        const incoming = await file.open(path);
        await (known?.has(path) ? refill(run, incoming) : takeFile(run, incoming));
      }
      await unpackAll(run);
      await run.rows.finish({ lost: run.refill !== true });
    } catch (error) {
      // Whoever works under a lease leaves the rest to the next one.
      if (run.refill || toFailure(error).code !== 'cancelled') throw error;
      const done = await run.rows.taken();
      const loose = plan.filter(({ path }) => !done.has(path));
      const rest = loose.map(({ path, file }) => untaken(path, baseName(path), file.size, null));
      await run.rows.cancelRest([...rest, ...(await untakenEntries(run, done))]);
    }
  }

  /** Goes on with batches whose archives were not fully unpacked. */
  async function resume(): Promise<void> {
    for (const batch of await ports.store.batches('staging'))
      await ports.locks.runIfFree(batch.id, () => takeBatch(batch.id, []));
  }

  async function cancel(batchId: string): Promise<void> {
    if (!(await new BatchRows(ports, batchId).askToCancel())) return;
    const here = running.get(batchId);
    if (here !== undefined) {
      here.cancel.aborted = true;
      await here.done;
      return;
    }
    // Nobody is at work on it: its first write meets the wish and ends it. Another tab meets it by itself.
    await ports.locks.runIfFree(batchId, () => takeBatch(batchId, []));
  }

  /**
   * Takes in what waits in a kept archive (`BatchArchive.waiting`): what is protected, with its password, and what had
   * no space. A password that opens nothing is `archive_encrypted`, and nothing changes then. It is never stored.
   */
  async function reopen(
    batchId: string,
    path: string,
    password: string | null,
  ): Promise<Result<{ taken: number; waiting: number }>> {
    return answered(() =>
      ports.locks.run(batchId, async () => {
        const rows = new BatchRows(ports, batchId);
        const again = await lookAgain(batchId, path, password);
        await rows.reopenArchive(path);
        await takeBatch(batchId, [], { again });
        const left = (await rows.archive(path))?.waiting;
        const still = await waitingJobs(ports.store, batchId, new Set(again.retake.keys()));
        return { taken: again.retake.size - still.length, waiting: (left?.password ?? 0) + (left?.space ?? 0) };
      }),
    );
  }

  /** Nobody is asked for it any more: its files stay failed rows, and the archive's copy goes. */
  async function leaveArchive(batchId: string, path: string): Promise<void> {
    await ports.locks.run(batchId, async () => {
      const rows = new BatchRows(ports, batchId);
      const archive = await rows.archive(path);
      if (archive === undefined) return;
      await rows.forgetWaiting(path);
      await freeArchive(ports, archive.sha256);
    });
  }

  /** A person sent what came along with a batch somewhere else, or left it out. */
  async function sendElsewhere(
    batchId: string,
    which: { paths: readonly string[] | null; kind: string },
    now: Pick<Companion, 'kind' | 'outcome'>,
  ): Promise<void> {
    await new BatchRows(ports, batchId).sendCompanions(which, now);
  }

  /**
   * Which failed rows of a kept archive can be taken in now: what a password opens (each entry is asked, so that a
   * wrong one is known before anything changes), and what only wanted space. Throws AccessionError `archive_encrypted`
   * when the password opens none, `not_found` when nothing waits.
   */
  async function lookAgain(batchId: string, path: string, password: string | null): Promise<Reopened> {
    const rows = new BatchRows(ports, batchId);
    const archives = await rows.archives();
    const archive = archives.find((one) => one.path === path);
    const name = baseName(path);
    if (archive?.waiting === undefined)
      throw failed('not_found', `Nothing of "${name}" waits any more.`, { subject: name });
    const again: Reopened = { path, retake: new Map(), ...(password === null ? {} : { password }) };
    const run: StageRun = {
      ...{ ports, rows, cancel: { aborted: false }, limits: await ports.limits(), expansions: new Map() },
      ...{ reading: readingOf(batchId), listed: new Set<string>(), again },
    };
    const opened = await openStaged(run, archive, archives);
    try {
      const items = new Map(placed(archive, opened).map(({ path: at, item }) => [at, item]));
      const retake = new Map<string, string>();
      for (const job of await waitingJobs(ports.store, batchId, new Set(items.keys()))) {
        const item = items.get(job.path);
        if (item?.ok && (await (item.unlocks?.() ?? true))) retake.set(job.path, job.id);
      }
      if (retake.size === 0) throw new AccessionError(closed(name, password));
      return { ...again, retake };
    } finally {
      await opened.close();
    }
  }

  function readingOf(batchId: string, gate?: Gate): Reading {
    return new Reading({
      clock: ports.clock,
      ...(gate ? { gate } : {}),
      report: (done, total) => ports.report?.(batchId, done, total),
    });
  }

  return { stage, goOn, resume, cancel, reopen, leaveArchive, sendElsewhere };
}

function closed(name: string, password: string | null): ReturnType<typeof failure> {
  const why = password === null ? `"${name}" needs a password.` : `This password does not open "${name}".`;
  return failure('archive_encrypted', why, { subject: name, remedy: 'Check the password and enter it again.' });
}
