/** Plans of the server: what its routes, its tools and its start share. */
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { randomUuids } from '#core/ids.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { planKinds, type PlanKind, type PlanKinds } from '#core/plan/plan-kind.ts';
import { createPlanService, type PlanService } from '#core/plan/plan-service.ts';
import { listFiles, toolsOf, type PlanToolContext } from '#core/plan/plan-tools.ts';
import type { KeptPlan, Plan, PlanStore } from '#core/plan/plan.ts';
import { renameFiles } from '#core/plan/rename-files.ts';
import type { Journal, JournalStore } from '#core/plan/rename-journal.ts';
import type { Clock } from '#core/ports.ts';
import { planReadyType } from '#core/sync/plan-protocol.ts';
import type { EventHub } from '../events.ts';
import type { Log } from '../log.ts';
import type { Reader } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Folders that the server may see. */
export interface SeenFolders {
  /** The folder, and what names it whichever way its path is written; null where it may not be seen. */
  see(mediaFolderPath: string): Promise<{ tree: FileTree; root: string } | null>;
}

/** What a lane writes down when a plan of its kind is confirmed, where the server carries nothing out for it. */
export interface PlanRecords {
  readonly task: string;
  /**
   * PLAN-90: writes down what the plan says, all of it or nothing; of a plan that was applied it changes nothing.
   * Throws AccessionError `not_found` where its folder cannot be seen.
   *
   * @returns files that have the plan's record now, and files of which a person's earlier word stands
   */
  apply(kept: KeptPlan, by: string): Promise<{ written: number; kept: number }>;
  /** Who confirmed the plan that is written down; null where it is not. */
  appliedBy(planId: string): Promise<string | null>;
  /** PLAN-97: takes away what the plan wrote down; answers of how many files. */
  takeBack(planId: string): Promise<number>;
  /** PLAN-95: records take the names that these renames gave their files, or gave back. */
  follow(journals: readonly Journal[]): Promise<void>;
}

/** What records are made of. */
export interface RecordWorld
  extends Pick<PlansDeps, 'store' | 'clock' | 'events'>, Pick<PlanDeps, 'folders' | 'journal'> {}

/** What a lane adds to the server's plans. */
export interface LanePlans {
  kinds: readonly PlanKind[];
  /** Tools beyond those of its kinds, which look at what the lane knows. */
  tools(world: { db: Reader; folders: SeenFolders }): readonly AgentTool<PlanToolContext>[];
  /** What confirmed plans of one of its kinds are written down as. */
  records?(world: RecordWorld): PlanRecords;
  /** The files of a plan are as planned now, or as before: what is known of their folder, and its records, follow. Done twice it is done once. */
  carriedOut?(world: CarriedOutWorld, kept: KeptPlan, way: 'done' | 'undone'): Promise<void>;
}
export type CarriedOutWorld = Pick<PlansDeps, 'store' | 'plans' | 'events' | 'log'>;

/** What the server's plans are kept in and act on; made by main.ts. */
export interface PlanDeps {
  kinds: PlanKinds;
  lanes: readonly LanePlans[];
  store: PlanStore;
  journal: JournalStore;
  /** Directories of videos below which folders may be seen, as accession.toml says them; lanes may name more. */
  roots: readonly string[];
  folders: SeenFolders;
  planPath(id: string): string;
}

export interface PlansDeps {
  plans: PlanDeps;
  store: Store;
  clock: Clock;
  events: EventHub;
  log: Log;
}

export interface ServerPlans {
  service: PlanService;
  /** Every tool of plans: those of each kind, then those that only look. */
  tools: readonly AgentTool<PlanToolContext>[];
  /** Of every kind whose confirmed plans are written down. */
  records: readonly PlanRecords[];
  /** What tools may reach that this person, or their agent, calls. */
  context(by: string): PlanToolContext;
}

/** The kinds of plans that the server keeps: those of its lanes, and the engine's. */
export function serverKinds(lanes: readonly LanePlans[]): PlanKinds {
  return planKinds([...lanes.flatMap(({ kinds }) => kinds), renameFiles]);
}

/** The lane that brings the plan's kind; none of the engine's own. */
export const lanesOf = ({ plans }: Pick<PlansDeps, 'plans'>, { task }: Pick<Plan, 'task'>): readonly LanePlans[] =>
  plans.lanes.filter(({ kinds }) => kinds.some((kind) => kind.task === task));

export function serverPlans({ store, clock, events, plans }: PlansDeps): ServerPlans {
  const { kinds, lanes, folders: seen } = plans;
  const folders = { open: async (path: string) => (await seen.see(path))?.tree ?? null };
  const service = createPlanService(kinds, {
    store: plans.store,
    clock,
    ids: randomUuids,
    folders,
    planPath: (id) => plans.planPath(id),
    ready: ({ task, task_id, plan_path }) =>
      events.emit({ type: planReadyType(task), taskId: task_id, planFilePath: plan_path }),
  });
  return {
    service,
    tools: [
      ...kinds.all.flatMap(toolsOf),
      listFiles,
      ...lanes.flatMap((lane) => lane.tools({ db: store.db, folders: seen })),
    ],
    records: lanes.flatMap(
      (lane) => lane.records?.({ store, clock, events, folders: seen, journal: plans.journal }) ?? [],
    ),
    context: (by) => ({ plans: service, folders, by }),
  };
}
