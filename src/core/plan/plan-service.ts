/**
 * Plans as agents and people make, list and decide them, over a PlanStore. Who may call what is the caller's to check.
 *
 *   PLAN-40 a plan is begun `pending` with no files and is listed for review only after its end tool was called
 */
import { AccessionError, failure } from '../errors.ts';
import type { Clock, Ids } from '../ports.ts';
import {
  fill,
  foundIn,
  insideOf,
  listing,
  opened,
  openFolder,
  parse,
  type Found,
  type MediaFolders,
} from './folder-files.ts';
import {
  RecognizedFileSchema,
  RenameEntrySchema,
  type Plan,
  type PlanStatus,
  type PlanTask,
  type RecognizedFile,
  type RenameEntry,
} from './plan.ts';
import {
  buildable,
  decided,
  emptied,
  ended,
  taskNotFound,
  withNotes,
  withRecognized,
  withRename,
  type Said,
} from './plan-rules.ts';
import type { KeptPlan, PlanState, PlanStore } from './plan-store.ts';

/** Told when a plan can be reviewed: the event of the WebSocket, with the task and where its document is. */
export interface PlanReady {
  task: PlanTask;
  task_id: string;
  /** `/data/plans/<id>.plan.json`; on a workstation `plans/<id>.plan.json`. */
  plan_path: string;
}

export interface PlanPorts {
  store: PlanStore;
  clock: Clock;
  /** UUIDs: core/plan/uuid.ts. */
  ids: Ids;
  folders: MediaFolders;
  /** Where the document of a plan is, for the event. */
  planPath(id: string): string;
  ready(event: PlanReady): void;
}

export interface Caller {
  /** The person or agent, as the history of plans names them. */
  by: string;
  /** The same on every attempt of one call: it acts once. Absent or empty: each call is another. */
  key?: string;
}

export type FilesOf<Task extends PlanTask> = Extract<Plan, { task: Task }>['files'];
export type PlanOf<Task extends PlanTask> = Extract<Plan, { task: Task }>;

export interface Proposal<Task extends PlanTask> {
  task: Task;
  mediaFolderPath: string;
  files: FilesOf<Task>;
  notes: PlanState['notes'];
  /** Several episodes or a part of one, by path, where a reading says so. */
  said: (path: string) => Said | null;
}

export type PlanService = ReturnType<typeof createPlanService>;

