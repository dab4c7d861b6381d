/**
 * Plans as agents and people make, list and decide them, over a PlanStore. Who may call what is the caller's to check.
 *
 *   PLAN-40 a plan is begun `pending` with no files and is listed for review only after its end tool was called
 */
import { canonical } from '../agent/tools/tool.ts';
import { failed } from '../errors.ts';
import type { Clock, Ids } from '../ports.ts';
import type { FileTree } from './file-tree.ts';
import { listing, opened, openFolder, placed, type MediaFolders, type PlacedEntry } from './folder-files.ts';
import type { EntryOf, PlanKind, PlanKinds, PlanOf } from './plan-kind.ts';
import {
  begun,
  buildable,
  decided,
  emptied,
  ended,
  takenBack,
  taskNotFound,
  withEntries,
  withNotes,
} from './plan-rules.ts';
import type { KeptPlan, Plan, PlanSource, PlanState, PlanStatus, PlanStore } from './plan.ts';

/** A plan can be reviewed now: the event of the WebSocket, with the task and where its document is. */
export interface PlanReady {
  /** Of which kind the plan is. */
  task: string;
  task_id: string;
  /** `/data/plans/<id>.plan.json`; on a workstation `plans/<id>.plan.json`. */
  plan_path: string;
}

export interface PlanPorts {
  store: PlanStore;
  clock: Clock;
  /** UUIDs: core/ids.ts. */
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
  /** Whose word the entries will be. */
  source?: PlanSource;
}

/** What is known of a source beyond its path; of what form, its kind says. */
export type HintOf = (path: string) => unknown;

export interface Proposal<Kind extends PlanKind = PlanKind, Task extends string = string> {
  task: Task;
  mediaFolderPath: string;
  files: readonly EntryOf<Kind, Task>[];
  notes: PlanState['notes'];
  /** Default: the hints of the kind itself. */
  hintOf?: HintOf | undefined;
  source?: PlanSource;
  /** What the plan as a whole is about, in its lane's form. */
  about?: unknown;
}

/** Everything here throws AccessionError: `not_found`, `conflict`, `invalid`, `cancelled`, or what the store throws. */
export interface PlanService<Kind extends PlanKind = PlanKind> {
  /** @returns the id of the plan, which is the task's */
  begin(task: Kind['task'], folder: string, caller: Caller): Promise<string>;
  /** Adds an entry to a plan that is being built. */
  add<Task extends Kind['task']>(task: Task, id: string, entry: EntryOf<Kind, Task>, key?: string): Promise<void>;
  /** PLAN-42: from now on the plan is listed, and whoever listens is notified. */
  end(task: Kind['task'], id: string, key?: string): Promise<KeptPlan>;
  /** PLAN-45: a person's decision. Applying what is `completed` is the caller's, before. */
  update(id: string, status: Exclude<PlanStatus, 'pending'>, by: string): Promise<KeptPlan>;
  /** Those that wait for a person, newest first. */
  pending<Task extends Kind['task']>(task: Task): Promise<KeptPlan<PlanOf<Kind, Task>>[]>;
  /** A whole plan at once, as code makes it: begun, filled and ended in one write. */
  propose<Task extends Kind['task']>(proposal: Proposal<Kind, Task>, by: string): Promise<KeptPlan>;
  /**
   * PLAN-46: rows that a person corrected or left out; the same rules as for an agent's, and all of them or none. Rows
   * that were not in the plan are noted as the person's word.
   */
  replaceFiles(id: string, files: readonly object[], hintOf?: HintOf): Promise<KeptPlan>;
  /** PLAN-97: a person took back what the confirmation of this plan wrote down. Doing that is the caller's, before. */
  takeBack(id: string, by: string): Promise<KeptPlan>;
  /** What explains files of a plan, laid over what is noted; `problem` says why its execution stopped. */
  note(id: string, notes: PlanState['notes'], problem?: string): Promise<KeptPlan>;
  /** `called`: as what the caller knows the id, for the sentence where there is none. */
  read(id: string, called?: 'task' | 'plan'): Promise<KeptPlan>;
}

