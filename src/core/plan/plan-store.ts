/** Where plans are kept. Adapters: memory, IndexedDB on a workstation, files under `ACCESSION_DATA/plans` in Node. */
import * as v from 'valibot';
import { PlanSchema, type Plan } from './plan.ts';

/** What is known of a plan and does not belong into the specified document: `{id}.state.json` beside `{id}.plan.json`. */
export const PlanStateSchema = v.object({
  /** `building` until its end tool was called: only a `ready` plan is listed for review. */
  stage: v.picklist(['building', 'ready']),
  created_at: v.number(),
  created_by: v.string(),
  ready_at: v.nullable(v.number()),
  decided_at: v.nullable(v.number()),
  decided_by: v.nullable(v.string()),
  /** Of a rename plan: size (bytes) and change time (milliseconds) of each source when it was planned, by path. */
  sources: v.optional(v.record(v.string(), v.object({ size: v.number(), modified: v.number() })), {}),
  /** Anything that explains the plan to a person (confidence, reasons by path); shown, never executed. */
  notes: v.optional(v.record(v.string(), v.object({ confidence: v.number(), reasons: v.array(v.string()) })), {}),
  /** Idempotency keys of the calls that made it what it is: one that comes again changes nothing. */
  keys: v.optional(v.array(v.string())),
  /** Why its execution did not come to an end, as a sentence; it is still pending then. */
  problem: v.optional(v.string()),
});
export type PlanState = v.InferOutput<typeof PlanStateSchema>;

export const KeptPlanSchema = v.object({ plan: PlanSchema, state: PlanStateSchema });
export interface KeptPlan {
  plan: Plan;
  state: PlanState;
}

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
