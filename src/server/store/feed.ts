/**
 * The change feed. Its counter is one row, updated by every transaction that changes the catalog and locked
 * by it until it commits: sequence numbers become visible in their order, so that a reader who has seen n
 * never finds a smaller one later. An entity has one row, its latest change: a fresh replica reads each once.
 * All lanes' changes are in one table; each lane's feed is read apart, so that a workstation reads what it knows.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type * as v from 'valibot';
import type { Scope } from '../auth/principal.ts';
import { upsert, type Breathe } from './rows.ts';
import type { ChangeTable, Reader, Tx } from './schema.ts';

/**
 * Counters of changes: each is one row of `feed_counter`, locked by the transaction that counts on until it
 * commits, so that numbers become visible in their order.
 */

/** `catalog`: the change feed. `updates`: what happened to jobs. `access`: changes of who may do what. */
const ROWS = { catalog: 1, updates: 2, access: 3 } as const;
type Counter = keyof typeof ROWS;

/** Counts on by so many; answers the last number. */
export async function countOn(tx: Tx, counter: Counter, by: number): Promise<number> {
  const row = await tx
    .insertInto('feed_counter')
    .values({ id: ROWS[counter], value: by })
    .onConflict((c) => c.column('id').doUpdateSet((eb) => ({ value: eb('feed_counter.value', '+', by) })))
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** The last number of each. */
export async function positions(db: Reader): Promise<Record<Counter, number>> {
  const rows = await db.selectFrom('feed_counter').selectAll().execute();
  const of = (counter: Counter): number => Number(rows.find(({ id }) => Number(id) === ROWS[counter])?.value ?? 0);
  return { catalog: of('catalog'), updates: of('updates'), access: of('access') };
}

/** The changes that a lane reports to workstations. */
export interface LaneFeed {
  /** Its address, below `/v1/catalog/changes`; its cursors are good there alone. */
  readonly path: string;
  readonly summary: string;
  /** No other lane has a kind of the same name. */
  readonly kinds: readonly string[];
  /**
   * True where nearly all changes are of these kinds: then the table is read in the order of its numbers and the other
   * kinds are passed over, otherwise these kinds are looked up.
   */
  readonly most?: boolean;
  /** What a token must be allowed to read it; usually `ReadCatalog`. */
  readonly scope?: Scope;
  /** Changes of a page. */
  readonly limit: { readonly usual: number; readonly most: number };
  /** Of the answer (`changesPageOf`). */
  readonly page: v.GenericSchema;
  /** Records of a kind by their ids, as they are now; what was deleted is left out. */
  read(db: Reader, kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

export interface FeedChange {
  kind: string;
  id: string;
  op: 'put' | 'delete';
  record: object | null;
}

export type ChangedEntity = Pick<ChangeTable, 'kind' | 'entity_id'>;

/** Appends changes in the given order. Each entity may be in the list once. */
export async function appendChanges(tx: Tx, changed: readonly ChangedEntity[], breathe?: Breathe): Promise<void> {
  if (changed.length === 0) return;
  const first = (await countOn(tx, 'catalog', changed.length)) - changed.length + 1;
  const mark = { seq: first + changed.length - 1, mark: randomBytes(6).toString('hex') };
  await tx.insertInto('feed_marks').values(mark).execute();
  const rows = changed.map(({ kind, entity_id }, at) => ({ kind, entity_id, seq: first + at }));
  await upsert(tx, 'changes', rows, { key: ['kind', 'entity_id'] }, breathe);
}

/** A place in the updates of jobs is the beginning of the database's id and a sequence number: `0d3c9a1e.4711`. */
export const placeCursor = (catalogId: string, seq: number): string => `${catalogId.slice(0, 8)}.${seq}`;

/**
 * A cursor of the change feed: a place, and the mark of the transaction in which it lies: `0d3c9a1e.4711.8c1fa0b2c3d4`.
 * An operator may put a database back to an older state, and its numbers are then given again; the marks are not.
 */
export async function feedCursor(db: Reader, catalogId: string, seq: number): Promise<string> {
  const mark = seq === 0 ? null : await markAt(db, seq);
  return `${placeCursor(catalogId, seq)}${mark === null ? '' : `.${mark}`}`;
}

/**
 * The sequence number of a cursor of this history; null for one of another database, or of what this one had before it
 * was put back. Undefined for what is no cursor.
 */
export async function readFeedCursor(
  db: Reader,
  catalogId: string,
  cursor: string,
): Promise<number | null | undefined> {
  const [, of, digits, mark] = /^(\w{1,8})\.(\d{1,15})(?:\.([0-9a-f]{12}))?$/.exec(cursor) ?? [];
  if (of === undefined || digits === undefined) return undefined;
  const seq = Number(digits);
  if (of !== catalogId.slice(0, 8) || seq > (await feedPosition(db))) return null;
  if (mark !== undefined) return mark === (await markAt(db, seq)) ? seq : null;
  // From before there were marks, or from the beginning.
  const oldest = await db.selectFrom('feed_marks').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return oldest === undefined || seq <= Number(oldest.seq) ? seq : null;
}

/** The mark of the transaction that gave this number. */
async function markAt(db: Reader, seq: number): Promise<string | null> {
  const marks = db.selectFrom('feed_marks').select('mark').where('seq', '>=', seq).orderBy('seq').limit(1);
  return (await marks.executeTakeFirst())?.mark ?? null;
}

/** How far a feed was read: a number, and the mark of the transaction that gave it. */
export interface FeedPlace {
  seq: number;
  mark: string | null;
}

/** How far there is something to read; one question to the database. */
export async function feedPlace(db: Reader): Promise<FeedPlace> {
  return (await placeAfter(db, { seq: 0, mark: null })).now;
}

/** The same, and whether this database had there what was read up to a place; false where it was put back to an older state. */
export async function placeAfter(db: Reader, read: FeedPlace): Promise<{ now: FeedPlace; isOfHistory: boolean }> {
  const { rows } = await sql<{ seq: unknown; mark: string | null; known: string | null }>`select value as seq,
    (select mark from feed_marks where seq >= value order by seq limit 1) as mark,
    (select mark from feed_marks where seq >= ${read.seq} order by seq limit 1) as known
    from feed_counter where id = ${ROWS.catalog}`.execute(db);
  const [row] = rows;
  const now = { seq: Number(row?.seq ?? 0), mark: row?.mark ?? null };
  const isOfHistory = read.seq === 0 || (read.seq <= now.seq && row?.known === read.mark);
  return { now, isOfHistory };
}

/** The highest sequence number that is committed. */
export async function feedPosition(db: Reader): Promise<number> {
  return (await positions(db)).catalog;
}

/**
 * A feed's changes after `after`, each with its record as it is now, oldest first, at most `limit`.
 * @param others kinds of the other feeds
 */
export async function readChanges(
  db: Reader,
  feed: LaneFeed,
  others: readonly string[],
  after: number,
  limit: number,
): Promise<{ items: FeedChange[]; last: number; more: boolean }> {
  const all = db.selectFrom('changes').selectAll().where('seq', '>', after);
  const kinds = feed.most === true ? all.where('kind', 'not in', [...others, '']) : all.where('kind', 'in', feed.kinds);
  const rows = await kinds
    .orderBy('seq')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const records = new Map<string, ReadonlyMap<string, object>>();
  for (const kind of feed.kinds) {
    const ids = page.filter((row) => row.kind === kind).map((row) => row.entity_id);
    if (ids.length > 0) records.set(kind, await feed.read(db, kind, ids));
  }
  const items = page
    // A lane that was here before may have left some.
    .filter(({ kind }) => feed.kinds.includes(kind))
    .map(({ kind, entity_id: id }): FeedChange => {
      const record = records.get(kind)?.get(id) ?? null;
      return { kind, id, op: record === null ? 'delete' : 'put', record };
    });
  return { items, last: Number(page.at(-1)?.seq ?? after), more: rows.length > limit };
}
