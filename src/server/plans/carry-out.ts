/**
 * A plan that a person confirmed, carried out by the server as its kind says.
 *
 *   PLAN-60 it is carried out as it was shown (by the hash of its preview) or not at all; only then it is completed.
 *           What stops it is noted with the plan, which is still pending
 */
import { failed } from '#core/errors.ts';
import { randomUuids } from '#core/ids.ts';
import type { PlanExecution } from '#core/plan/plan-kind.ts';
import type { KeptPlan, Plan } from '#core/plan/plan.ts';
import type { RenamePreview } from '#core/plan/preview-rename.ts';
import type { RenameOutcome, UndoOutcome } from '#core/plan/rename-run.types.ts';
import { HttpError } from '../http/http-error.ts';
import type { PlansDeps, ServerPlans } from './server-plans.ts';

type Deps = Pick<PlansDeps, 'plans' | 'clock'>;
export type CarriedOut = Extract<RenameOutcome, { result: 'done' }> & Pick<PlanExecution, 'done'>;

/** Throws HttpError 409 with what is in the way; the plan is pending then. */
export async function carryOut(
  deps: Deps,
  { service }: Pick<ServerPlans, 'service'>,
  id: string,
  hash: string,
  by: string,
): Promise<CarriedOut> {
  const { plan, state, execution } = await executable(deps, service, id);
  if (plan.status !== 'pending') throw alreadyDecided(plan);
  if (state.stage !== 'ready')
    throw new HttpError('conflict', 'The plan is still being made: it cannot be updated.', {
      remedy: 'Wait until it is ready: a message on the WebSocket says so.',
    });
  const outcome = await execution.execute({
    ...(await folderOf(deps, plan)),
    plan,
    hash,
    state,
    by,
    journal: deps.plans.journal,
    clock: deps.clock,
    ids: randomUuids,
  });
  if (outcome.result === 'done') return { ...outcome, done: execution.done };
  const why = reasonOf(outcome);
  await service.note(id, {}, why);
  throw refusal(why, outcome);
}

/** What carrying it out would do now, and the hash that confirms it. */
export async function previewOf(
  deps: Deps,
  { service }: Pick<ServerPlans, 'service'>,
  id: string,
): Promise<RenamePreview> {
  const { plan, state, execution } = await executable(deps, service, id);
  const { tree } = await folderOf(deps, plan);
  return execution.preview(tree, plan, state);
}

/** Everything is as before again, or nothing is. Throws HttpError 409 with what is in the way. */
export async function undoPlan(
  deps: Deps,
  { service }: Pick<ServerPlans, 'service'>,
  id: string,
  by: string,
): Promise<Extract<UndoOutcome, { result: 'undone' }>> {
  const { plan, state, execution } = await executable(deps, service, id);
  const folder = await folderOf(deps, plan);
  const outcome = await execution.undo({
    ...folder,
    ...{ plan, state, planId: id },
    by,
    journal: deps.plans.journal,
    clock: deps.clock,
  });
  if (outcome.result === 'undone') return outcome;
  throw refusal(reasonOf(outcome), outcome);
}

async function executable(
  { plans }: Deps,
  service: ServerPlans['service'],
  id: string,
): Promise<KeptPlan & { execution: PlanExecution }> {
  const kept = await service.read(id, 'plan');
  const { execution } = plans.kinds.of(kept.plan.task);
  if (execution !== null) return { ...kept, execution };
  throw new HttpError('invalid', 'The server carries out nothing for a plan of this kind.');
}

async function folderOf({ plans }: Deps, { mediaFolderPath }: Plan) {
  const folder = await plans.folders.see(mediaFolderPath);
  if (folder) return folder;
  throw failed('not_found', `The folder "${mediaFolderPath}" is not there, or the server may not see it.`);
}

const READ_AGAIN = 'Read the plan again, and make a new one where the folder is to be changed further.';

function alreadyDecided(plan: Plan): HttpError {
  return new HttpError('conflict', `The plan is ${plan.status} already: it cannot be updated.`, { remedy: READ_AGAIN });
}

type Stopped = Exclude<RenameOutcome, { result: 'done' }> | Exclude<UndoOutcome, { result: 'undone' }>;

function reasonOf(outcome: Stopped): string {
  if (outcome.result !== 'refused') return outcome.failure.message;
  const [first, ...others] = outcome.problems;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${first?.message ?? 'The plan cannot be carried out.'}${more}`;
}

function refusal(why: string, outcome: Stopped): HttpError {
  const { result } = outcome;
  const problems = result === 'refused' ? { problems: outcome.problems } : {};
  const standing = result === 'stuck' ? { standing: outcome.standing } : {};
  const remedy = result === 'refused' ? (outcome.problems[0]?.remedy ?? READ_AGAIN) : outcome.failure.remedy;
  return new HttpError('conflict', why, { remedy, details: { result, ...problems, ...standing } });
}
