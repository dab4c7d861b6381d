/** What runs remember and leave, in IndexedDB. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { NEW_MEMORY, type RunsMemory } from '#lanes/guide/core/run/memory.ts';
import type { RunArchive, RunStore, Written } from '#lanes/guide/core/run/ports.ts';
import { parseLine, parseMemory } from '#lanes/guide/core/run/stored-run.ts';
import type { Escalation, RunRecord } from '#lanes/guide/core/run/run.types.ts';

/** Records that are kept; their journals go with them. */
const MOST_RECORDS = 1000;
const MOST_LINES = 500;

export function dexieRunStore(db: AccessionDb): { store: RunStore; archive: RunArchive } {
  const memory = async (): Promise<RunsMemory> => {
    const row = await db.guide_state.get('runs');
    return typeof row?.value === 'string' ? parseMemory(row.value) : NEW_MEMORY;
  };
  const tables = [db.guide_state, db.guide_runs, db.guide_journal, db.guide_escalations];
  const store: RunStore = {
    change: <Value>(work: (kept: RunsMemory) => Written & { value: Value }) =>
      db.transaction('rw', tables, async () => {
        const { memory: next, journal, log, records, escalations, value } = work(await memory());
        await db.guide_state.put({ key: 'runs', value: JSON.stringify(next) });
        if (log.length > 0) await keepLog(db, log);
        await db.guide_journal.bulkPut(
          journal.map((line) => ({ run: line.run, n: line.n, line: JSON.stringify(line) })),
        );
        await db.guide_runs.bulkAdd(records.map((record) => ({ ...record })));
        await db.guide_escalations.bulkAdd(escalations.map((escalation) => ({ ...escalation })));
        if (records.length > 0) await dropOldest(db);
        return value;
      }),
    async journal(run) {
      const rows = await db.guide_journal.where('[run+n]').between([run, 0], [run, Infinity]).toArray();
      return rows.map(({ line }) => parseLine(line));
    },
  };
  const archive: RunArchive = {
    memory,
    records: async (limit) => (await db.guide_runs.orderBy('at').reverse().limit(limit).toArray()).map(recordOf),
    async record(id) {
      const row = await db.guide_runs.where('id').equals(id).first();
      return row === undefined ? null : recordOf(row);
    },
    escalations: async (limit) =>
      (await db.guide_escalations.orderBy('at').reverse().limit(limit).toArray()).map(
        ({ seq: _seq, ...escalation }): Escalation => escalation,
      ),
  };
  return { store, archive };
}

const recordOf = ({ seq: _seq, ...record }: RunRecord & { seq?: number }): RunRecord => record as RunRecord;

/** The last lines, word for word: what a server has in its log. */
async function keepLog(db: AccessionDb, log: Written['log']): Promise<void> {
  const kept = (await db.guide_state.get('log'))?.value;
  const lines: unknown[] = Array.isArray(kept) ? kept : [];
  await db.guide_state.put({ key: 'log', value: [...lines, ...log].slice(-MOST_LINES) });
}

async function dropOldest(db: AccessionDb): Promise<void> {
  const over = (await db.guide_runs.count()) - MOST_RECORDS;
  if (over <= 0) return;
  for (const { id, seq } of await db.guide_runs.orderBy('at').limit(over).toArray()) {
    if (seq !== undefined) await db.guide_runs.delete(seq);
    await db.guide_journal.where('run').equals(id).delete();
  }
}
