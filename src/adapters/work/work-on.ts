/**
 * One upload from its claim to where nothing moves without a person, or at all.
 *
 *   claim -> stage -> [ probe | answers | match -> agent -> match | convert -> publish ] ... -> release
 *              every arrow is saved on the server; whoever claims it next begins at the last one
 */
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import { createMusicRegistry } from '#core/ingest/ingesters/index.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { baseName } from '#core/ingest/paths.ts';
import { planLabel } from '#core/ingest/plan-paths.ts';
import type { Settings } from '#core/config.ts';
import type { Batch, Job } from '#core/job/job.ts';
import { isUndecided } from '#core/job/batch-plan.ts';
import { probedFacts } from '#core/job/probed-facts.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Claim, WorkNews } from '#core/sync/work-protocol.ts';
import type { CatalogClient } from '../http/catalog-client.ts';
import type { Uploader } from '../http/upload.ts';
import type { WorkClient } from '../http/work-client.ts';
import type { DoubtAsker } from './agent.ts';
import { madeFromContents, matchUpload } from './match.ts';
import { takeNews } from './news.ts';
import { isOfPlace, throwOfPlace } from './place.ts';
import type { WorkBlobs, WorkCatalog, WorkMedia } from './ports.ts';
import { progressOf, type WorkDoing, type WorkProgress } from './progress.ts';
import { publishNext } from './publish.ts';
import { WorkRows } from './rows.ts';
import { WorkSession } from './session.ts';
import { splitImages } from './split.ts';
import { stageUpload } from './stage.ts';

export interface WorkUsing {
  work: WorkClient;
  client: Pick<CatalogClient, 'commit'>;
  upload: Uploader;
  blobs: WorkBlobs;
  media: WorkMedia;
  catalog: WorkCatalog;
  asker: DoubtAsker | null;
  settings: Settings;
  clock: Clock;
  ids: Ids;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** One line for whoever watches. */
  say(line: string): void;
  /** How far it is, often. */
  tell?(progress: WorkProgress): void;
  /** Asked between two steps: whether something else comes first. The upload is given back then. */
  yields?(): Promise<boolean>;
}

/** Files that are staged or probed between two saves. */
const SAVE_EVERY = 8;

/**
 * Throws AccessionError `cancelled` where the lease was lost. Stopped, it gives the upload back; so it does before it
 * throws a failure of this place, of which the upload has no fault.
 */
export async function workOn(claim: Claim, using: WorkUsing, stop: AbortSignal): Promise<void> {
  const work = new UploadWork(claim, using);
  const alive = work.session.keepAlive();
  try {
    await work.run(stop);
  } finally {
    work.session.close();
    work.session.lost.abort();
    await alive;
  }
}

class UploadWork {
  readonly session: WorkSession;
  readonly #using: WorkUsing;
  readonly #claim: Claim;
  readonly #rows: WorkRows;
  readonly #stops = new Map<string, AbortController>();
  #answers: WorkNews['answers'] = [];
  #unsaved = 0;

  constructor(claim: Claim, using: WorkUsing) {
    this.#using = using;
    this.#claim = claim;
    this.#rows = claim.document === null ? begun(claim, using) : WorkRows.read(claim.document, using);
    this.session = new WorkSession(
      claim,
      this.#rows,
      { client: using.work, clock: using.clock, wait: using.wait },
      (news) => this.#hear(news),
    );
    this.#hear(claim.news);
  }

