/** A store in which nothing is written: what a dry run mends is seen by it alone. */
import { inTurns } from '#core/steps.ts';
import type { MendRow } from '../store/guide-records.ts';
import type { GuideStore, MendScope, MendWork } from '../store/guide-store.ts';
import { isInScope } from '../store/store-order.ts';

export function dryStore(store: GuideStore): GuideStore {
  const over = new Map<string, MendRow>();
  const mends = async (scope: MendScope): Promise<MendRow[]> => {
    const kept = (await store.mends(scope)).map((row) => over.get(row.id) ?? row);
    const known = new Set(kept.map(({ id }) => id));
    return [...kept, ...[...over.values()].filter((row) => isInScope(row, scope) && !known.has(row.id))];
  };
  const refused = (): never => {
    throw new Error('A dry run changes nothing.');
  };
  return {
    rest: () => store.rest(),
    guides: () => store.guides(),
    guide: (id) => store.guide(id),
    channels: (guide) => store.channels(guide),
    programmes: (guide, range) => store.programmes(guide, range),
    faults: (guide, range) => store.faults(guide, range),
    lineup: (guide) => store.lineup(guide),
    dismissals: () => store.dismissals(),
    lookupFailures: () => store.lookupFailures(),
    lookupCounts: () => store.lookupCounts(),
    schedules: () => store.schedules(),
    points: () => store.points(),
    mends,
    mendsOfRun: async (run) => (await mends({ guides: null, channels: null })).filter((row) => row.run === run),
    async changeMends<Value>(scope: MendScope, work: MendWork<Value>): Promise<Value> {
      const made = work(await mends(scope));
      const { put, value } = 'put' in made ? made : await inTurns(made, () => store.rest());
      for (const row of put) over.set(row.id, row);
      return value;
    },
    noteLookups: () => Promise.resolve(),
    notePoint: () => Promise.resolve(),
    ...{ stage: refused, remove: refused, putLineup: refused, putDismissals: refused },
    ...{ removeDismissals: refused, putSchedule: refused, removeSchedule: refused },
  };
}
