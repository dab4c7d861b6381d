/** Plans of the server: what its routes, its tools and its start share. */
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { randomUuids } from '#core/ids.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { planKinds, type PlanKind, type PlanKinds } from '#core/plan/plan-kind.ts';
import { createPlanService, type PlanService } from '#core/plan/plan-service.ts';
import { listFiles, toolsOf, type PlanToolContext } from '#core/plan/plan-tools.ts';
import type { PlanStore } from '#core/plan/plan.ts';
import { renameFiles } from '#core/plan/rename-files.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
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

/** What a lane adds to the server's plans. */
export interface LanePlans {
  kinds: readonly PlanKind[];
  /** Tools beyond those of its kinds, which look at what the lane knows. */
  tools(world: { db: Reader; folders: SeenFolders }): readonly AgentTool<PlanToolContext>[];
}

/** What the server's plans are kept in and act on; made by main.ts. */
export interface PlanDeps {
  kinds: PlanKinds;
  lanes: readonly LanePlans[];
  store: PlanStore;
  journal: JournalStore;
  /** Directories below which folders may be seen, as accession.toml says them. */
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
  /** What tools may reach that this person, or their agent, calls. */
  context(by: string): PlanToolContext;
}

/** The kinds of plans that the server keeps: those of its lanes, and the engine's. */
export function serverKinds(lanes: readonly LanePlans[]): PlanKinds {
  return planKinds([...lanes.flatMap(({ kinds }) => kinds), renameFiles]);
}

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
    context: (by) => ({ plans: service, folders, by }),
  };
}
