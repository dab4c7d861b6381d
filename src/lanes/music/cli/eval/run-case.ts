/**
 * One batch worked on by the run of the app (core/run) over rows in memory: matched, doubts put to whoever answers, matched
 * again with what was found (AGENT-5), until nobody is asked any more. Nothing is converted.
 */
import { MemoryJobStore, memoryState } from '#adapters/memory/job-store.ts';
import type { AgentModel } from '#core/agent/workflow/ports.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { AccessionError, toFailure } from '#core/errors.ts';
import { addJob, applyEvent } from '#core/job/apply.ts';
import type { Batch } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import { AGENT_OFF } from '#core/run/agent-state.ts';
import type { AgentEngine } from '#core/run/agent.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { laneFinder } from '#core/run/ports.ts';
import { Run } from '#core/run/run.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import { catalogOver, type MusicCatalog, type MusicMedia } from '#lanes/music/core/run/ports.ts';
import type { MusicJob, MusicTypes } from '#lanes/music/core/types.ts';
import { TagsSchema, type EvalCase } from './cases.ts';
import type { FileOutcome, RunOutcome, Spending } from './metrics.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import type { BatchMatch, MatchRequest } from '#lanes/music/core/match/match.types.ts';

export type Matcher = (request: MatchRequest) => BatchMatch;

/** What the matcher reads of a file's tags; a comment beside them makes no other match. */
const READ = Object.keys(TagsSchema.entries) as (keyof FileTags)[];

/** The matcher, with its answers kept: several answerers and many hostile rows ask about the same batches. */
export function cachedMatcher(index: CatalogIndex): Matcher {
  const known = new Map<string, BatchMatch>();
  return (request) => {
    const key = JSON.stringify([request.files.map(seenOf), request.context]);
    const found = known.get(key) ?? matchBatch(request, index);
    known.set(key, found);
    return found;
  };
}

function seenOf(file: FileEvidence): unknown[] {
  return [file.file_id, file.path, file.duration_ms, ...READ.map((key) => file.tags[key] ?? null)];
}

/** Whoever answers doubts: a model behind its workflow, or a baseline. */
export interface Asker {
  /** Stops the case in hand; its outcome is of no use then. */
  signal?: AbortSignal;
  model: AgentModel;
  /** Made anew for each case. `spend` gets what each answer cost. */
  engine(one: EvaluatedCase, spend: (spent: Spending) => void): AgentEngine;
}

export type EvaluatedCase = Pick<EvalCase, 'case_id' | 'files' | 'context'>;

export interface CaseRun {
  index: CatalogIndex;
  match: Matcher;
  threshold: number;
  /** null: nobody is asked, everything unclear goes to a person. */
  asker: Asker | null;
}

