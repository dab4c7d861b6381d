/** Guides in the catalog's database: the port of core/store/guide-store.ts over SQLite and PostgreSQL. */
import { sql } from 'kysely';
import { failed } from '#core/errors.ts';
import type { Ids } from '#core/ports.ts';
import { inTurns } from '#core/steps.ts';
import type {
  ChannelRecord,
  GuideRecord,
  MendRow,
  PackedDay,
  StoredLineup,
} from '#lanes/guide/core/store/guide-records.ts';
import type { DayRange, GuideStage, GuideStore, MendScope, MendWork } from '#lanes/guide/core/store/guide-store.ts';
import { byStoredOrder, isInScope } from '#lanes/guide/core/store/store-order.ts';
import { chunks, upsert } from '#server/store/rows.ts';
import { createTurns } from '#server/turns.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { guideIn, recordOf } from './guide-rows.ts';
import { SqlGuideNotes } from './sql-guide-notes.ts';
import { SqlGuideStage, type AtFinish } from './sql-guide-stage.ts';
import { keptOrFull, replaced } from './store-failure.ts';
import { sweep } from './sweep.ts';

export type MayPut = (tx: Tx, put: readonly MendRow[]) => Promise<void>;

/** Days of a channel, and small rows, that are read in one go. */
const [DAYS, ROWS] = [4, 500];

export class SqlGuideStore extends SqlGuideNotes implements GuideStore {
  readonly rest = createTurns().rest;
  readonly #store: Pick<Store, 'db' | 'write'>;
  readonly #ids: Ids;

  readonly #mayPut: MayPut;
  readonly #atFinish: AtFinish;

  /**
   * @param mayPut throws where these mends must not be written (any more); within the transaction that writes them
   * @param atFinish what is written in the transaction in which an import takes its guide's place
   */
  constructor(
    store: Pick<Store, 'db' | 'write'>,
    ids: Ids,
    mayPut: MayPut = () => Promise.resolve(),
    atFinish: AtFinish = () => Promise.resolve(),
  ) {
    super(store);
    this.#store = store;
    this.#ids = ids;
    this.#mayPut = mayPut;
    this.#atFinish = atFinish;
  }

  async guides(): Promise<GuideRecord[]> {
    const rows = await this.#store.db.selectFrom('guides').selectAll().execute();
    return rows.map(recordOf).sort(byStoredOrder);
  }

  guide(id: string): Promise<GuideRecord | null> {
    return guideIn(this.#store.db, id);
  }

  async stage(guide: string): Promise<GuideStage> {
    const stage = { guide, import: this.#ids.next() };
    await keptOrFull(() => this.#store.write((tx) => upsert(tx, 'guide_stages', [stage], { key: ['guide'] })));
    return new SqlGuideStage(this.#store, stage, this.#atFinish);
  }

  async remove(guide: string): Promise<void> {
    await this.#store.write(async (tx) => {
      await tx.deleteFrom('guides').where('id', '=', guide).execute();
      for (const table of ['guide_stages', 'guide_lineups', 'guide_addresses'] as const)
        await tx.deleteFrom(table).where('guide', '=', guide).execute();
      for (const table of ['guide_mends', 'guide_dismissals', 'guide_lookups'] as const)
        await tx.deleteFrom(table).where('guide', '=', guide).execute();
    });
    await sweep(this.#store);
  }

  async channels(guide: string): Promise<ChannelRecord[]> {
    const record = await this.guide(guide);
    return record === null ? [] : this.#channelsIn(record.import);
  }

  #channelsIn(of: string): Promise<ChannelRecord[]> {
    const rows = this.#store.db.selectFrom('guide_channels').select(['n', 'channel']).where('import', '=', of);
    const part = (after: number) => rows.where('n', '>', after).orderBy('n').limit(ROWS).execute();
    return this.#inParts(part, ({ channel }) => JSON.parse(channel) as ChannelRecord);
  }

  /** All rows by their number, some at a time. */
  async #inParts<Row extends { n: number }, Value>(
    part: (after: number) => Promise<Row[]>,
    valueOf: (row: Row) => Value,
  ): Promise<Value[]> {
    const all: Value[] = [];
    for (let after = -1; ;) {
      const rows = await part(after);
      for (const row of rows) all.push(valueOf(row));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) return all;
      after = Number(last.n);
      await this.rest();
    }
  }

