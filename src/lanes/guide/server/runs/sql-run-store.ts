/** The memory of runs in the catalog's database: each change is one transaction, which no other process's comes between. */
import { failed } from '#core/errors.ts';
import type { MendRow } from '#lanes/guide/core/store/guide-records.ts';
import { NEW_MEMORY, type RunsMemory } from '#lanes/guide/core/run/memory.ts';
import type { JournalLine, LogLine, RunPage, RunPages, RunStore, Written } from '#lanes/guide/core/run/ports.ts';
import type { Escalation, RunRecord } from '#lanes/guide/core/run/run.types.ts';
import { parseEscalation, parseRecord } from '#lanes/guide/core/run/stored-record.ts';
import { parseLine, parseMemory } from '#lanes/guide/core/run/stored-run.ts';
import { upsert } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';

/** The one row. */
const MEMORY_ID = 1;
/** Of runs, and of triggers of which none began, so many are kept; also lines of the log and escalations. */
const MOST_KEPT = 1000;

export class SqlRunStore implements RunStore, RunPages {
  readonly #store: Pick<Store, 'db' | 'write'>;
  readonly #mostKept: number;

  /** @param mostKept of each kind, the latest */
  constructor(store: Pick<Store, 'db' | 'write'>, mostKept = MOST_KEPT) {
    this.#store = store;
    this.#mostKept = mostKept;
  }

  change<Value>(work: (memory: RunsMemory) => Written & { value: Value }): Promise<Value> {
    return this.#store.write(async (tx) => {
      const before = await memoryText(tx);
      const { value, ...written } = work(before === null ? NEW_MEMORY : parseMemory(before));
      await this.#put(tx, before, written);
      return value;
    });
  }

  async journal(run: string): Promise<JournalLine[]> {
    const lines = this.#store.db.selectFrom('guide_run_lines').select('line').where('run', '=', run).orderBy('n');
    return (await lines.execute()).map(({ line }) => parseLine(line));
  }

  memory(): Promise<RunsMemory> {
    return readMemory(this.#store.db);
  }

  async page({ limit, before = null, channel, skipped = false }: RunPage): Promise<RunRecord[]> {
    let rows = this.#store.db.selectFrom('guide_runs').select('record').orderBy('at', 'desc').orderBy('id', 'desc');
    if (!skipped) rows = rows.where('skipped', '=', 0);
    if (channel === null) rows = rows.where('channel', 'is', null);
    else if (channel !== undefined) rows = rows.where('channel', '=', channel);
    if (before !== null)
      rows = rows.where((eb) =>
        eb.or([eb('at', '<', before.at), eb.and([eb('at', '=', before.at), eb('id', '<', before.id)])]),
      );
    return (await rows.limit(limit).execute()).map(({ record }) => parseRecord(record));
  }

  records(limit: number): Promise<RunRecord[]> {
    return this.page({ limit, skipped: true });
  }

  async record(id: string): Promise<RunRecord | null> {
    const row = this.#store.db.selectFrom('guide_runs').select('record').where('id', '=', id);
    const found = await row.executeTakeFirst();
    return found === undefined ? null : parseRecord(found.record);
  }

  async escalations(limit: number): Promise<Escalation[]> {
    const rows = this.#store.db.selectFrom('guide_escalations').select('escalation').orderBy('n', 'desc').limit(limit);
    return (await rows.execute()).map(({ escalation }) => parseEscalation(escalation));
  }

  /** The three lines of runs, in order. */
  async log(): Promise<LogLine[]> {
    const rows = await this.#store.db.selectFrom('guide_run_log').selectAll().orderBy('n').execute();
    return rows.map(({ at, line }) => ({ at, text: line }));
  }

  async #put(tx: Tx, before: string | null, written: Written): Promise<void> {
    const { memory, journal, log, records, escalations } = written;
    const after = JSON.stringify(memory);
    // What never ran leaves no row: an empty catalog stays one (STORE-27).
    if (after !== (before ?? JSON.stringify(NEW_MEMORY)))
      await upsert(tx, 'guide_run_memory', [{ id: MEMORY_ID, memory: after }]);
    for (const line of journal)
      await tx
        .insertInto('guide_run_lines')
        .values({ run: line.run, n: line.n, line: JSON.stringify(line) })
        .execute();
    for (const { at, text } of log) await this.#append(tx, 'guide_run_log', (n) => ({ n, at, line: text }));
    for (const one of escalations)
      await this.#append(tx, 'guide_escalations', (n) => ({ n, escalation: JSON.stringify(one) }));
    for (const record of records) {
      const { id, at, channel, outcome } = record;
      const skipped = outcome === 'skipped' ? 1 : 0;
      await tx
        .insertInto('guide_runs')
        .values({ id, at, channel, skipped, record: JSON.stringify(record) })
        .execute();
      await this.#forget(tx, skipped);
    }
  }

  /** Behind all others, and the oldest beyond what is kept go. */
  async #append<Table extends 'guide_run_log' | 'guide_escalations'>(
    tx: Tx,
    table: Table,
    row: (n: number) => { n: number } & Record<string, unknown>,
  ): Promise<void> {
    // Either of the tables, to the compiler one of them.
    const name = table as 'guide_run_log';
    const last = await tx
      .selectFrom(name)
      .select((eb) => eb.fn.max('n').as('n'))
      .executeTakeFirst();
    const n = Number(last?.n ?? 0) + 1;
    await tx
      .insertInto(name)
      .values(row(n) as never)
      .execute();
    await tx
      .deleteFrom(name)
      .where('n', '<=', n - this.#mostKept)
      .execute();
  }

  /** The oldest beyond what is kept go, with their journals. */
  async #forget(tx: Tx, skipped: number): Promise<void> {
    const old = await tx
      .selectFrom('guide_runs')
      .select('id')
      .where('skipped', '=', skipped)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(this.#mostKept)
      .limit(100)
      .execute();
    for (const { id } of old) {
      await tx.deleteFrom('guide_runs').where('id', '=', id).execute();
      await tx.deleteFrom('guide_run_lines').where('run', '=', id).execute();
    }
  }
}

async function memoryText(db: Reader): Promise<string | null> {
  const row = db.selectFrom('guide_run_memory').select('memory').where('id', '=', MEMORY_ID);
  return (await row.executeTakeFirst())?.memory ?? null;
}

/** What is kept between runs, as it is now. */
export async function readMemory(db: Reader): Promise<RunsMemory> {
  const text = await memoryText(db);
  return text === null ? NEW_MEMORY : parseMemory(text);
}

/** A change of the memory alone, within a transaction that does more. */
export async function changeMemory(tx: Tx, work: (memory: RunsMemory) => RunsMemory): Promise<void> {
  const memory = JSON.stringify(work(await readMemory(tx)));
  await upsert(tx, 'guide_run_memory', [{ id: MEMORY_ID, memory }]);
}

/** A run that got its end from another process mends nothing any more. Throws AccessionError `cancelled`. */
export async function mayFill(tx: Tx, put: readonly MendRow[]): Promise<void> {
  const runs = new Set(put.flatMap(({ run, undone_at }) => (run === null || undone_at !== null ? [] : [run])));
  if (runs.size === 0) return;
  const active = new Set((await readMemory(tx)).active.map(({ id }) => id));
  for (const run of runs) if (!active.has(run)) throw failed('cancelled', 'The run is over: nothing is mended by it.');
}