/** Everything here throws AccessionError: `not_found`, `conflict`, `invalid`, `cancelled`, or what the store throws. */
export function createPlanService(ports: PlanPorts) {
  const { store, clock, ids, folders } = ports;

  async function begin(task: PlanTask, folder: string, { by, key }: Caller): Promise<string> {
    const again = key ? (await store.list()).find(({ state }) => state.keys?.includes(key)) : undefined;
    if (again) return again.plan.id;
    const { folder: mediaFolderPath } = await openFolder(folders, folder);
    const kept = newPlan(task, ids.next(), mediaFolderPath, { by, now: clock.now(), key });
    await store.create(kept);
    return kept.plan.id;
  }

  async function addRecognized(id: string, file: RecognizedFile, key?: string): Promise<void> {
    const wanted = parse(RecognizedFileSchema, file);
    const { plan } = buildable(await read(id), 'recognize-media-file');
    const { path } = await listed(plan.mediaFolderPath, wanted.path);
    const said = await sayings(folders, plan, [path]);
    await store.update(id, (kept) =>
      once(kept, key, () => withRecognized(buildable(kept, 'recognize-media-file'), { ...wanted, path }, said)),
    );
  }

  async function addRename(id: string, entry: RenameEntry, key?: string): Promise<void> {
    const wanted = parse(RenameEntrySchema, entry);
    const { plan } = buildable(await read(id), 'rename-files');
    const { path, size, modified } = await listed(plan.mediaFolderPath, wanted.from);
    insideOf(plan.mediaFolderPath, wanted.to);
    await store.update(id, (kept) =>
      once(kept, key, () =>
        withNotes(
          withRename(buildable(kept, 'rename-files'), { from: path, to: wanted.to }),
          {},
          {
            [path]: { size, modified },
          },
        ),
      ),
    );
  }

  /** PLAN-42: from now on the plan is listed, and whoever listens is told. */
  async function end(task: PlanTask, id: string, key?: string): Promise<KeptPlan> {
    let first = true;
    await read(id);
    const kept = await store.update(id, (before) => {
      first = !key || !before.state.keys?.includes(key);
      return once(before, key, () => ended(buildable(before, task), clock.now()));
    });
    if (first) ports.ready({ task, task_id: id, plan_path: ports.planPath(id) });
    return kept;
  }

  /** PLAN-45: a person's decision. Applying what is `completed` is the caller's, before. */
  async function update(id: string, status: Exclude<PlanStatus, 'pending'>, by: string): Promise<KeptPlan> {
    await read(id, 'plan');
    return store.update(id, (kept) => decided(kept, status, by, clock.now()));
  }

  /** Those that wait for a person, newest first. */
  async function pending<Task extends PlanTask>(task: Task): Promise<{ plan: PlanOf<Task>; state: PlanState }[]> {
    const all = await store.list();
    return all.flatMap(({ plan, state }) =>
      isOf(plan, task) && plan.status === 'pending' && state.stage === 'ready' ? [{ plan, state }] : [],
    );
  }

  /** A whole plan at once, as code makes it: begun, filled and ended in one write. */
  async function propose<Task extends PlanTask>(proposal: Proposal<Task>, by: string): Promise<KeptPlan> {
    const { folder: mediaFolderPath, tree } = await openFolder(folders, proposal.mediaFolderPath);
    const now = clock.now();
    const empty = newPlan(proposal.task, ids.next(), mediaFolderPath, { by, now, key: undefined });
    const filled = fill(empty, proposal.files, await listing(tree), proposal.said);
    const kept = ended(withNotes(filled, proposal.notes), now);
    await store.create(kept);
    ports.ready({ task: proposal.task, task_id: kept.plan.id, plan_path: ports.planPath(kept.plan.id) });
    return kept;
  }

  /** PLAN-46: rows that a person corrected or left out; the same rules as for an agent's, and all of them or none. */
  async function replaceFiles(
    id: string,
    files: readonly RecognizedFile[] | readonly RenameEntry[],
    said?: (path: string) => Said | null,
  ): Promise<KeptPlan> {
    const { plan } = emptied(await read(id, 'plan'));
    const entries = await listing(await opened(folders, plan.mediaFolderPath));
    const paths = files.flatMap((file) => ('path' in file ? [file.path] : []));
    const words = said ?? (await sayings(folders, plan, paths));
    return store.update(id, (kept) => {
      const filled = fill(emptied(kept), files, entries, words);
      if (filled.plan.files.length === 0) ended(filled, 0);
      return filled;
    });
  }

  /** What explains files of a plan, laid over what is noted; `problem` says why its execution stopped. */
  async function note(id: string, notes: PlanState['notes'], problem?: string): Promise<KeptPlan> {
    await read(id, 'plan');
    return store.update(id, (kept) => {
      const noted = withNotes(kept, notes);
      return problem === undefined ? noted : { ...noted, state: { ...noted.state, problem } };
    });
  }

  async function read(id: string, called: 'task' | 'plan' = 'task'): Promise<KeptPlan> {
    const kept = await store.read(id);
    if (kept) return kept;
    throw called === 'task'
      ? taskNotFound(id)
      : new AccessionError(failure('not_found', `The plan "${id.slice(0, 60)}" was not found.`));
  }

  /** A file of the folder, spelled as the file system spells it. */
  async function listed(folder: string, path: string): Promise<Found> {
    const rest = insideOf(folder, path);
    const entry = await (await opened(folders, folder)).stat(rest);
    return foundIn(folder, path, entry);
  }

  return { begin, addRecognized, addRename, end, update, pending, propose, replaceFiles, note, read };
}

function newPlan(
  task: PlanTask,
  id: string,
  mediaFolderPath: string,
  { by, now, key }: { by: string; now: number; key: string | undefined },
): KeptPlan {
  const state: PlanState = {
    stage: 'building',
    created_at: now,
    created_by: by,
    ready_at: null,
    decided_at: null,
    decided_by: null,
    sources: {},
    notes: {},
    ...(key ? { keys: [key] } : {}),
  };
  const head = { status: 'pending' as const, mediaFolderPath, files: [] };
  return task === 'rename-files' ? { plan: { id, task, ...head }, state } : { plan: { id, task, ...head }, state };
}

/** The change, unless this call made it before. */
function once(kept: KeptPlan, key: string | undefined, change: () => KeptPlan): KeptPlan {
  if (!key) return change();
  if (kept.state.keys?.includes(key)) return kept;
  const next = change();
  return { ...next, state: { ...next.state, keys: [...(next.state.keys ?? []), key] } };
}

/** What the names of a plan's files and of some more say, gathered before the store is asked for its one change. */
async function sayings(
  folders: MediaFolders,
  plan: Plan,
  more: readonly string[],
): Promise<(path: string) => Said | null> {
  const known = new Map<string, Said | null>();
  const said = folders.said?.bind(folders);
  if (said) {
    const paths = [...plan.files.flatMap((file) => ('path' in file ? [file.path] : [])), ...more];
    for (const path of paths) known.set(path, await said(plan.mediaFolderPath, path));
  }
  return (path) => known.get(path) ?? null;
}

function isOf<Task extends PlanTask>(plan: Plan, task: Task): plan is PlanOf<Task> {
  return plan.task === task;
}
