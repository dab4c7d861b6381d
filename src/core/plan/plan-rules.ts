/**
 * What may be done to a plan, as pure changes; who refuses throws AccessionError and changes nothing.
 *
 *   begin -> building --add--> building --end--> ready (listed) --update--> completed | rejected
 *                   \--update: rejected--> rejected (who cancels need not wait for the agent)
 */
import { AccessionError, failure, type Failure } from '../errors.ts';
import type { Plan, PlanStatus, PlanTask, RecognizedFile, RenameEntry } from './plan.ts';
import type { KeptPlan, PlanState } from './plan-store.ts';

/** Files of one plan: far more than a show has, and few enough that the document is written at once. */
export const MOST_FILES = 20_000;

/** What a file's name says of itself, where that allows what is refused otherwise: several episodes, or a part of one. */
export interface Said {
  episodes: readonly number[];
  part: number | null;
}

export function taskNotFound(id: string): AccessionError {
  return new AccessionError(
    failure('not_found', `The task "${id.slice(0, 60)}" was not found.`, {
      remedy: 'Begin a task and use the id that it answers.',
      subject: id.slice(0, 60),
    }),
  );
}

/** The plan, where it is of that kind and still being built. */
export function buildable(kept: KeptPlan, task: PlanTask): KeptPlan {
  const { plan, state } = kept;
  if (plan.task !== task) throw taskNotFound(plan.id);
  if (plan.status === 'rejected') throw new AccessionError(cancelledByPerson());
  if (plan.status === 'completed') throw refuse('This plan was confirmed already: begin a new task.');
  if (state.stage === 'ready') throw refuse('This task was ended and is with the person: begin a new task.');
  return kept;
}

/** PLAN-43 */
export function withRecognized(kept: KeptPlan, file: RecognizedFile, said: (path: string) => Said | null): KeptPlan {
  const { plan } = kept;
  if (plan.task !== 'recognize-media-file') throw taskNotFound(plan.id);
  if (plan.files.length >= MOST_FILES) throw refuse(`A plan has at most ${MOST_FILES} files.`);
  const words = said(file.path);
  for (const other of plan.files) {
    const sameEpisode = other.season === file.season && other.episode === file.episode;
    if (other.path === file.path) {
      const both = words !== null && [file.episode, other.episode].every((one) => words.episodes.includes(one));
      if (sameEpisode || other.season !== file.season || !both) {
        throw refuse(`"${nameOf(file.path)}" is in the plan already, as ${label(other)}.`, file.path);
      }
    } else if (sameEpisode) {
      const part = words?.part ?? null;
      const otherPart = said(other.path)?.part ?? null;
      if (part === null || otherPart === null || part === otherPart) {
        throw refuse(`${label(file)} is in the plan already, as "${nameOf(other.path)}".`, file.path);
      }
    }
  }
  return { ...kept, plan: { ...plan, files: [...plan.files, pickRecognized(file)] } };
}

/** PLAN-44 */
export function withRename(kept: KeptPlan, entry: RenameEntry): KeptPlan {
  const { plan } = kept;
  if (plan.task !== 'rename-files') throw taskNotFound(plan.id);
  if (plan.files.length >= MOST_FILES) throw refuse(`A plan has at most ${MOST_FILES} files.`);
  if (entry.from === entry.to) throw refuse(`"${nameOf(entry.from)}" has this name already.`, entry.from);
  for (const other of plan.files) {
    if (other.from === entry.from) throw refuse(`"${nameOf(entry.from)}" is in the plan already.`, entry.from);
    if (other.to === entry.to) {
      throw refuse(`"${nameOf(entry.to)}" is already to be the name of "${nameOf(other.from)}".`, entry.to);
    }
  }
  return { ...kept, plan: { ...plan, files: [...plan.files, { from: entry.from, to: entry.to }] } };
}

/** PLAN-42 */
export function ended(kept: KeptPlan, now: number): KeptPlan {
  if (kept.plan.files.length === 0) {
    throw new AccessionError(
      failure('invalid', 'The task has no files: an empty plan is not shown to anybody.', {
        remedy: 'Add files to the task, or leave it.',
      }),
    );
  }
  return { ...kept, state: { ...kept.state, stage: 'ready', ready_at: now } };
}

/** PLAN-45 */
export function decided(kept: KeptPlan, status: Exclude<PlanStatus, 'pending'>, by: string, now: number): KeptPlan {
  const { plan, state } = kept;
  if (plan.status !== 'pending') throw refuse(`The plan is ${plan.status} already: it cannot be updated.`);
  if (status === 'completed' && state.stage !== 'ready') {
    throw refuse('The plan is still being made: it cannot be updated to completed before its task is ended.');
  }
  const { problem: _over, ...rest } = state;
  return { plan: withStatus(plan, status), state: { ...rest, decided_at: now, decided_by: by } };
}

/** The plan without its files, for a person who changes rows before confirming. */
export function emptied(kept: KeptPlan): KeptPlan {
  if (kept.plan.status !== 'pending') throw refuse(`The plan is ${kept.plan.status} already: it cannot be updated.`);
  const plan: Plan = kept.plan.task === 'rename-files' ? { ...kept.plan, files: [] } : { ...kept.plan, files: [] };
  return { plan, state: kept.state };
}

/** The state with what is said about files laid over what was said before. */
export function withNotes(kept: KeptPlan, notes: PlanState['notes'], sources: PlanState['sources'] = {}): KeptPlan {
  const { state } = kept;
  return {
    ...kept,
    state: { ...state, notes: { ...state.notes, ...notes }, sources: { ...state.sources, ...sources } },
  };
}

/** After a rejection every further call of the agent answers this. Not retryable: asking again changes nothing. */
function cancelledByPerson(): Failure {
  const said = failure('cancelled', 'The person cancelled this task.', {
    remedy: 'Stop here: begin a new task only when the person asks for one.',
  });
  return { ...said, retryable: false };
}

function withStatus(plan: Plan, status: PlanStatus): Plan {
  return plan.task === 'rename-files' ? { ...plan, status } : { ...plan, status };
}

/** The specified fields in the specified order, whatever else the caller's object has. */
function pickRecognized({ season, episode, path }: RecognizedFile): RecognizedFile {
  return { season, episode, path };
}

function label({ season, episode }: RecognizedFile): string {
  return `season ${season} episode ${episode}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function refuse(sentence: string, subject?: string): AccessionError {
  return new AccessionError(failure('conflict', sentence, subject === undefined ? {} : { subject }));
}
