/**
 * What may be done to a plan, as pure changes; who refuses throws AccessionError and changes nothing.
 *
 *   begin -> building --add--> building --end--> ready (listed) --update--> completed | rejected
 *                   \--update: rejected--> rejected (who cancels need not wait for the agent)
 */
import { AccessionError, failed, failure, type Failure } from '../errors.ts';
import type { PlacedEntry } from './folder-files.ts';
import type { KeptPlan, PlanState, PlanStatus } from './plan.ts';
import type { PlanKind } from './plan-kind.ts';

/** Files of one plan: far more than a show has, and few enough that the document is written at once. */
export const MOST_FILES = 20_000;

export function taskNotFound(id: string): AccessionError {
  return failed('not_found', `The task "${id.slice(0, 60)}" was not found.`, {
    remedy: 'Begin a task and use the id that it answers.',
    subject: id.slice(0, 60),
  });
}

/** `conflict`, with a sentence for a person and the path that it is about. */
export function refusal(sentence: string, subject?: string): AccessionError {
  return failed('conflict', sentence, subject === undefined ? {} : { subject });
}

export interface Beginning extends Pick<PlanState, 'source' | 'about'> {
  by: string;
  /** Milliseconds. */
  now: number;
  key?: string | undefined;
}

/** PLAN-40: a plan that nobody has added to. */
export function begun(
  task: string,
  id: string,
  mediaFolderPath: string,
  { by, now, key, source, about }: Beginning,
): KeptPlan {
  return {
    plan: { id, task, status: 'pending', mediaFolderPath, files: [] },
    state: {
      stage: 'building',
      created_at: now,
      created_by: by,
      ready_at: null,
      decided_at: null,
      decided_by: null,
      sources: {},
      notes: {},
      ...(source === undefined ? {} : { source }),
      ...(about === undefined ? {} : { about }),
      ...(key ? { keys: [key] } : {}),
    },
  };
}

/** The plan, where it is of that kind and still being built. */
export function buildable(kept: KeptPlan, task: string): KeptPlan {
  const { plan, state } = kept;
  if (plan.task !== task) throw taskNotFound(plan.id);
  if (plan.status === 'rejected') throw new AccessionError(cancelledByPerson());
  if (plan.status === 'completed') throw refusal('This plan was confirmed already: begin a new task.');
  if (state.stage === 'ready') throw refusal('This task was ended and is with the person: begin a new task.');
  return kept;
}

/** Adds entries by the rules of their kind, all or none; of a plan that can be carried out their sources are noted. */
export function withEntries(
  kept: KeptPlan,
  kind: PlanKind,
  entries: readonly PlacedEntry[],
  hintOf: (path: string) => unknown,
): KeptPlan {
  if (kept.plan.task !== kind.task) throw taskNotFound(kept.plan.id);
  const files = [...kept.plan.files];
  const sources: PlanState['sources'] = {};
  for (const { entry, sources: own } of entries) {
    if (files.length >= MOST_FILES) throw refusal(`A plan has at most ${MOST_FILES} files.`);
    kind.check(files, entry, hintOf);
    files.push(entry);
    if (kind.execution !== null) Object.assign(sources, own);
  }
  return withNotes({ ...kept, plan: { ...kept.plan, files } }, {}, sources);
}

/** PLAN-42 */
export function ended(kept: KeptPlan, now: number): KeptPlan {
  if (kept.plan.files.length === 0)
    throw failed('invalid', 'The task has no files: an empty plan is not shown to anybody.', {
      remedy: 'Add files to the task, or leave it.',
    });
  return { ...kept, state: { ...kept.state, stage: 'ready', ready_at: now } };
}

/** PLAN-45 */
export function decided(kept: KeptPlan, status: Exclude<PlanStatus, 'pending'>, by: string, now: number): KeptPlan {
  const { plan, state } = pendingStill(kept);
  if (status === 'completed' && state.stage !== 'ready')
    throw refusal('The plan is still being made: it cannot be updated to completed before its task is ended.');
  const { problem: _over, ...rest } = state;
  return { plan: { ...plan, status }, state: { ...rest, decided_at: now, decided_by: by } };
}

/** The plan without its files, for a person who changes rows before confirming. */
export function emptied(kept: KeptPlan): KeptPlan {
  const { plan, state } = pendingStill(kept);
  return { plan: { ...plan, files: [] }, state: { ...state, sources: {} } };
}

/** The state with what is said about files laid over what was said before. */
export function withNotes(kept: KeptPlan, notes: PlanState['notes'], sources: PlanState['sources'] = {}): KeptPlan {
  const { state } = kept;
  return {
    ...kept,
    state: { ...state, notes: { ...state.notes, ...notes }, sources: { ...state.sources, ...sources } },
  };
}

/** PLAN-97: what its confirmation wrote down is gone; the plan stays `completed`, as its document cannot say more. */
export function takenBack(kept: KeptPlan, by: string, now: number): KeptPlan {
  return kept.state.taken_back === undefined
    ? { ...kept, state: { ...kept.state, taken_back: { at: now, by } } }
    : kept;
}

function pendingStill(kept: KeptPlan): KeptPlan {
  if (kept.plan.status === 'pending') return kept;
  throw refusal(`The plan is ${kept.plan.status} already: it cannot be updated.`);
}

/** After a rejection every further call of the agent answers this. Not retryable: asking again changes nothing. */
function cancelledByPerson(): Failure {
  const said = failure('cancelled', 'The person cancelled this task.', {
    remedy: 'Stop here: begin a new task only when the person asks for one.',
  });
  return { ...said, retryable: false };
}
