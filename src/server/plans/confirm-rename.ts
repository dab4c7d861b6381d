/**
 * A rename plan that a person confirmed, carried out by the server.
 *
 *   PLAN-60 it is carried out as it was shown (by the hash of its preview) or not at all; only then it is completed.
 *           What stops it is noted with the plan, which is still pending
 */
import { AccessionError, failure } from '#core/errors.ts';
import { executeRename } from '#core/plan/execute-rename.ts';
import { previewRename, type RenamePreview } from '#core/plan/preview-rename.ts';
import type { RenameFilesPlan } from '#core/plan/plan.ts';
import type { PlanState } from '#core/plan/plan-store.ts';
import type { RenameOutcome, UndoOutcome } from '#core/plan/rename-run.types.ts';
import { undoRename } from '#core/plan/undo-rename.ts';
import { randomUuids } from '#core/plan/uuid.ts';
import { HttpError } from '../http/http-error.ts';
import type { PlansDeps, ServerPlans } from './server-plans.ts';

type Deps = Pick<PlansDeps, 'plans' | 'clock'>;
export type Renamed = Extract<RenameOutcome, { result: 'done' }>;

/** Throws HttpError 409 with what stands in the way; the plan is pending then. */
export async function confirmRename(
  deps: Deps,
  { service }: Pick<ServerPlans, 'service'>,
  id: string,
  hash: string,
  by: string,
): Promise<Renamed> {
  const { plan, state } = await renamePlan(service, id);
  if (plan.status !== 'pending') throw alreadyDecided(plan);
  if (state.stage !== 'ready') throw new HttpError('conflict', 'The plan is still being made: it cannot be updated.');
  const { tree, root } = await seen(deps, plan);
  const outcome = await executeRename({
    tree,
    root,
    plan,
    hash,
    state,
    by,
    journal: deps.plans.journal,
    clock: deps.clock,
    ids: randomUuids,
  });
  if (outcome.result === 'done') return outcome;
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
  const { plan, state } = await renamePlan(service, id);
  const { tree } = await seen(deps, plan);
  return previewRename(tree, plan, state);
}

/** Every file gets its former name again, or none does. Throws HttpError 409 with what stands in the way. */
export async function undoPlan(
  deps: Deps,
  { service }: Pick<ServerPlans, 'service'>,
  id: string,
  by: string,
): Promise<Extract<UndoOutcome, { result: 'undone' }>> {
  const { plan } = await renamePlan(service, id);
  const { tree, root } = await seen(deps, plan);
  const outcome = await undoRename({ tree, root, planId: id, by, journal: deps.plans.journal, clock: deps.clock });
  if (outcome.result === 'undone') return outcome;
  throw refusal(reasonOf(outcome), outcome);
}

async function renamePlan(
  service: ServerPlans['service'],
  id: string,
): Promise<{ plan: RenameFilesPlan; state: PlanState }> {
  const { plan, state } = await service.read(id, 'plan');
  if (plan.task === 'rename-files') return { plan, state };
  throw new HttpError('invalid', 'This plan recognises files: there is nothing to rename in it.');
}

async function seen(deps: Deps, plan: RenameFilesPlan) {
  const folder = await deps.plans.folders.see(plan.mediaFolderPath);
  if (folder) return folder;
  throw new AccessionError(
    failure('not_found', `The folder "${plan.mediaFolderPath}" is not there, or the server may not see it.`),
  );
}

function alreadyDecided(plan: RenameFilesPlan): HttpError {
  return new HttpError('conflict', `The plan is ${plan.status} already: it cannot be updated.`);
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
  const told = result === 'refused' ? { problems: outcome.problems } : {};
  const standing = result === 'stuck' ? { standing: outcome.standing } : {};
  return new HttpError('conflict', why, { details: { result, ...told, ...standing } });
}