/** Throws what the run broke on: nothing of it is a figure then. */
export async function runCase(one: EvaluatedCase, { index, match, threshold, asker }: CaseRun): Promise<RunOutcome> {
  let count = 0;
  const context = { clock: { now: () => 0 }, ids: { next: () => `eval-${++count}` } };
  const spent: Spending = { calls: 0, tokens: 0 };
  const spend = ({ calls, tokens }: Spending): void => {
    spent.calls += calls;
    spent.tokens += tokens;
  };
  const batch = batchOf(one);
  const store = new MemoryJobStore<MusicTypes>({ music: new MemoryMusicRows() });
  const engine = asker?.engine(one, spend);
  const music = laneRun(
    createMusicRun({
      ...{ ...context, media, catalog: catalogOf(index, one, batch), match: (request) => match(request) },
      settings: () => Promise.resolve({ ...DEFAULT_SETTINGS, auto_approve_threshold: threshold }),
      profile: () => Promise.resolve(SHIPPED_PROFILE),
      sha256: (text) => Promise.resolve(text),
      ...(engine ? { engine: () => Promise.resolve(engine) } : {}),
    }),
  );
  await store.change(async (rows) => {
    await rows.putBatch(batch);
    for (const evidence of one.files) {
      const name = evidence.path.split('/').at(-1) ?? evidence.path;
      const job = newJob<MusicTypes>({
        ...{ id: evidence.file_id, now: 0, batch, path: evidence.path, original_filename: name },
        ...{ file_size_bytes: evidence.size_bytes ?? 0, sha256: `content of ${evidence.file_id}` },
      });
      await addJob(rows, context, job, []);
      await applyEvent(rows, context, job.id, { type: 'probe' });
      await applyEvent(rows, context, job.id, { type: 'probed', facts: { evidence, ...UNHEARD } });
    }
  });
  const broken: unknown[] = [];
  const run = new Run(
    {
      ...{ ...context, store: store as unknown as MemoryJobStore, lanes: [music], lane: laneFinder([music]) },
      agent: { model: () => Promise.resolve(asker?.model ?? null), seed: () => 0 },
      agentState: memoryState(AGENT_OFF),
      paused: () => Promise.resolve(false),
      parallel: { probes: 1, conversions: 0 },
      onLocalFailure: () => 'stop',
      later: () => undefined,
      onError(error) {
        broken.push(error);
        run.stop();
      },
      sync: { start: () => undefined, stop: () => undefined, poke: () => undefined },
    },
    { until: 'settled', converting: '' },
  );
  const stop = (): void => run.stop();
  asker?.signal?.addEventListener('abort', stop);
  if (asker?.signal?.aborted !== true) await run.run();
  asker?.signal?.removeEventListener('abort', stop);
  if (broken.length > 0) throw new AccessionError(toFailure(broken[0], one.case_id), { cause: broken[0] });
  const jobs = new Map((await store.jobsOfBatch(batch.id)).map((job) => [job.id, job]));
  return { files: one.files.map(({ file_id }) => outcomeOf(file_id, jobs)), spent };
}

/** What no case says of its files' sound. */
const UNHEARD = {
  ...{ codec: '', bitrate: null, sample_rate: null, channels: null, lossless: false },
  ...{ cover_sha256: null, cover_mime: null },
};

const media: MusicMedia = {
  probe: () => Promise.reject(new Error('cases are probed already')),
  keepCover: () => Promise.resolve(null),
  convert: () => Promise.reject(new Error('nothing is converted')),
  rest: () => undefined,
};

function catalogOf(index: CatalogIndex, { context }: EvaluatedCase, batch: Batch): MusicCatalog {
  const { album_id = null, track_id = null } = context.request ?? {};
  const times = { created_at: 0, fulfilled_at: null };
  const request = { status: 'pending' as const, album_id, track_id, requested_by: 'eval', ...times };
  return {
    ...catalogOver(() => index),
    request: (id) => Promise.resolve(id === batch.context_id ? { id, ...request } : undefined),
  };
}

/** A duplicate was matched to its track as surely as the file that was taken instead of it. */
function outcomeOf(fileId: string, jobs: ReadonlyMap<string, MusicJob>): FileOutcome {
  const job = jobs.get(fileId);
  const taken = job?.phase === 'duplicate' ? jobs.get(job.duplicate_of) : job;
  const approved = taken?.status === 'CONVERTING' ? taken.matched_track_id : null;
  return {
    file_id: fileId,
    decision: approved === null ? 'review' : `track:${approved}`,
    answer: job?.agent?.answer ?? null,
  };
}

function batchOf(one: EvaluatedCase): Batch {
  const requested = one.context.type === 'download_request';
  return {
    schema_version: 1,
    id: one.case_id,
    label: one.case_id,
    context_type: requested ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS',
    context_id: requested ? `request of ${one.case_id}` : null,
    created_at: 0,
    state: 'staged',
    total: one.files.length,
    taken: one.files.length,
    archives: [],
    companions: [],
    notice: null,
    demo: false,
  };
}
