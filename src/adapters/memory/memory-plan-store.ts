import { AccessionError, failure } from '#core/errors.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import type { Journal, JournalHead, JournalRecord, JournalStore } from '#core/plan/rename-journal.ts';

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

/** Journals in memory, for tests: what was written stays when the code that wrote it is gone. */
export class MemoryJournalStore implements JournalStore {
  readonly #journals = new Map<string, Journal>();
  readonly #held = new Set<string>();

  async hold(root: string): Promise<(() => Promise<void>) | null> {
    if (this.#held.has(root)) return null;
    this.#held.add(root);
    return async () => void this.#held.delete(root);
  }

  /** As when the process that held everything dies. */
  letGo(): void {
    this.#held.clear();
  }

  async begin(head: JournalHead): Promise<void> {
    if (this.#journals.has(head.id))
      throw new AccessionError(failure('conflict', `There is a journal ${head.id} already.`));
    this.#journals.set(head.id, structuredClone({ head, records: [] }));
  }

  async append(id: string, records: readonly JournalRecord[]): Promise<void> {
    const journal = this.#journals.get(id);
    if (journal === undefined) throw new AccessionError(failure('not_found', `There is no journal ${id}.`));
    journal.records.push(...structuredClone([...records]));
  }

  async list(of: { root?: string; planId?: string } = {}): Promise<Journal[]> {
    return [...this.#journals.values()]
      .filter(({ head }) => of.root === undefined || head.root === of.root)
      .filter(({ head }) => of.planId === undefined || head.plan.id === of.planId)
      .map((journal) => structuredClone(journal))
      .sort((a, b) => a.head.started_at - b.head.started_at);
  }
}
