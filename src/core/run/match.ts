/** Matching a batch: facts are read, the lane decides by a pure function, the plan is applied once. */
import type { AgentModel } from '../agent/workflow/ports.ts';
import { toFailure } from '../errors.ts';
import { applyEvent, changeBatch, touchBatch } from '../job/apply.ts';
import { isUndecided, type Batch, type Job, type StepDraft } from '../job/job.ts';
import { GroupSteps } from '../job/shared-steps.ts';
import type { AgentEngine } from './agent.ts';
import { keepDoubts } from './doubts.ts';
import type { BatchPlan, LaneRun } from './lane-run.ts';
import { isLockLost } from './job-store.ts';
import { isLocal, laneOf, type Station } from './ports.ts';

/** Matches the next batch that is ready for it. Answers false when there is none. */
export async function matchNext(station: Station): Promise<boolean> {
  const { store } = station;
  if (!(await tendLanes(station))) return false;
  const working = new Set((await store.jobsIn('PROCESSING')).map((job) => job.batch_id));
  for (const batch of await store.batches('staged')) {
    // The rows of a thousand files, or of all former drops, are not read for nothing at each turn.
    if (!working.has(batch.id) && !batch.rematch) continue;
    const jobs = await store.jobsOfBatch(batch.id);
    if (jobs.some((job) => job.phase === 'queued' || job.phase === 'probing')) continue;
    const fresh = jobs.some((job) => job.phase === 'grouping' || job.phase === 'searching');
    if (!fresh && !batch.rematch) continue;
    if (!jobs.some(isUndecided)) {
      await store.change((rows) => changeBatch(rows, batch.id, { rematch: false }));
      continue;
    }
    const lanes = [...new Set(jobs.map((job) => laneOf(station, job)))];
    // Before anything is read: facts that are older than the rows would not know an album that was just created.
    if (!(await areReady(station, lanes, batch))) continue;
    try {
      if (await matchBatch(station, batch, jobs, lanes)) return true;
    } catch (error) {
      if (isLockLost(error)) throw error;
      const why = toFailure(error);
      const then = isLocal(why) ? station.onLocalFailure(why) : 'fail';
      // Tried again in a while.
      if (then === 'wait') throw error;
      if (then === 'stop') {
        station.stopWith(why);
        return false;
      }
      await failBatch(station, batch, error);
      return true;
    }
  }
  return false;
}

/** What the matcher broke on is a failure of these files, said in their rows; other batches go on. */
async function failBatch(station: Station, batch: Batch, error: unknown): Promise<void> {
  await station.store.change(async (rows) => {
    for (const job of await rows.jobsOfBatch(batch.id)) {
      if (job.phase !== 'grouping' && job.phase !== 'searching' && job.phase !== 'thinking') continue;
      await applyEvent(rows, station, job.id, { type: 'failed', failure: toFailure(error, job.original_filename) });
    }
    await changeBatch(rows, batch.id, { rematch: false });
  });
}

/** False: the run stops. */
async function tendLanes(station: Station): Promise<boolean> {
  const tended = await atThisPlace(station, async () => {
    for (const lane of station.lanes) await lane.tend?.();
    return true;
  });
  return tended ?? false;
}

async function areReady(station: Station, lanes: readonly LaneRun[], batch: Batch): Promise<boolean> {
  const ready = await atThisPlace(station, async () => {
    for (const lane of lanes) if (!(await lane.isReady(station.store, batch))) return false;
    return true;
  });
  return ready ?? false;
}

/**
 * A local failure (no space, no server) is none of the files: throws it where it may pass, to be tried again. null:
 * the run stops, because another place may do better.
 */
async function atThisPlace<T>(station: Station, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const why = toFailure(error);
    if (!isLocal(why) || station.onLocalFailure(why) !== 'stop') throw error;
    station.stopWith(why);
    return null;
  }
}

