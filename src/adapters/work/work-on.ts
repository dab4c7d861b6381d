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
import type { LooseFile } from '#core/run/stage/ports.ts';
import { MOST_KEYS, type Claim, type LearnedQuery, type WorkFile, type WorkNews } from '#core/sync/work-protocol.ts';
import type { WorkClient } from '../http/work-client.ts';
import { looseFile, readers, type FileBlobs } from '../media/loose-file.ts';
import { Lease } from './lease.ts';
import { LeasedJobStore } from './leased-store.ts';
import { newAnswers, takeAnswers, takeEnds } from './news.ts';
import { countOf, doingNow, type WorkProgress } from './progress.ts';
import { UploadSync } from './upload-sync.ts';

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
  const work = new UploadWork(claim, using);
  const alive = work.lease.keepAlive();
  try {
    await work.run(stop);
  } finally {
    work.lease.close();
    work.lease.lose();
    await alive;
  }
}

class UploadWork {
  readonly lease: Lease;
  readonly #claim: Claim;
  readonly #using: WorkUsing;
  readonly #store: LeasedJobStore;
  readonly #runs: LaneRun[];
  /** Every change that comes from outside. */
  #heard = Promise.resolve();
  /** Something was reported that the run has not seen. */
  #isNews = false;
  #isSaving = false;
  #run: Run | null = null;
  #refusal: Failure | null = null;

