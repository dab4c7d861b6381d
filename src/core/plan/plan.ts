/**
 * Plans: proposed changes that a person confirms. The document is the contract with other programs, word for word and
 * nothing more (docs/spec/plans.md); what else is known of a plan is kept beside it, as its state.
 */
import * as v from 'valibot';

/** An absolute POSIX path without `.`, `..`, empty or trailing segments. On a workstation its root is the picked folder's name. */
export const PosixPathSchema = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/, 'an absolute POSIX path, such as /media/Show/a.mkv'),
);

export const PLAN_STATUSES = ['pending', 'completed', 'rejected'] as const;
export const PlanStatusSchema = v.picklist(PLAN_STATUSES);
export type PlanStatus = v.InferOutput<typeof PlanStatusSchema>;

/** `{taskId}.plan.json` and a row of IndexedDB alike, of a kind (plan-kind.ts). */
export interface PlanDocument<Task extends string, Entry extends object> {
  id: string;
  task: Task;
  status: PlanStatus;
  mediaFolderPath: string;
  files: Entry[];
}

/** A plan of whatever kind. */
export type Plan = PlanDocument<string, object>;

export const RenameEntrySchema = v.object({ from: PosixPathSchema, to: PosixPathSchema });
export type RenameEntry = v.InferOutput<typeof RenameEntrySchema>;
export type RenameFilesPlan = PlanDocument<'rename-files', RenameEntry>;
export const isRename = (plan: Plan): plan is RenameFilesPlan => plan.task === 'rename-files';

/** Whose word an entry is: code that reads names, a model or another program, or a person who wrote it themselves. */
export const PLAN_SOURCES = ['rules', 'agent', 'person'] as const;
export const PlanSourceSchema = v.picklist(PLAN_SOURCES);
export type PlanSource = v.InferOutput<typeof PlanSourceSchema>;

const NoteSchema = v.object({
  /** 0..1 */
  confidence: v.number(),
  reasons: v.array(v.string()),
  /** Without it, the plan's own. */
  source: v.optional(PlanSourceSchema),
});

/** What is known of a plan and does not belong into the specified document: `{id}.state.json` beside `{id}.plan.json`. */
export const PlanStateSchema = v.object({
  /** `building` until its end tool was called: only a `ready` plan is listed for review. */
  stage: v.picklist(['building', 'ready']),
  created_at: v.number(),
  created_by: v.string(),
  ready_at: v.nullable(v.number()),
  decided_at: v.nullable(v.number()),
  decided_by: v.nullable(v.string()),
  /** Of a plan that can be carried out: size (bytes) and change time (milliseconds) of each source when it was planned, by path. */
  sources: v.optional(v.record(v.string(), v.object({ size: v.number(), modified: v.number() })), {}),
  /** Anything that explains the plan to a person (confidence, reasons by path); shown, never executed. */
  notes: v.optional(v.record(v.string(), NoteSchema), {}),
  /** Whose word its entries are, where their notes say nothing else; plans of before there was this have none. */
  source: v.optional(PlanSourceSchema),
  /** What the plan as a whole is about, in the form of its kind's lane, which parses it. */
  about: v.optional(v.unknown()),
  /** When a person took back what its confirmation wrote down (milliseconds), and who. A rename's undo is in its journal. */
  taken_back: v.optional(v.object({ at: v.number(), by: v.string() })),
  /** Idempotency keys of the calls that made it what it is: one that comes again changes nothing. */
  keys: v.optional(v.array(v.string())),
  /** Why its execution did not come to an end, as a sentence; it is still pending then. */
  problem: v.optional(v.string()),
});
export type PlanState = v.InferOutput<typeof PlanStateSchema>;

export interface KeptPlan<P extends Plan = Plan> {
  plan: P;
  state: PlanState;
}

/** Where plans are kept. Adapters: memory, IndexedDB on a workstation, files under `ACCESSION_DATA/plans` in Node. */
export interface PlanStore {
  /** Throws AccessionError `conflict` where there is one of this id. */
  create(kept: KeptPlan): Promise<void>;
  read(id: string): Promise<KeptPlan | null>;
  /**
   * Reads, changes and writes one plan with nobody between. `change` is pure and throws AccessionError to refuse.
   * Throws `not_found` where there is no such plan.
   */
  update(id: string, change: (kept: KeptPlan) => KeptPlan): Promise<KeptPlan>;
  /** Newest first. */
  list(): Promise<KeptPlan[]>;
}