async function matchBatch(
  station: Station,
  batch: Batch,
  before: readonly Job[],
  lanes: readonly LaneRun[],
): Promise<boolean> {
  const { store } = station;
  const jobs = await markSearching(station, before);
  const model = await station.agent.model(batch);
  const decided: Decided[] = [];
  for (const lane of lanes) {
    const own = jobs.filter((job) => laneOf(station, job) === lane);
    if (!own.some(isUndecided)) continue;
    const facts = await lane.readFacts(store, batch, own);
    if (facts === null) return false;
    decided.push({ lane, facts, ...(await decide(station, lane, facts, model)) });
  }
  await applyPlans(station, batch, decided);
  return true;
}

interface Decided {
  lane: LaneRun;
  facts: unknown;
  plan: BatchPlan;
  /** The agent that its doubts are put to; null where there is none. */
  asked: { engine: AgentEngine; model: AgentModel } | null;
}

/** The agent's code is fetched only for a doubt; where it cannot be, a person is asked as if there were none. */
async function decide(
  station: Station,
  lane: LaneRun,
  facts: unknown,
  model: AgentModel | null,
): Promise<Pick<Decided, 'plan' | 'asked'>> {
  const { engine } = lane;
  if (model === null || engine === undefined) return { plan: lane.decide(facts, 'off'), asked: null };
  const plan = lane.decide(facts, 'on');
  if (plan.doubts.length === 0) return { plan, asked: null };
  try {
    return { plan, asked: { model, engine: await engine.call(lane) } };
  } catch (error) {
    station.onError(error);
    return { plan: lane.decide(facts, 'off'), asked: null };
  }
}

async function markSearching(station: Station, jobs: readonly Job[]): Promise<Job[]> {
  const { store } = station;
  return store.change(async (rows) => {
    for (const job of jobs)
      if (job.phase === 'grouping') await applyEvent(rows, station, job.id, { type: 'searching' });
    return rows.jobs(jobs.map((job) => job.id));
  });
}

async function applyPlans(station: Station, batch: Batch, decided: readonly Decided[]): Promise<void> {
  await station.store.change(async (rows) => {
    const now = await rows.batch(batch.id);
    // Somebody answered while we computed: this plan is of yesterday, the next round makes a new one.
    if (!now || (now.revision ?? 0) !== (batch.revision ?? 0)) return;
    await rows.putBatch({ ...now, rematch: false });
    const groups = new Map<readonly StepDraft[], GroupSteps>();
    const groupOf = (steps: readonly StepDraft[]): GroupSteps => {
      const group = groups.get(steps) ?? new GroupSteps(steps);
      groups.set(steps, group);
      return group;
    };
    for (const { lane, plan, facts, asked } of decided) {
      for (const { job_id, group_id } of plan.groups)
        await applyEvent(rows, station, job_id, { type: 'grouped', group_id });
      for (const { job_id, event, before, together = [] } of plan.events) {
        // The searches are in its log since it went to the agent, unless that gave the matcher more to compare.
        const job = await rows.job(job_id);
        const fromAgent = job?.phase === 'thinking' || job?.agent?.fresh === true;
        const isKnown = fromAgent && (job.agent?.looked_up.length ?? 0) === 0;
        const ofGroup = isKnown ? null : groupOf(together);
        const after = await applyEvent(rows, station, job_id, event, isKnown ? [] : before, ofGroup);
        if (after) await lane.onPlanned?.(rows, station, after, facts);
      }
      await keepDoubts(rows, station, batch.id, plan.doubts, asked);
      for (const review of plan.reviews) await rows.putReview(review);
      for (const id of plan.withdrawn) {
        const review = await rows.review(id);
        if (review)
          await rows.putReview({
            ...{ ...review, resolved_at: station.clock.now() },
            ...{ selected_option: 'withdrawn', resolved_by_user_id: null },
          });
      }
    }
    // No job may stay "searching": what the matcher did not speak of is like nothing that the catalog has.
    const left = (await rows.jobsOfBatch(batch.id)).filter((job) => job.phase === 'searching');
    const why = 'nothing in the catalog is like it';
    for (const job of left) await applyEvent(rows, station, job.id, { type: 'rejected', why });
    if (left.length > 0) await touchBatch(rows, batch.id);
  });
}
