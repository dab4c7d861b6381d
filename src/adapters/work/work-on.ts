/**
 * One upload from its claim to where nothing moves without a person, or at all: the run of the app (core/run) over rows
 * that the server keeps.
 *
 *   claim -> take its files in -> run until settled, news as they come -> release
 *              every change is saved on the server; whoever claims it next begins at the last one
 */
import type { Settings } from '#core/config.ts';
import { AccessionError, failed, failure, toFailure, type Failure } from '#core/errors.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { baseName } from '#core/ingest/paths.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { LaneCore } from '#core/lane-core.ts';
import { applyEvent, type ApplyContext } from '#core/job/apply.ts';
import { isFinished, type Job } from '#core/job/job.ts';
import type { Agent } from '#core/run/agent.ts';
import type { AgentState } from '#core/run/agent-state.ts';
import type { LaneMemory, LearnedRow, LearnedSource } from '#core/run/lane-rows.ts';
import type { LaneRun } from '#core/run/lane-run.ts';
import { isLocal, laneFinder, type StateOf } from '#core/run/ports.ts';
import type { PublishPorts } from '#core/run/publish.ts';
import { Run } from '#core/run/run.ts';
import { createStage } from '#core/run/stage/stage.ts';
import { MOST_KEYS, type Claim, type LearnedQuery, type WorkFile, type WorkNews } from '#core/sync/work-protocol.ts';
import type { WorkClient } from '../http/work-client.ts';
import { looseFile, lostFile, readers, type FileBlobs } from '../media/loose-file.ts';
import { createLease } from './lease.ts';
import { LeasedJobStore } from './leased-store.ts';
import { newAnswers, takeAnswers, takeEnds } from './news.ts';
import { countOf, doingNow, type WorkProgress } from './progress.ts';
import { createUploadSync } from './upload-sync.ts';

export interface WorkUsing extends ApplyContext {
  work: WorkClient;
  publish: PublishPorts;
  blobs: FileBlobs;
  settings: Settings;
  agent: Agent;
  agentState: StateOf<AgentState>;
  random(): number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** By id. */
  cores: ReadonlyMap<string, LaneCore>;
  /** Each lane's part of the run. `held`: tracks that jobs of others are about to publish, with the job. */
  runs(place: { store: LeasedJobStore; held: ReadonlyMap<string, string> }): LaneRun[];
  /** Brings the copy of the catalog up to what the server has. Throws AccessionError where it cannot be asked. */
  refresh(): Promise<void>;
  /** One line for whoever watches. */
  say(line: string): void;
  /** How far it is, often. */
  progress?(progress: WorkProgress): void;
  /** Shares 0..1 of what is being converted, by job. */
  report?(shares: ReadonlyMap<string, number>): void;
  /** Asked between two steps: whether something else comes first. The upload is given back then. */
  yields?(): Promise<boolean>;
}

/** What the log says of a conversion that an earlier worker left. */
const CONVERTING = 'The worker that converted it fell silent; it is begun again';
/** Rows that may wait for a save. */
const SAVE_EVERY = 32;
const MINUTE_MS = 60_000;

/**
 * Throws AccessionError `conflict` where the lease was lost. Stopped, it gives the upload back; so it does before it throws
 * a local failure (no space, no server), of which the upload has no fault.
 */
export async function workOn(claim: Claim, using: WorkUsing, stop: AbortSignal): Promise<void> {
  const { lease, run } = uploadWork(claim, using);
  const alive = lease.keepAlive();
  try {
    await run(stop);
  } finally {
    lease.close();
    lease.lose();
    await alive;
  }
}