  constructor(claim: Claim, using: WorkUsing) {
    this.#claim = claim;
    this.#using = using;
    this.#store = new LeasedJobStore(claim, laneRowsOf(claim, using), using.clock);
    this.#runs = using.runs({
      store: this.#store,
      held: new Map(claim.held.map(({ track_id, job_id }) => [track_id, job_id])),
    });
    this.lease = new Lease(claim, this.#store, using, (news) => this.#hear(news));
    this.#store.save = () => this.#save();
    this.#store.onChange = (jobs) => this.#changed(jobs);
    this.#hear(claim.news);
  }

  get #context() {
    const { clock, ids, random } = this.#using;
    return { store: this.#store, lane: laneFinder(this.#runs), clock, ids, random };
  }

  async run(stop: AbortSignal): Promise<void> {
    const halt = (): void => this.#run?.stop();
    stop.addEventListener('abort', halt);
    this.lease.lost.signal.addEventListener('abort', halt);
    try {
      await this.#using.refresh();
      await this.#heard;
      await this.#takeIn(stop);
      await this.lease.save();
      while (!(await this.#settle(stop)));
    } catch (error) {
      if (!(stop.aborted || isLocal(toFailure(error))) || this.lease.lost.signal.aborted) throw error;
      // What was reached is saved, and the next worker need not wait for the end of the lease.
      await this.lease.save(true);
      if (!stop.aborted) throw error;
    } finally {
      stop.removeEventListener('abort', halt);
    }
  }

  /** Runs until nothing moves without a person. Answers whether that is all for now. */
  async #settle(stop: AbortSignal): Promise<boolean> {
    this.#isNews = false;
    let yielded = false;
    if (!stop.aborted) {
      const run = this.#openRun(async () => (yielded = (await this.#using.yields?.()) ?? false));
      await run.run();
    }
    this.#run = null;
    await this.#heard;
    if (this.#refusal) throw new AccessionError(this.#refusal);
    if (this.lease.lost.signal.aborted) throw failed('conflict', 'The lease is over.');
    const isOver = stop.aborted || yielded || this.#store.state() !== 'ready' || !this.#isNews;
    await this.lease.save(isOver);
    await this.#heard;
    return isOver;
  }

  #openRun(yields: () => Promise<boolean>): Run {
    const { agent, agentState, blobs, publish, report, wait, say } = this.#using;
    const context = this.#context;
    const { signal } = this.lease.lost;
    const onError = (error: unknown): void => say(`left for now: ${toFailure(error).message}`);
    const sync = new UploadSync({
      ...{ ...context, lease: { id: this.lease.id, save: () => this.#save() }, ports: publish, wait, onError },
      poke: () => run.poke(),
    });
    const run = new Run(
      {
        ...{ ...context, lanes: this.#runs, agent, agentState, onError },
        ...(report ? { report } : {}),
        sync: {
          start: () => sync.start(),
          stop: () => sync.stop(),
          poke: () => {
            sync.poke();
            this.#saveSoon();
          },
        },
        paused: () => Promise.resolve(false),
        parallel: { probes: 1, conversions: 1 },
        onLocalFailure: () => 'stop',
        later: (again) => void wait(MINUTE_MS, signal).then(again),
      },
      {
        ...{ until: 'settled', converting: CONVERTING, yields },
        hasOutput: async (sha256) => (await blobs.size(sha256)) !== null,
      },
    );
    this.#run = run;
    return run;
  }

  /** Takes its files in; of what an earlier worker took in only the bytes are stored again. */
  async #takeIn(stop: AbortSignal): Promise<void> {
    const { blobs, settings, cores, clock, ids } = this.#using;
    const registry = ingesterRegistry([...cores.values()]);
    const cancel = AbortSignal.any([stop, this.lease.lost.signal]);
    const stage = createStage({
      ...{ store: this.#store, blobs, registry, clock, ids, ...readers(blobs) },
      locks: { run: (_batch, work) => work(), runIfFree: async (_batch, work) => (await work(), true) },
      limits: () => Promise.resolve(archiveLimits(settings)),
      freeBytes: () => Promise.resolve(null),
      noSpace: (what) =>
        Promise.resolve(failure('storage_full', `${what} There is no space left where it is worked on.`)),
      onLocalFailure: () => 'stop',
      notify: () => undefined,
      archivesAreJobs: true,
    });
    const files = [...this.#claim.files].sort((a, b) => (a.path < b.path ? -1 : 1));
    await stage.goOn(
      this.#claim.batch.id,
      files.map((file) => this.#looseFile(file, cancel)),
      cancel,
    );
    if (this.#claim.document !== null) await this.#findCovers(cancel);
  }

  #looseFile(file: WorkFile, cancel: AbortSignal): LooseFile {
    const { path, size, sha256, id } = file;
    const { blobs } = this.#using;
    return {
      ...{ path, size },
      open: async () => {
        if ((await blobs.size(sha256)) === null) await this.#fetch(file, cancel);
        return looseFile(path, await blobs.file(sha256), { job_id: id, stored: { sha256, size } });
      },
    };
  }

  async #fetch({ id, path, sha256 }: WorkFile, cancel: AbortSignal): Promise<void> {
    const { work, blobs } = this.#using;
    await this.#report({ doing: 'fetching', name: baseName(path), job: null });
    const answer = await work.file(this.lease.id, id, cancel);
    if (!answer.ok) throw new AccessionError(answer.failure);
    const kept = await blobs.put(answer.value, cancel);
    if (kept.sha256 !== sha256) throw failed('hash_mismatch', `"${path}" did not arrive as it was uploaded.`);
  }

  /** Covers that an earlier worker had taken out of the files: from the same files again. */
  async #findCovers(cancel: AbortSignal): Promise<void> {
    const { blobs } = this.#using;
    const { store, lane } = this.#context;
    for (const job of await store.jobsOfBatch(store.batchId)) {
      const { cover_sha256, sha256 } = job;
      if (cover_sha256 === null || sha256 === null || isFinished(job) || (await blobs.size(cover_sha256)) !== null)
        continue;
      const found = await lane(job.lane).probe({ ...job, sha256 }, cancel);
      const cover = found.ok && found.value.type === 'probed' ? found.value.facts.cover_sha256 : null;
      if (cover !== cover_sha256)
        await store.change((rows) => applyEvent(rows, this.#using, job.id, { type: 'uncovered' }));
    }
  }

  #hear(news: WorkNews): void {
    this.#heard = this.#heard.then(() => this.#take(news)).catch((error: unknown) => this.#stopWith(toFailure(error)));
  }

  async #take(news: WorkNews): Promise<void> {
    const context = this.#context;
    const ended = await takeEnds(context, news);
    if (ended > 0) this.#using.say(`${this.#claim.batch.label}: ${ended} jobs were cancelled or published elsewhere`);
    const answers = await newAnswers(this.#store, news);
    if (answers.length > 0) {
      // What was chosen may have been created since.
      await this.#using.refresh();
      await takeAnswers(context, answers);
    }
    if (ended + answers.length === 0) return;
    this.#isNews = true;
    this.#run?.poke();
  }

  #changed(jobs: readonly Job[]): void {
    const doing = doingNow(jobs);
    if (doing) void this.#report(doing);
    if (this.#store.unsavedRows >= SAVE_EVERY) this.#saveSoon();
  }

  /** A refused one ends the work. */
  async #save(): Promise<void> {
    try {
      await this.lease.save();
    } catch (error) {
      this.#stopWith(toFailure(error));
      throw error;
    }
  }

  /** One at a time. */
  #saveSoon(): void {
    if (this.#isSaving || this.#store.unsavedRows === 0) return;
    this.#isSaving = true;
    this.#save()
      .catch(() => undefined)
      .finally(() => (this.#isSaving = false));
  }

  #stopWith(why: Failure): void {
    this.#refusal ??= why;
    this.#run?.stop();
  }

  async #report(doing: Pick<WorkProgress, 'doing' | 'name' | 'job'>): Promise<void> {
    const jobs = await this.#store.jobsOfBatch(this.#store.batchId);
    this.#using.progress?.({ ...doing, ...countOf(jobs) });
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
