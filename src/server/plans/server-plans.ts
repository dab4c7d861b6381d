/** Plans of the server: what its routes, its tools and its start share. */
import type { MediaSource, PlanToolContext } from '#core/plan/tools/context.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { MediaFolders } from '#core/plan/folder-files.ts';
import { createPlanService, type PlanService } from '#core/plan/plan-service.ts';
import type { PlanStore } from '#core/plan/plan-store.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
import { randomUuids } from '#core/plan/uuid.ts';
import { saidOfName } from '#core/video/said-of-name.ts';
import type { CatalogDeps } from '../deps.ts';
import { catalogShows } from './catalog-shows.ts';

/** What the server's plans are kept in and act on; made by main.ts. */
export interface PlanDeps {
  store: PlanStore;
  journal: JournalStore;
  /** Directories below which folders may be seen, as accession.toml says them. */
  roots: readonly string[];
  folders: {
    /** The folder, and what names it whichever way its path is written; null where it may not be seen. */
    see(mediaFolderPath: string): Promise<{ tree: FileTree; root: string } | null>;
  };
  /** Looks into files of these folders. */
  media: MediaSource;
  planPath(id: string): string;
}

export type PlansDeps = Pick<CatalogDeps, 'store' | 'clock' | 'events' | 'plans' | 'log' | 'broker'>;

export interface ServerPlans {
  service: PlanService;
  /** What tools may reach that this person, or their agent, calls. */
  context(by: string): PlanToolContext;
}

export function serverPlans({ store, clock, events, plans }: Omit<PlansDeps, 'broker'>): ServerPlans {
  const folders: MediaFolders = {
    open: async (path) => (await plans.folders.see(path))?.tree ?? null,
    said: (_folder, path) => Promise.resolve(saidOfName(path)),
  };
  const service = createPlanService({
    store: plans.store,
    clock,
    ids: randomUuids,
    folders,
    planPath: (id) => plans.planPath(id),
    ready: ({ task, task_id, plan_path }) => {
      const type = task === 'rename-files' ? 'RenameFilesPlanReady' : 'RecognizeMediaFilePlanReady';
      events.emit({ type, taskId: task_id, planFilePath: plan_path });
    },
  });
  const shows = catalogShows(store.db);
  return { service, context: (by) => ({ plans: service, folders, shows, media: plans.media, by }) };
}
