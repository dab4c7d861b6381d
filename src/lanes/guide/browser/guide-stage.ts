/** Imports on their way into IndexedDB, and guides on their way out of it. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed, isQuotaExceeded } from '#core/errors.ts';
import type { GuideDraft, GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStage, StagedRows } from '#lanes/guide/core/store/guide-store.ts';
import { dayRow, replaced } from './guide-days.ts';

export async function stageOf(db: AccessionDb, guide: string, id: string): Promise<GuideStage> {
  const tables = [db.guide_stages, db.guide_channels, db.guide_days, db.guide_faults];
  let channels = 0;
  const held = async (): Promise<void> => {
    if ((await db.guide_stages.get(guide))?.import !== id) throw replaced();
  };
  await db.transaction('rw', tables, async () => {
    const before = await db.guide_stages.get(guide);
    if (before !== undefined) await dropRows(db, before.import);
    await db.guide_stages.put({ guide, import: id });
  });
  return {
    add: (rows: StagedRows) =>
      spaced(() =>
        db.transaction('rw', tables, async () => {
          await held();
          const first = channels;
          const added = (rows.channels ?? []).map((channel, at) => ({ import: id, n: first + at, channel }));
          await db.guide_channels.bulkAdd(added);
          await db.guide_days.bulkAdd((rows.programmes ?? []).map((day) => dayRow(id, day)));
          await db.guide_faults.bulkAdd((rows.faults ?? []).map((day) => dayRow(id, day)));
          channels = first + added.length;
        }),
      ),
    finish: (draft: GuideDraft) =>
      spaced(() =>
        db.transaction('rw', [...tables, db.guide_sources, db.guide_state], async () => {
          await held();
          const before = await db.guide_sources.get(guide);
          const revision = (before?.revision ?? 0) + 1;
          const record: GuideRecord = { ...draft, schema_version: 1, id: guide, import: id, revision };
          await db.guide_sources.put(record);
          await db.guide_stages.delete(guide);
          await db.guide_state.put({ key: 'lookups', value: { failed: 0, all: 0 } });
          if (before !== undefined) await dropRows(db, before.import);
          return record;
        }),
      ),
    drop: () =>
      db.transaction('rw', tables, async () => {
        if ((await db.guide_stages.get(guide))?.import !== id) return;
        await db.guide_stages.delete(guide);
        await dropRows(db, id);
      }),
  };
}

export async function removeGuide(db: AccessionDb, guide: string): Promise<void> {
  const own = [db.guide_mends, db.guide_dismissals, db.guide_lookups];
  const imports = [db.guide_channels, db.guide_days, db.guide_faults];
  await db.transaction('rw', [...own, ...imports, db.guide_sources, db.guide_stages, db.guide_lineups], async () => {
    for (const row of [await db.guide_sources.get(guide), await db.guide_stages.get(guide)])
      if (row !== undefined) await dropRows(db, row.import);
    for (const table of [db.guide_sources, db.guide_stages, db.guide_lineups]) await table.delete(guide);
    for (const table of own) await table.where('guide').equals(guide).delete();
  });
}

async function dropRows(db: AccessionDb, of: string): Promise<void> {
  for (const table of [db.guide_channels, db.guide_days, db.guide_faults])
    await table.where('import').equals(of).delete();
}

async function spaced<Value>(work: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (!isQuotaExceeded(cause)) throw cause;
    throw failed('storage_full', 'There is no space left in this browser for the guide.', { cause });
  }
}