  programmes(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 0);
  }

  faults(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 1);
  }

  /** A channel at a time: of one import, or `conflict`. */
  async *#days(guide: string, { channels, days }: DayRange, faults: 0 | 1): AsyncGenerator<PackedDay> {
    const { db } = this.#store;
    const record = await this.guide(guide);
    if (record === null) return;
    const wanted = channels === null ? null : new Set(channels);
    const own = (await this.#channelsIn(record.import)).flatMap(({ id }) =>
      (wanted?.has(id) ?? true) ? [`c${id}`] : [],
    );
    for (const channel of [...(faults === 1 ? [''] : []), ...own]) {
      let rows = db
        .selectFrom('guide_days')
        .selectAll()
        .where('import', '=', record.import)
        .where('faults', '=', faults)
        .where('channel', '=', channel);
      if (days !== null && channel !== '') rows = rows.where('day', '>=', days.from).where('day', '<', days.to);
      rows = rows.orderBy('day').orderBy('n').limit(DAYS);
      for (let last: { day: number; n: number } | undefined; ;) {
        const part = last === undefined ? rows : rows.where(sql<boolean>`(day, n) > (${last.day}, ${last.n})`);
        const found = await part.execute();
        if ((await this.guide(guide))?.import !== record.import) throw replaced();
        for (const { day, count, data } of found) {
          await this.rest();
          yield { channel: channel === '' ? null : channel.slice(1), day: day < 0 ? null : day, count, data };
        }
        last = found.at(-1);
        if (last === undefined || found.length < DAYS) break;
      }
    }
  }

  async lineup(guide: string): Promise<StoredLineup | null> {
    const row = this.#store.db.selectFrom('guide_lineups').select('lineup').where('guide', '=', guide);
    const found = await row.executeTakeFirst();
    // Written by `putLineup` alone, as all rows here are by this store.
    return found === undefined ? null : (JSON.parse(found.lineup) as StoredLineup);
  }

  async putLineup(guide: string, lineup: StoredLineup | null): Promise<void> {
    await keptOrFull(() =>
      this.#store.write(async (tx) => {
        if (!(await changed(tx, [guide]))) throw failed('not_found', 'This guide is not there any more.');
        if (lineup === null) await tx.deleteFrom('guide_lineups').where('guide', '=', guide).execute();
        else await upsert(tx, 'guide_lineups', [{ guide, lineup: JSON.stringify(lineup) }], { key: ['guide'] });
      }),
    );
  }

  mends(scope: MendScope): Promise<MendRow[]> {
    return this.#mendsIn(this.#store.db, scope);
  }

  async #mendsIn(db: Reader, scope: MendScope): Promise<MendRow[]> {
    let rows = db.selectFrom('guide_mends').select(['n', 'mend']).orderBy('n');
    const { guides } = scope;
    if (guides?.length === 0) return [];
    // Of many guides all mends are read: there are not many more.
    if (guides !== null && guides.length <= 100) rows = rows.where('guide', 'in', [...guides]);
    const mends = await this.#inParts<MendCells, MendRow>(
      (after) => rows.where('n', '>', after).limit(ROWS).execute(),
      mendOf,
    );
    return mends.filter((row) => isInScope(row, scope));
  }

  mendsOfRun(run: string): Promise<MendRow[]> {
    const rows = this.#store.db.selectFrom('guide_mends').select(['n', 'mend']).where('run', '=', run).orderBy('n');
    return this.#inParts<MendCells, MendRow>((after) => rows.where('n', '>', after).limit(ROWS).execute(), mendOf);
  }

  changeMends<Value>(scope: MendScope, work: MendWork<Value>): Promise<Value> {
    return keptOrFull(() =>
      this.#store.write(async (tx) => {
        const made = work(await this.#mendsIn(tx, scope));
        const { put, value } = 'put' in made ? made : await inTurns(made, () => this.rest());
        if (put.length > 0) {
          await this.#mayPut(tx, put);
          await putMends(tx, put, () => this.rest());
        }
        return value;
      }),
    );
  }
}

type MendCells = { n: number; mend: string };

const mendOf = ({ mend }: MendCells): MendRow => JSON.parse(mend) as MendRow;

/** New ones behind all others; those that are there stay in their place. */
async function putMends(tx: Tx, put: readonly MendRow[], rest: () => Promise<void>): Promise<void> {
  const last = await tx
    .selectFrom('guide_mends')
    .select((eb) => eb.fn.max('n').as('n'))
    .executeTakeFirst();
  let n = Number(last?.n ?? 0);
  for (const part of chunks(put)) {
    const rows = part.map((row) => ({ id: row.id, n: ++n, guide: row.guide, run: row.run, mend: JSON.stringify(row) }));
    await upsert(tx, 'guide_mends', rows, { columns: ['guide', 'run', 'mend'] });
    await rest();
  }
  await changed(tx, [...new Set(put.map(({ guide }) => guide))]);
}

/** Their revision is one more. False: none of them is there. */
async function changed(tx: Tx, guides: readonly string[]): Promise<boolean> {
  let there = false;
  for (const part of chunks(guides)) {
    const { numUpdatedRows } = await tx
      .updateTable('guides')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('id', 'in', part)
      .executeTakeFirst();
    there ||= Number(numUpdatedRows) > 0;
  }
  return there;
}
