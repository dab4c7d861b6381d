/**
 * Steps of a whole group, stored once. They are in the log of the first of its jobs; each other job has one row in their
 * place (`same_as`), under the number of the first of them, and the numbers of the others stay free:
 *
 *   stored   job a: 1 Context, 2 ToolCall, 3 ToolResult, 4 Decision    job b: 1 Context, 2 = a 2..3, 4 Decision
 *   shown    job a: 1 Context, 2 ToolCall, 3 ToolResult, 4 Decision    job b: 1 Context, 2 ToolCall, 3 ToolResult, 4 ...
 *
 * Such a row never points at another one of its kind.
 */
import type { ReasoningStep, SameSteps, StepDraft } from './job.ts';

/** Steps that several jobs have together: written with the first of them, named by the others. Lives for one change. */
export class GroupSteps {
  readonly drafts: readonly StepDraft[];
  /** Where they are; null while no job has them. */
  written: SameSteps | null;

  constructor(drafts: readonly StepDraft[], written: SameSteps | null = null) {
    this.drafts = drafts;
    this.written = written;
  }
}

/** What a row says by itself: where its steps cannot be found it is shown as it is. */
export function sameStepsSentence(count: number): string {
  return `${count} steps that it has together with the other files of its group.`;
}

/** The number of the last step that a row stands for. */
export function lastNumber({ step_number, same_as }: Pick<ReasoningStep, 'step_number' | 'same_as'>): number {
  return step_number + (same_as?.count ?? 1) - 1;
}

/** A row of one job's log; on the wire the job is not in it. */
type Row = Pick<ReasoningStep, 'id' | 'step_number' | 'same_as'>;

/** The steps that a row stands for, as steps of its own job; `found`: rows of the other job. */
export function inPlaceOf<S extends Row>(row: S, { step_number: first, count }: SameSteps, found: readonly S[]): S[] {
  const there = found.filter(({ step_number: n, same_as }) => !same_as && n >= first && n < first + count);
  const { same_as: _same, ...own } = row;
  return there.map((step) => {
    const at = step.step_number - first;
    return { ...own, ...step, ...ownerOf(row), id: `${row.id}.${at}`, step_number: row.step_number + at };
  });
}

const ownerOf = (row: object): object => ('job_id' in row ? { job_id: row.job_id } : {});

/**
 * A job's log as it is shown. `read`: rows of another job, from a number on, so many; one that has none there (it is gone,
 * or not here yet) leaves the row as it is.
 */
export async function wholeLog<S extends Row>(
  rows: readonly S[],
  read: (same: SameSteps) => Promise<readonly S[]>,
): Promise<S[]> {
  const known = new Map<string, S>();
  for (const row of rows) {
    const steps = row.same_as ? inPlaceOf(row, row.same_as, await read(row.same_as)) : [row];
    // What was exported and taken in again may be here as rows, too.
    for (const step of steps.length === 0 ? [row] : steps) known.set(step.id, step);
  }
  return [...known.values()].sort((a, b) => a.step_number - b.step_number);
}

/**
 * Jobs are deleted whose steps others point at: the first of those others takes each set over. `pointing`: the rows that
 * stay and point at the deleted jobs. Answers what is to be written in place of what.
 */
export async function handOver(
  pointing: readonly ReasoningStep[],
  read: (same: SameSteps) => Promise<readonly ReasoningStep[]>,
): Promise<{ put: ReasoningStep[]; drop: string[] }> {
  const put: ReasoningStep[] = [];
  const drop: string[] = [];
  const heirs = new Map<string, SameSteps>();
  for (const row of pointing) {
    if (!row.same_as) continue;
    const key = `${row.same_as.job_id} ${row.same_as.step_number}`;
    const heir = heirs.get(key);
    if (heir) put.push({ ...row, same_as: heir });
    else {
      put.push(...inPlaceOf(row, row.same_as, await read(row.same_as)));
      drop.push(row.id);
      heirs.set(key, { ...row.same_as, job_id: row.job_id, step_number: row.step_number });
    }
  }
  return { put, drop };
}
