import { AccessionError, failure } from '#core/errors.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan-store.ts';

/** Plans in memory, for tests and for a session that keeps nothing. */
export class MemoryPlanStore implements PlanStore {
  readonly #plans = new Map<string, KeptPlan>();

  create(kept: KeptPlan): Promise<void> {
    if (this.#plans.has(kept.plan.id)) {
      return Promise.reject(new AccessionError(failure('conflict', 'There is a plan of this id already.')));
    }
    this.#plans.set(kept.plan.id, structuredClone(kept));
    return Promise.resolve();
  }

  read(id: string): Promise<KeptPlan | null> {
    const kept = this.#plans.get(id);
    return Promise.resolve(kept ? structuredClone(kept) : null);
  }

  async update(id: string, change: (kept: KeptPlan) => KeptPlan): Promise<KeptPlan> {
    // Nothing is awaited in between: nobody comes between.
    const kept = this.#plans.get(id);
    if (!kept) throw new AccessionError(failure('not_found', `There is no plan "${id}".`));
    const next = change(structuredClone(kept));
    this.#plans.set(id, structuredClone(next));
    return next;
  }

  list(): Promise<KeptPlan[]> {
    const all = [...this.#plans.values()].map((kept) => structuredClone(kept));
    return Promise.resolve(all.sort((a, b) => b.state.created_at - a.state.created_at));
  }
}