export function createPlanService<Kind extends PlanKind>(kinds: PlanKinds<Kind>, ports: PlanPorts): PlanService<Kind> {
  const { store, clock, ids, folders } = ports;

  async function read(id: string, called: 'task' | 'plan' = 'task'): Promise<KeptPlan> {
    const kept = await store.read(id);
    if (kept) return kept;
    throw called === 'task' ? taskNotFound(id) : failed('not_found', `The plan "${id.slice(0, 60)}" was not found.`);
  }

  const isReady = (task: string, id: string): void => ports.ready({ task, task_id: id, plan_path: ports.planPath(id) });

  return {
    read,

    async begin(task, folder, { by, key, source }) {
      const again = key ? (await store.list()).find(({ state }) => state.keys?.includes(key)) : undefined;
      if (again) return again.plan.id;
      const { folder: mediaFolderPath } = await openFolder(folders, folder);
      const kept = begun(kinds.of(task).task, ids.next(), mediaFolderPath, { by, now: clock.now(), key, source });
      await store.create(kept);
      return kept.plan.id;
    },

    async add(task, id, given, key) {
      const kind = kinds.of(task);
      const { plan } = buildable(await read(id), task);
      const tree = await opened(folders, plan.mediaFolderPath);
      const entry = await placed(kind, plan.mediaFolderPath, given, (below) => tree.stat(below));
      await store.update(id, (kept) =>
        once(kept, key, () => withEntries(buildable(kept, task), kind, [entry], hintsOf(kind))),
      );
    },

    async end(task, id, key) {
      let first = true;
      await read(id);
      const kept = await store.update(id, (before) => {
        first = !key || !before.state.keys?.includes(key);
        return once(before, key, () => ended(buildable(before, task), clock.now()));
      });
      if (first) isReady(task, id);
      return kept;
    },

    async update(id, status, by) {
      await read(id, 'plan');
      return store.update(id, (kept) => decided(kept, status, by, clock.now()));
    },

    async pending<Task extends Kind['task']>(task: Task) {
      const all = await store.list();
      return all.flatMap(({ plan, state }) =>
        isOf<Kind, Task>(plan, task) && plan.status === 'pending' && state.stage === 'ready' ? [{ plan, state }] : [],
      );
    },

    async propose({ task, mediaFolderPath: said, files, notes, hintOf, source, about }, by) {
      const kind = kinds.of(task);
      const { folder: mediaFolderPath, tree } = await openFolder(folders, said);
      const now = clock.now();
      const entries = await placedAll(kind, mediaFolderPath, files, tree);
      const empty = begun(task, ids.next(), mediaFolderPath, { by, now, source, about });
      const filled = withEntries(empty, kind, entries, hintOf ?? hintsOf(kind));
      const kept = ended(withNotes(filled, notes), now);
      await store.create(kept);
      isReady(task, kept.plan.id);
      return kept;
    },

    async replaceFiles(id, files, hintOf) {
      const { plan } = emptied(await read(id, 'plan'));
      const kind = kinds.of(plan.task);
      const entries = await placedAll(kind, plan.mediaFolderPath, files, await opened(folders, plan.mediaFolderPath));
      return store.update(id, (kept) => {
        const filled = withEntries(emptied(kept), kind, entries, hintOf ?? hintsOf(kind));
        if (filled.plan.files.length === 0) ended(filled, 0);
        return withNotes(filled, ownWords(kind, kept, entries));
      });
    },

    async takeBack(id, by) {
      await read(id, 'plan');
      return store.update(id, (kept) => takenBack(kept, by, clock.now()));
    },

    async note(id, notes, problem) {
      await read(id, 'plan');
      return store.update(id, (kept) => {
        const noted = withNotes(kept, notes);
        return problem === undefined ? noted : { ...noted, state: { ...noted.state, problem } };
      });
    },
  };
}

/** All of them by one listing of the folder. */
async function placedAll(
  kind: PlanKind,
  folder: string,
  files: readonly object[],
  tree: FileTree,
): Promise<PlacedEntry[]> {
  const listed = await listing(tree);
  return Promise.all(
    files.map((file) => placed(kind, folder, file, (below) => Promise.resolve(listed.get(below) ?? null))),
  );
}

/** The notes of rows that the plan had not: who changed them saw them. */
function ownWords(kind: PlanKind, before: KeptPlan, entries: readonly PlacedEntry[]): PlanState['notes'] {
  const known = new Set(before.plan.files.map((entry) => canonical(entry)));
  const sources = Object.entries(kind.paths).flatMap(([field, role]) => (role === 'source' ? [field] : []));
  const changed = entries.filter(({ entry }) => !known.has(canonical(entry)));
  const paths = changed.flatMap(({ entry }) => sources.flatMap((field) => pathIn(entry, field)));
  const note: PlanState['notes'][string] = { confidence: 1, reasons: ['A person said so.'], source: 'person' };
  return Object.fromEntries(paths.map((path) => [path, note]));
}

function pathIn(entry: object, field: string): string[] {
  const path: unknown = Reflect.get(entry, field);
  return typeof path === 'string' ? [path] : [];
}

function hintsOf(kind: PlanKind): HintOf {
  return (path) => kind.hintOf?.(path) ?? null;
}

/** The change, unless this call made it before. */
function once(kept: KeptPlan, key: string | undefined, change: () => KeptPlan): KeptPlan {
  if (!key) return change();
  if (kept.state.keys?.includes(key)) return kept;
  const next = change();
  return { ...next, state: { ...next.state, keys: [...(next.state.keys ?? []), key] } };
}

function isOf<Kind extends PlanKind, Task extends string>(plan: Plan, task: Task): plan is Plan & PlanOf<Kind, Task> {
  return plan.task === task;
}