  async run(stop: AbortSignal): Promise<void> {
    const halt = (): void => {
      for (const one of this.#stops.values()) one.abort();
    };
    stop.addEventListener('abort', halt);
    this.session.lost.signal.addEventListener('abort', halt);
    try {
      await this.#using.catalog.refresh();
      await this.#stage(stop);
      await this.session.save();
      for (;;) {
        let over = stop.aborted || (await this.#yields());
        while (!over && (await this.#turn(stop))) over = stop.aborted || (await this.#yields());
        const before = this.#answers.length;
        over ||= this.#rows.state() !== 'ready';
        await this.session.save(over);
        // What was heard with the last save: a new lease will take it up.
        if (over || this.#answers.length === before) return;
      }
    } catch (error) {
      const ofPlace = isOfPlace(toFailure(error));
      if (!(stop.aborted || ofPlace) || this.session.lost.signal.aborted) throw error;
      // Cut off in the middle: what was reached is saved, and the next worker need not wait for the lease's end.
      await this.session.save(true);
      if (!stop.aborted) throw error;
    } finally {
      stop.removeEventListener('abort', halt);
    }
  }

  async #yields(): Promise<boolean> {
    return (await this.#using.yields?.()) ?? false;
  }

  #tell(doing: WorkDoing, about: { name?: string; job?: string } = {}): void {
    this.#using.tell?.(progressOf(this.#rows, doing, about));
  }

  /** One small thing. Answers false when nothing is left to be done without a person. */
  async #turn(stop: AbortSignal): Promise<boolean> {
    if (await this.#probeNext(stop)) return true;
    // The tracks of an album image are files of their own from then on.
    if (await splitImages(this.#rows, this.#using)) return true;
    if (this.#answers.length > 0) {
      await this.#takeAnswers();
      return true;
    }
    const fresh = this.#rows.jobs().some((job) => job.phase === 'grouping' || job.phase === 'searching');
    const asking = this.#rows.jobs().some((job) => job.phase === 'thinking');
    if (fresh || asking || (this.#rows.batch.rematch === true && this.#rows.jobs().some(isUndecided))) {
      await this.#match(stop);
      return true;
    }
    return publishNext({
      ...this.#using,
      session: this.session,
      bitrate: this.#using.settings.output_bitrate,
      index: () => this.#using.catalog.index(),
      signalOf: (id) => this.#signalOf(id),
      tell: (doing, about) => this.#tell(doing, about),
    });
  }

  async #stage(stop: AbortSignal): Promise<void> {
    const { work, blobs, settings, ids, clock } = this.#using;
    const cancel = AbortSignal.any([stop, this.session.lost.signal]);
    await stageUpload(
      {
        rows: this.#rows,
        blobs,
        registry: createMusicRegistry(),
        limits: archiveLimits(settings),
        ids,
        clock,
        cancel,
        fetch: async (file) => {
          this.#tell('fetching', { name: baseName(file.path) });
          const answer = await work.file(this.#claim.lease_id, file.id, cancel);
          if (answer.ok) return answer.value;
          throw new AccessionError(answer.failure);
        },
        progressed: () => this.#saveNowAndThen(),
      },
      this.#claim.files,
    );
    if (this.#claim.document !== null) await this.#findCovers(stop);
  }

  /** Covers that an earlier worker had taken out of the files: from the same files again. */
  async #findCovers(stop: AbortSignal): Promise<void> {
    const { blobs, media } = this.#using;
    for (const job of this.#rows.jobs()) {
      const gone = job.cover_sha256 !== null && (await blobs.size(job.cover_sha256)) === null;
      if (!gone || job.sha256 === null || job.status === 'COMPLETED' || job.status === 'FAILED') continue;
      const found = await media.run({ kind: 'probe', sha256: job.sha256, name: job.original_filename }, stop);
      const cover = found.kind === 'probed' ? await this.#keepCover(found.outcome.cover) : null;
      if (cover?.sha256 !== job.cover_sha256) this.#rows.patch(job.id, { cover_sha256: null, cover_mime: null });
    }
  }

  async #probeNext(stop: AbortSignal): Promise<boolean> {
    const { clock } = this.#using;
    // Left by a worker that fell silent in the middle.
    for (const job of this.#rows.jobs()) if (job.phase === 'probing') await this.#probe(job, stop, clock.now());
    const next = this.#rows.jobs().find((job) => job.phase === 'queued');
    if (!next) return false;
    const job = this.#rows.apply(next.id, { type: 'probe' });
    if (job) await this.#probe(job, stop, clock.now());
    await this.#saveNowAndThen();
    return true;
  }

  async #probe(job: Job, stop: AbortSignal, started: number): Promise<void> {
    const { media, clock } = this.#using;
    const name = job.segment?.file ?? job.original_filename;
    if (job.sha256 === null) {
      const why = failure('blob_missing', `"${name}" is not among the uploaded files any more.`);
      this.#rows.apply(job.id, { type: 'failed', failure: why });
      return;
    }
    this.#tell('reading', { name, job: job.id });
    const signal = AbortSignal.any([stop, this.#signalOf(job.id)]);
    const found = await media.run({ kind: 'probe', sha256: job.sha256, name }, signal);
    if (signal.aborted) return;
    if (found.kind === 'probed') {
      const cover = await this.#keepCover(found.outcome.cover);
      const facts = probedFacts(job, found.outcome, cover, clock.now() - started);
      this.#rows.apply(job.id, { type: 'probed', facts });
      return;
    }
    const why = found.kind === 'failed' ? found.failure : failure('internal', 'The probe answered something else.');
    throwOfPlace(why);
    this.#rows.apply(job.id, { type: 'failed', failure: { ...why, subject: job.original_filename } });
  }

  async #keepCover(
    cover: { bytes: Uint8Array; mime: string } | null,
  ): Promise<{ sha256: string; mime: string } | null> {
    if (cover === null) return null;
    async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    const { sha256 } = await this.#using.blobs.put(once(cover.bytes));
    return { sha256, mime: cover.mime };
  }

  async #takeAnswers(): Promise<void> {
    const index = await this.#using.catalog.refresh();
    const answers = this.#answers.splice(0);
    takeNews(this.#rows, { cancelled: [], published: [], answers }, index, this.#using.clock.now());
    await this.session.save();
  }

  async #match(stop: AbortSignal): Promise<void> {
    const { catalog, asker, settings, clock, ids } = this.#using;
    this.#tell('matching');
    const index = await catalog.refresh();
    const { context_id } = this.#rows.batch;
    const plan = matchUpload({
      rows: this.#rows,
      index,
      request: context_id === null ? undefined : await catalog.request(context_id),
      held: new Map(this.#claim.held.map(({ track_id, job_id }) => [track_id, job_id])),
      madeFrom: await madeFromContents(this.#rows, catalog),
      threshold: settings.auto_approve_threshold,
      agent: asker !== null,
      clock,
      ids,
    });
    await this.session.save();
    if (plan === null || asker === null || plan.doubts.length === 0) return;
    this.#tell('asking');
    const signal = AbortSignal.any([stop, this.session.lost.signal]);
    await asker.askAll(this.#rows, plan.doubts, () => this.session.save(), signal);
    await this.session.save();
  }

  #hear(news: WorkNews): void {
    this.#answers = news.answers.filter(({ review_id }) => this.#rows.review(review_id)?.resolved_at === null);
    const own = { ...news, answers: [] };
    if (takeNews(this.#rows, own, null, this.#using.clock.now())) {
      for (const id of news.cancelled) this.#stops.get(id)?.abort();
      this.#using.say(`${this.#rows.batch.label}: heard of ${news.cancelled.length} cancelled jobs`);
    }
  }

  #signalOf(jobId: string): AbortSignal {
    let own = this.#stops.get(jobId);
    if (own === undefined || own.signal.aborted) {
      own = new AbortController();
      this.#stops.set(jobId, own);
    }
    return AbortSignal.any([own.signal, this.session.lost.signal]);
  }

  async #saveNowAndThen(): Promise<void> {
    this.#unsaved += 1;
    if (this.#unsaved % SAVE_EVERY === 0) await this.session.save();
  }
}

/** The rows of an upload that nobody has worked on: the server knows its files' jobs. */
function begun(claim: Claim, using: { clock: Clock; ids: Ids }): WorkRows {
  const { batch } = claim;
  const made: Batch = {
    schema_version: 1,
    id: batch.id,
    label: batch.label === '' ? planLabel(claim.files) : batch.label,
    context_type: batch.context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS',
    context_id: batch.context_id,
    created_at: batch.created_at,
    state: 'staging',
    total: claim.files.length,
    taken: 0,
    archives: [],
    companions: [],
    notice: null,
    demo: false,
  };
  return new WorkRows(made, using);
}
