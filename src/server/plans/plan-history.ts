/** Plans of the server and what became of them, whoever carried them out: the API, an agent's person, the command line. */
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { Journal } from '#core/plan/rename-journal.ts';
import type { PlanExecution } from '#core/plan/plan-kind.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import type { PastPlan, PlanHistory } from '#core/sync/plan-protocol.ts';
import type { Reader } from '../store/schema.ts';
import { lanesOf, type PlansDeps, type ServerPlans } from './server-plans.ts';

/** Newest first, at most `limit`. Renames that were made beside the server are followed before. */
export async function historyOf(
  deps: PlansDeps,
  { records, service }: Pick<ServerPlans, 'records' | 'service'>,
  { limit, isOfKind = () => true }: { limit: number; isOfKind?: (task: string) => boolean },
): Promise<PlanHistory> {
  const { plans, store, clock } = deps;
  const journals = await plans.journal.list();
  for (const one of records) await one.follow(journals);
  const newest = new Map(journals.map((journal) => [journal.head.plan.id, journal]));
  await completeCarriedOut(deps, service, { newest, now: clock.now() });
  const wanted = (await plans.store.list()).filter(({ plan }) => isOfKind(plan.task));
  const all = wanted.flatMap((kept) => pastPlan(kept, newest.get(kept.plan.id), plans) ?? []);
  const page = all.sort((a, b) => b.at - a.at).slice(0, limit);
  const names = await namesOf(store.db, new Set(page.flatMap(({ made_by, done_by }) => [made_by, done_by])));
  const named = (id: string): string => names.get(id) ?? id;
  return {
    items: page.map((one) => ({ ...one, made_by: named(one.made_by), done_by: named(one.done_by) })),
    more: all.length > limit,
  };
}

/** Milliseconds after the end of a rename in which whoever carries it out completes the plan. */
const OWN_MS = 60_000;

/** Plans that the command line carried out beside the server wait for nobody any more. */
async function completeCarriedOut(
  deps: PlansDeps,
  service: ServerPlans['service'],
  { newest, now }: { newest: ReadonlyMap<string, Journal>; now: number },
): Promise<void> {
  for (const { task, execution } of deps.plans.kinds.all) {
    if (execution === null) continue;
    for (const kept of await service.pending(task)) {
      const journal = newest.get(kept.plan.id);
      const last = journal === undefined ? null : lastOf(journal, execution.done);
      if (journal === undefined || last?.can_undo !== true || last.at + OWN_MS > now) continue;
      await execution.follow?.(kept, journal);
      for (const lane of lanesOf(deps, kept.plan)) await lane.carriedOut?.(deps, kept, 'done');
      await service.update(kept.plan.id, 'completed', journal.head.started_by).catch(() => {
        // Somebody decided it meanwhile.
      });
    }
  }
}

/** Null for a plan that nothing became of yet. */
function pastPlan(
  { plan, state }: KeptPlan,
  journal: Journal | undefined,
  { kinds }: PlansDeps['plans'],
): PastPlan | null {
  const { execution } = kinds.of(plan.task);
  const about = {
    ...{ id: plan.id, task: plan.task, mediaFolderPath: plan.mediaFolderPath, files: plan.files.length },
    ...{ made_by: state.created_by, source: state.source ?? null, problem: state.problem ?? null },
  };
  const carriedOut = journal === undefined ? null : lastOf(journal, execution?.done ?? 'renamed');
  if (carriedOut !== null) return { ...about, ...carriedOut };
  if (plan.status === 'pending') return null;
  const decided = { at: state.decided_at ?? state.created_at, done_by: state.decided_by ?? state.created_by };
  if (plan.status === 'rejected') return { ...about, ...decided, result: 'rejected', can_undo: false };
  const { taken_back } = state;
  if (taken_back !== undefined)
    return { ...about, at: taken_back.at, done_by: taken_back.by, result: 'taken-back', can_undo: false };
  // What somebody else carried out, only they can undo. Plans of before records were kept say not whose word they are.
  const can_undo = execution === null && state.source !== undefined;
  return { ...about, ...decided, result: 'completed', can_undo };
}

/** How a journal stands, and who brought it there; null for one that cannot be read. */
function lastOf(
  journal: Journal,
  done: PlanExecution['done'],
): Pick<PastPlan, 'at' | 'done_by' | 'result' | 'can_undo'> | null {
  const { head, records } = journal;
  const end = records.findLast((record) => record.kind === 'end');
  const turn = records.findLast((record) => record.kind === 'turn');
  try {
    const { ended } = replayJournal(journal);
    const by = ended === 'done' ? head.started_by : (turn?.by ?? head.started_by);
    const result = ended === null ? 'interrupted' : ended === 'done' ? done : ended;
    return { at: end?.at ?? head.started_at, done_by: by, result, can_undo: ended === 'done' };
  } catch {
    return null;
  }
}

/** What people are called. Whoever works on the command line is called as the system calls them. */
async function namesOf(db: Reader, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
