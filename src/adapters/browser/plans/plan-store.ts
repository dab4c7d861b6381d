import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { PlanKinds } from '#core/plan/plan-kind.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import type { AccessionDb, PlanRow } from '../db.ts';

/** Plans of these kinds as rows of IndexedDB. `log` gets the id of a row that is no such plan; it is skipped. */
export function dexiePlanStore(
  db: AccessionDb,
  kinds: PlanKinds,
  log: (sentence: string) => void = () => undefined,
): PlanStore {
  const known = (row: PlanRow): KeptPlan[] => {
    const kept = v.safeParse(kinds.kept, { plan: row.plan, state: row.state });
    if (!kept.success) log(`The stored plan "${row.id}" is no plan and is skipped: ${kept.issues[0].message}`);
    return kept.success ? [kept.output] : [];
  };
  const rowOf = ({ plan, state }: KeptPlan): PlanRow => ({ id: plan.id, plan, state });
  return {
    async create(kept) {
      await db.transaction('rw', db.plans, async () => {
        if (await db.plans.get(kept.plan.id)) throw failed('conflict', 'There is a plan of this id already.');
        await db.plans.add(rowOf(kept));
      });
    },
    async read(id) {
      const row = await db.plans.get(id);
      return row ? (known(row)[0] ?? null) : null;
    },
    update: (id, change) =>
      db.transaction('rw', db.plans, async () => {
        const row = await db.plans.get(id);
        const [kept] = row ? known(row) : [];
        if (!kept) throw failed('not_found', `There is no plan "${id}".`);
        const next = change(kept);
        await db.plans.put(rowOf(next));
        return next;
      }),
    async list() {
      const rows = await db.plans.orderBy('state.created_at').reverse().toArray();
      return rows.flatMap(known);
    },
  };
}
