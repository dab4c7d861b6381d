import { AccessionError, failure } from '#core/errors.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';

/** Plans in memory, for tests and for a session that keeps nothing. */
export class MemoryPlanStore implements PlanStore {
  readonly #plans = new Map<string, KeptPlan>();

  async create(kept: KeptPlan): Promise<void> {
    if (this.#plans.has(kept.plan.id))
      throw new AccessionError(failure('conflict', 'There is a plan of this id already.'));
    this.#plans.set(kept.plan.id, structuredClone(kept));
  }

  async read(id: string): Promise<KeptPlan | null> {
    return structuredClone(this.#plans.get(id) ?? null);
  }

  async update(id: string, change: (kept: KeptPlan) => KeptPlan): Promise<KeptPlan> {
    // Nothing is awaited in between: nobody comes between.
    const kept = this.#plans.get(id);
    if (!kept) throw new AccessionError(failure('not_found', `There is no plan "${id}".`));
    const next = change(structuredClone(kept));
    this.#plans.set(id, structuredClone(next));
    return next;
  }

  async list(): Promise<KeptPlan[]> {
    return structuredClone([...this.#plans.values()]).sort((a, b) => b.state.created_at - a.state.created_at);
  }
}
