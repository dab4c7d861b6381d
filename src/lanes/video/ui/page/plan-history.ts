/** Plans and what became of them, for the history of the Video page. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { isRename, type Plan, type PlanState } from '#core/plan/plan.ts';
import type { JournalEnd } from '#core/plan/rename-journal.ts';
import { isRecognition } from '#lanes/video/core/recognize-protocol.ts';

export type PlanEntry = Awaited<ReturnType<typeof historyOf>>[number];

/** Newest first. */
export async function historyOf(db: Pick<AccessionDb, 'plans' | 'rename_journals'>, limit: number) {
  const rows = await db.plans.orderBy('state.created_at').reverse().limit(limit).toArray();
  return Promise.all(
    rows.map(async ({ plan, state }) => {
      const journals =
        plan.task === 'rename-files' ? await db.rename_journals.where('plan_id').equals(plan.id).toArray() : [];
      const journal = journals.toSorted((a, b) => a.head.started_at - b.head.started_at).at(-1);
      return {
        id: plan.id,
        plan,
        /** What became of it. */
        words: state.taken_back === undefined ? wordsOf(plan, journal) : 'Recognised and taken back',
        folder: plan.mediaFolderPath.slice(1),
        /** Who had the last word. */
        by: state.taken_back?.by ?? state.decided_by ?? state.created_by,
        madeBy: state.created_by,
        decidedBy: state.decided_by,
        when: new Date(state.taken_back?.at ?? state.decided_at ?? state.created_at),
        problem: state.problem ?? null,
        /** The folder's id; null where nothing was renamed. */
        root: journal?.root ?? null,
        canUndo: journal?.open === 0 && journal.ended === 'done',
        /** What it recorded can be taken back. */
        canTakeBack: isRecognition(plan) && plan.status === 'completed' && isRecorded(state),
      };
    }),
  );
}

/** Plans of before records were kept say not whose word they are. */
const isRecorded = ({ source, taken_back }: PlanState): boolean => source !== undefined && taken_back === undefined;

const ENDS: Record<JournalEnd, string> = {
  done: 'Renamed',
  undone: 'Renamed and undone',
  'rolled-back': 'Begun and put back',
  abandoned: 'Left half-way',
};

function wordsOf(plan: Plan, journal: { open: 0 | 1; ended: JournalEnd | null } | undefined): string {
  if (journal !== undefined) return journal.ended === null ? 'Interrupted' : ENDS[journal.ended];
  if (plan.task === 'rename-files')
    return { pending: 'Rename waits', completed: 'Renamed', rejected: 'Not renamed' }[plan.status];
  return { pending: 'Recognition waits', completed: 'Recognised', rejected: 'Recognition rejected' }[plan.status];
}

/** The plan's entries, below its folder. */
export function linesOf(plan: Plan, most: number): { from: string; to: string }[] {
  const below = (path: string): string => path.slice(plan.mediaFolderPath.length + 1);
  if (isRename(plan)) return plan.files.slice(0, most).map(({ from, to }) => ({ from: below(from), to: below(to) }));
  if (!isRecognition(plan)) return [];
  const two = (number: number): string => `${number}`.padStart(2, '0');
  return plan.files
    .slice(0, most)
    .map(({ path, season, episode }) => ({ from: below(path), to: `S${two(season)}E${two(episode)}` }));
}