function uploadWork(claim: Claim, using: WorkUsing) {
  const { blobs, work, clock, ids, random, say, wait } = using;
  const store = new LeasedJobStore(claim, laneRowsOf(claim, using), clock);
  const held = new Map(claim.held.map(({ track_id, job_id }) => [track_id, job_id]));
  const lanes = using.runs({ store, held });
  const lease = createLease(claim, store, using, hear);
  const context = { store, lane: laneFinder(lanes), clock, ids, random };
  /** Every change that comes from outside. */
  let heard = Promise.resolve();
  /** Something was reported that the run has not seen. */
  let isNews = false;
  let isSaving = false;
  let current: Run | null = null;
  let refusal: Failure | null = null;
  store.save = save;
  store.onChange = changed;
  hear(claim.news);
  return { lease, run };

  async function run(stop: AbortSignal): Promise<void> {
    const halt = (): void => current?.stop();
    stop.addEventListener('abort', halt);
    lease.lost.signal.addEventListener('abort', halt);
    try {
      await using.refresh();
      await heard;
      await takeIn(stop);
      await lease.save();
      // Nothing of it could be taken in: the lease ended with the save.
      if (store.state() === 'done') return;
      while (!(await settle(stop)));
    } catch (error) {
      if (!(stop.aborted || isLocal(toFailure(error))) || lease.lost.signal.aborted) throw error;
      // What was reached is saved, and the next worker need not wait for the end of the lease.
      await lease.save(true);
      if (!stop.aborted) throw error;
    } finally {
      stop.removeEventListener('abort', halt);
    }
  }

  /** Runs until nothing moves without a person. Answers whether that is all for now. */
  async function settle(stop: AbortSignal): Promise<boolean> {
    isNews = false;
    let yielded = false;
    if (!stop.aborted) {
      current = openRun(async () => (yielded = (await using.yields?.()) ?? false));
      await current.run();
    }
    current = null;
    await heard;
    if (refusal) throw new AccessionError(refusal);
    if (lease.lost.signal.aborted) throw failed('conflict', 'The lease is over.');
    const isOver = stop.aborted || yielded || store.state() !== 'ready' || !isNews;
    await lease.save(isOver);
    await heard;
    return isOver;
  }

  function openRun(yields: () => Promise<boolean>): Run {
    const { agent, agentState, publish: ports, report } = using;
    const onError = (error: unknown): void => say(`left for now: ${toFailure(error).message}`);
    const poke = (): void => run.poke();
    const sync = createUploadSync({ ...context, lease: { id: lease.id, save }, ports, wait, onError, poke });
    const run = new Run(
      {
        ...{ ...context, lanes, agent, agentState, onError },
        ...(report ? { report } : {}),
        sync: {
          ...sync,
          poke: () => {
            sync.poke();
            saveSoon();
          },
        },
        paused: () => Promise.resolve(false),
        parallel: { probes: 1, conversions: 1 },
        onLocalFailure: () => 'stop',
        later: (again) => void wait(MINUTE_MS, lease.lost.signal).then(again),
      },
      {
        ...{ until: 'settled', converting: CONVERTING, yields },
        hasOutput: async (sha256) => (await blobs.size(sha256)) !== null,
      },
    );
    return run;
  }

  /** Takes its files in; of what an earlier worker took in only the bytes are stored again. */
  async function takeIn(stop: AbortSignal): Promise<void> {
    const registry = ingesterRegistry([...using.cores.values()]);
    const cancel = AbortSignal.any([stop, lease.lost.signal]);
    const stage = createStage({
      ...{ store, blobs, registry, clock, ids, ...readers(blobs) },
      locks: { run: (_batch, work) => work(), runIfFree: async (_batch, work) => (await work(), true) },
      limits: () => Promise.resolve(archiveLimits(using.settings)),
      freeBytes: () => Promise.resolve(null),
      noSpace: (what) =>
        Promise.resolve(failure('storage_full', `${what} There is no space left where it is worked on.`)),
      onLocalFailure: () => 'stop',
      notify: () => undefined,
      archivesAreJobs: true,
    });
    const files = [...claim.files].sort((a, b) => (a.path < b.path ? -1 : 1));
    await stage.goOn(
      claim.batch.id,
      files.map((file) => ({
        ...{ path: file.path, size: file.size },
        open: () => opened(file, cancel),
      })),
      cancel,
    );
    if (claim.document !== null) await findCovers(cancel);
  }

  async function opened({ path, size, sha256, id }: WorkFile, cancel: AbortSignal) {
    if ((await blobs.size(sha256)) === null) {
      await report({ doing: 'fetching', name: baseName(path), job: null });
      const answer = await work.file(lease.id, id, cancel);
      // That file fails by itself; who holds no lease any more learns of it with the next save.
      if (!answer.ok && answer.failure.code === 'not_found') return lostFile(path, size, answer.failure, id);
      if (!answer.ok) throw new AccessionError(answer.failure);
      const kept = await blobs.put(answer.value, cancel);
      if (kept.sha256 !== sha256) throw failed('hash_mismatch', `"${path}" did not arrive as it was uploaded.`);
    }
    return looseFile(path, await blobs.file(sha256), { job_id: id, stored: { sha256, size } });
  }

  /** Covers that an earlier worker had taken out of the files: from the same files again. */
  async function findCovers(cancel: AbortSignal): Promise<void> {
    for (const job of await store.jobsOfBatch(store.batchId)) {
      const { cover_sha256, sha256 } = job;
      if (cover_sha256 === null || sha256 === null || isFinished(job) || (await blobs.size(cover_sha256)) !== null)
        continue;
      const found = await context.lane(job.lane).probe({ ...job, sha256 }, cancel);
      const cover = found.ok && found.value.type === 'probed' ? found.value.facts.cover_sha256 : null;
      if (cover !== cover_sha256) await store.change((rows) => applyEvent(rows, using, job.id, { type: 'uncovered' }));
    }
  }

  function hear(news: WorkNews): void {
    heard = heard.then(() => take(news)).catch((error: unknown) => stopWith(toFailure(error)));
  }

  async function take(news: WorkNews): Promise<void> {
    const ended = await takeEnds(context, news);
    if (ended > 0) say(`${claim.batch.label}: ${ended} jobs were cancelled or published elsewhere`);
    const answers = await newAnswers(store, news);
    if (answers.length > 0) {
      // What was chosen may have been created since.
      await using.refresh();
      await takeAnswers(context, answers);
    }
    if (ended + answers.length === 0) return;
    isNews = true;
    current?.poke();
  }

  function changed(jobs: readonly Job[]): void {
    const doing = doingNow(jobs);
    if (doing) void report(doing);
    if (store.unsavedRows >= SAVE_EVERY) saveSoon();
  }

  /** A refused one ends the work. */
  async function save(): Promise<void> {
    try {
      await lease.save();
    } catch (error) {
      stopWith(toFailure(error));
      throw error;
    }
  }

  /** One at a time. */
  function saveSoon(): void {
    if (isSaving || store.unsavedRows === 0) return;
    isSaving = true;
    save()
      .catch(() => undefined)
      .finally(() => (isSaving = false));
  }

  function stopWith(why: Failure): void {
    refusal ??= why;
    current?.stop();
  }

  async function report(doing: Pick<WorkProgress, 'doing' | 'name' | 'job'>): Promise<void> {
    const jobs = await store.jobsOfBatch(store.batchId);
    using.progress?.({ ...doing, ...countOf(jobs) });
  }
}

/** What lanes keep beside the upload's jobs, with what was learned from its owner's answers before. */
function laneRowsOf({ lease_id }: Claim, { cores, work }: WorkUsing): Record<string, LaneMemory> {
  const ask = async (query: LearnedQuery): Promise<LearnedRow[]> => {
    const answer = await work.learned(lease_id, query);
    // A server of before 0.2 keeps nothing.
    if (!answer.ok && answer.failure.code === 'not_found') return [];
    if (!answer.ok) throw new AccessionError(answer.failure);
    return answer.value;
  };
  return Object.fromEntries(
    [...cores].flatMap(([lane, { rows }]) => {
      const learned: LearnedSource = {
        async read(kind, keys) {
          if (keys === undefined) return ask({ lane, kind });
          const found: LearnedRow[] = [];
          for (let at = 0; at < keys.length; at += MOST_KEYS)
            found.push(...(await ask({ lane, kind, keys: keys.slice(at, at + MOST_KEYS) })));
          return found;
        },
      };
      return rows ? [[lane, rows(learned)]] : [];
    }),
  );
}
