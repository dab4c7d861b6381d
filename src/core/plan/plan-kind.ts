/**
 * Kinds of plans. A kind says what an entry of its plans is, which rules an entry must keep, how agents call the making
 * of such a plan, and how it is carried out, if the app does that. The engine brings `rename-files`; lanes bring others.
 */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import type { Cancel } from '../ports.ts';
import type { FileTree } from './file-tree.ts';
import type { RenamePreview } from './preview-rename.ts';
import type { Journal } from './rename-journal.ts';
import type { ExecuteRename, RenameOutcome, UndoOutcome, UndoRename } from './rename-run.types.ts';
import {
  PlanStateSchema,
  PlanStatusSchema,
  PosixPathSchema,
  type KeptPlan,
  type Plan,
  type PlanDocument,
  type PlanState,
} from './plan.ts';

/** @typeParam Hint what is known of a source beyond its path, where the rules ask for it */
export interface PlanKind<Task extends string = string, Entry extends object = object, Hint = unknown> {
  /** As the specification calls it; in documents, rows and addresses. */
  readonly task: Task;
  readonly entry: v.GenericSchema<unknown, Entry>;
  /**
   * Which fields of an entry are paths. A `source` must be a file of the folder, and is kept as the file system spells
   * it; a `target` must be inside the folder.
   */
  readonly paths: Readonly<Record<string, 'source' | 'target'>>;
  /** Pure: throws AccessionError where the entry does not fit beside the others. */
  check(others: readonly Entry[], entry: Entry, hintOf: (path: string) => Hint | null): void;
  /** Hints for `check` where the caller brings none. */
  hintOf?(path: string): Hint | null;
  /** Null: whoever confirms it has done what it says. */
  readonly execution: PlanExecution<PlanDocument<Task, Entry>> | null;
  /** Null: agents make no such plans. */
  readonly tools: PlanToolNames | null;
  /** Lists those that wait for a person over HTTP, where the specification names such a route. */
  readonly pending?: { path: `/api/${string}`; summary: string };
}

/** A plan that the app carries out: checked whole, ordered, journaled, recovered after a crash, undone. */
export interface PlanExecution<P extends Plan = Plan> {
  /** What was done, as the log of the server's people calls it. */
  readonly done: 'renamed' | 'written';
  /** SHA-256 of what a person is shown. */
  previewHash(plan: Omit<P, 'status'>): Promise<string>;
  /** What carrying it out would do now. Touches nothing. */
  preview(tree: FileTree, plan: P, state?: Pick<PlanState, 'sources'>, cancel?: Cancel): Promise<RenamePreview>;
  execute(run: Omit<ExecuteRename, 'plan' | 'state'> & KnownPlan<P>): Promise<RenameOutcome>;
  undo(run: UndoRename & KnownPlan<P>): Promise<UndoOutcome>;
  /**
   * What a journal that has ended (`done` or `undone`) brings with it beside the files, where a crash left it out: done
   * twice it is done once. Absent: nothing.
   */
  follow?(kept: KnownPlan<P>, journal: Journal): Promise<void>;
}

/** A plan with what is known of it where it is carried out or taken back. */
export interface KnownPlan<P extends Plan> {
  plan: P;
  state?: Pick<PlanState, 'sources' | 'about' | 'taken_back'>;
}

/** The tools by which agents make such a plan, by their specified names. */
export interface PlanToolNames {
  begin: { name: string; description: string };
  /** `fields`: of an entry, as agents give them. */
  add: { name: string; description: string; fields: v.ObjectEntries };
  end: { name: string; description: string };
}

/** Those of these kinds that have the task. */
type WithTask<Kind extends PlanKind, Task extends string> = Kind extends { task: infer Own }
  ? Task extends Own
    ? Kind
    : never
  : never;
type DocumentOf<Kind extends PlanKind> = Kind extends PlanKind
  ? PlanDocument<Kind['task'], v.InferOutput<Kind['entry']>>
  : never;

/** An entry of these kinds' plans; with a task, of that kind alone. */
export type EntryOf<Kind extends PlanKind, Task extends string = Kind['task']> = v.InferOutput<
  WithTask<Kind, Task>['entry']
>;

/** The plans of these kinds; with a task, of that kind alone: `PlanOf<VideoKind, 'rename-files'>`. */
export type PlanOf<Kind extends PlanKind, Task extends string = Kind['task']> = DocumentOf<WithTask<Kind, Task>>;

/** The kinds that are known in one place: what is stored and sent there is parsed with them. */
export interface PlanKinds<Kind extends PlanKind = PlanKind> {
  readonly all: readonly Kind[];
  /** A document of any of them. */
  readonly schema: v.GenericSchema<unknown, PlanOf<Kind>>;
  readonly kept: v.GenericSchema<unknown, KeptPlan<PlanOf<Kind>>>;
  /** Throws AccessionError `invalid` for a task that is none of them. */
  of(task: string): Kind;
}

export function planKinds<const Kind extends PlanKind>(all: readonly Kind[]): PlanKinds<Kind> {
  const byTask = new Map(all.map((kind) => [kind.task, kind]));
  const options: v.GenericSchema = v.variant('task', all.map(documentSchema));
  // What an option accepts is a plan of its kind.
  const schema = options as v.GenericSchema<unknown, PlanOf<Kind>>;
  return {
    all,
    schema,
    kept: v.object({ plan: schema, state: PlanStateSchema }),
    of(task) {
      const kind = byTask.get(task);
      if (kind) return kind;
      throw failed('invalid', `"${task.slice(0, 60)}" is no kind of plan that is known here.`);
    },
  };
}

/** Of one kind's documents, their fields in the specified order. */
export function documentSchema<Task extends string, Entry extends object>(
  kind: Pick<PlanKind<Task, Entry>, 'task' | 'entry'>,
) {
  return v.object({
    id: v.pipe(v.string(), v.uuid()),
    task: v.literal(kind.task),
    status: PlanStatusSchema,
    mediaFolderPath: PosixPathSchema,
    files: v.array(kind.entry),
  });
}

/** `{taskId}.plan.json`, byte for byte the same wherever the plan is kept: the specified fields, in their order, and a line's end. */
export function planDocument({ schema }: Pick<PlanKinds, 'schema'>, plan: Plan): string {
  return `${JSON.stringify(v.parse(schema, plan), null, 2)}\n`;
}

/** The plan of a document; null for anything else. */
export function readPlanDocument<P extends Plan>(
  { schema }: { schema: v.GenericSchema<unknown, P> },
  text: string,
): P | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : null;
}
