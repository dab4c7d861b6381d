/** A person's word about a plan of the server: carried out, written down, taken back. */
import { failed, toFailure } from '#core/errors.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import type { UpdatePlanSchema } from '#core/sync/plan-protocol.ts';
import type * as v from 'valibot';
import { HttpError } from '../http/http-error.ts';
import type { Done } from '../http/mutate.ts';
import { carryOut, undoPlan } from './carry-out.ts';
import { recoverPlan } from './recover-plans.ts';
import { lanesOf, type PlanRecords, type PlansDeps, type ServerPlans } from './server-plans.ts';

type Plans = Pick<ServerPlans, 'service' | 'records'>;

/** PLAN-45, PLAN-60, PLAN-90 */
export async function decidePlan(
  deps: PlansDeps,
  plans: Plans,
  { planId, status, previewHash }: v.InferOutput<typeof UpdatePlanSchema>,
  by: string,
): Promise<Done> {
  const { service } = plans;
  const carriedOut =
    status === 'completed' && previewHash !== undefined
      ? await inOrder(deps, planId, () => carryOut(deps, plans, planId, previewHash, by))
      : null;
  if (carriedOut !== null) await followFiles(deps, plans, planId, 'done');
  const applied = status === 'completed' ? await applyPlan(plans, planId, by) : null;
  const { plan } = await decided(plans, planId, () => service.update(planId, status, by), applied !== null);
  const { result: _result, done, ...outcome } = carriedOut ?? { result: null, done: 'completed' as const };
  const details = {
    task: plan.task,
    folder: plan.mediaFolderPath,
    files: plan.files.length,
    ...(carriedOut === null ? {} : { renamed: carriedOut.renamed, journal: carriedOut.journalId }),
    ...(applied === null ? {} : { recorded: applied.written }),
  };
  const action = status === 'rejected' ? 'plan.rejected' : (`plan.${done}` as const);
  const answer = {
    success: true,
    plan,
    ...(carriedOut === null ? {} : { outcome }),
    ...(applied === null ? {} : { recorded: applied }),
  };
  return { status: 200, body: answer, audit: { action, entity_id: planId, details } };
}

/** DOCUMENT-111: what is left open, as the process that did it died, is put in order now. */
async function inOrder<T>(deps: PlansDeps, planId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What is answered with is the work's own word: nothing is open.
    if (error instanceof HttpError) throw error;
    const became = await recoverPlan(deps, planId);
    if (became === null) throw error;
    const { code, message } = toFailure(error);
    throw failed(code, `${message} ${became}`, {
      remedy: 'Look at the plan in the history before you decide again.',
      cause: error,
    });
  }
}

/** What the plan says is written down before it is completed; null where it is of no such kind, or cannot be completed. */
async function applyPlan(plans: Plans, planId: string, by: string): Promise<{ written: number; kept: number } | null> {
  const kept = await plans.service.read(planId, 'plan');
  const records = recordsFor(plans, kept);
  if (records === undefined || kept.plan.status !== 'pending' || kept.state.stage !== 'ready') return null;
  const { written, kept: stands } = await records.apply(kept, by);
  return { written, kept: stands };
}

/** Where the plan is not completed after all, nothing of it stays written down. */
async function decided(
  plans: Plans,
  planId: string,
  update: () => Promise<KeptPlan>,
  isApplied: boolean,
): Promise<KeptPlan> {
  try {
    return await update();
  } catch (error) {
    const now = isApplied ? await plans.service.read(planId, 'plan') : null;
    if (now !== null && now.plan.status !== 'completed') await recordsFor(plans, now)?.takeBack(planId);
    throw error;
  }
}

/** PLAN-88, PLAN-97: every file has its former name again, or what was recorded is as before. Throws HttpError 404, 409. */
export async function undoDecision(deps: PlansDeps, plans: Plans, id: string, by: string): Promise<Done> {
  const kept = await plans.service.read(id, 'plan');
  const records = recordsFor(plans, kept);
  if (records === undefined) {
    const { journalId, renamed } = await inOrder(deps, id, () => undoPlan(deps, plans, id, by));
    if (deps.plans.kinds.of(kept.plan.task).execution?.follow !== undefined) await plans.service.takeBack(id, by);
    await followFiles(deps, plans, id, 'undone');
    const audit = { action: 'plan.undone', entity_id: id, details: { renamed } } as const;
    return { status: 200, body: { journalId, renamed }, audit };
  }
  if (kept.plan.status !== 'completed' || kept.state.taken_back !== undefined) {
    const remedy = 'Nothing to do: nothing of this plan is written down.';
    const what = kept.plan.status === 'completed' ? 'was taken back already' : `is ${kept.plan.status}`;
    throw new HttpError('conflict', `The plan ${what}.`, { remedy });
  }
  const recorded = await records.takeBack(id);
  await plans.service.takeBack(id, by);
  return {
    status: 200,
    body: { journalId: null, renamed: 0, recorded },
    audit: { action: 'plan.undone', entity_id: id, details: { recorded } },
  };
}

function recordsFor({ records }: Plans, { plan }: KeptPlan): PlanRecords | undefined {
  return records.find(({ task }) => task === plan.task);
}

/** The files are as they are to be, whatever becomes of this: at the next start, or the next look, what is known of them follows again. */
async function followFiles(
  deps: PlansDeps,
  { records, service }: Plans,
  planId: string,
  way: 'done' | 'undone',
): Promise<void> {
  try {
    const kept = await service.read(planId, 'plan');
    for (const lane of lanesOf(deps, kept.plan)) await lane.carriedOut?.(deps, kept, way);
    const journals = await deps.plans.journal.list({ planId });
    for (const one of records) await one.follow(journals);
  } catch (error) {
    deps.log.error('the records of renamed files have not followed yet', { plan: planId, error: String(error) });
  }
}
