/** What was learned from the answers of people whose uploads are worked on (WORK-27): rows of the lanes, kept for a person. */
import type { LearnedQuery, WorkSave } from '#core/sync/work-protocol.ts';
import type { ExpressionBuilder } from 'kysely';
import { HttpError } from '../http/http-error.ts';
import { chunks, upsert } from '../store/rows.ts';
import type { Database, LearnedTable, Reader, Tx } from '../store/schema.ts';
import { createTurns } from '../turns.ts';

/** Rows of one kind that are kept for a person, the newest. */
const MOST_LEARNED = 200_000;
/** Kinds of rows, of all lanes, that are kept for a person: the bound on what one person's worker can store. */
const MOST_KINDS = 32;

type Kind = Pick<LearnedTable, 'user_id' | 'lane' | 'kind'>;

/** Rows of one statement where many follow: a row may have 64,000 characters. */
const AT_ONCE = 50;

/** These keys, or all of the kind: each row as JSON, without its lane, read as it is asked for. */
export async function* readLearned(
  db: Reader,
  user_id: string,
  { lane, kind, keys }: LearnedQuery,
): AsyncGenerator<string> {
  const all = db
    .selectFrom('learned')
    .select(['key', 'at', 'value'])
    .where(ofKind({ user_id, lane, kind }))
    .orderBy('key');
  const json = ({ key, at, value }: Pick<LearnedTable, 'key' | 'at' | 'value'>): string =>
    `${JSON.stringify({ kind, key, at: Number(at) }).slice(0, -1)},"value":${value}}`;
  if (keys !== undefined) {
    for (const part of chunks([...new Set(keys)], 1, AT_ONCE))
      for (const row of await all.where('key', 'in', part).execute()) yield json(row);
    return;
  }
  for (let after: string | null = null; ;) {
    const page: Pick<LearnedTable, 'key' | 'at' | 'value'>[] = await (
      after === null ? all : all.where('key', '>', after)
    )
      .limit(AT_ONCE)
      .execute();
    for (const row of page) yield json(row);
    after = page.at(-1)?.key ?? null;
    if (page.length < AT_ONCE) return;
  }
}

/** Of rows with the same key the last counts. Throws HttpError 422 where there are too many kinds. */
export async function keepLearned(
  tx: Tx,
  user_id: string,
  learned: Iterable<WorkSave['learned'][number]>,
  most = MOST_LEARNED,
): Promise<void> {
  const turns = createTurns();
  const touched = new Set<string>();
  for (const part of chunks(learned, 1, AT_ONCE)) {
    const kept: LearnedTable[] = [];
    const last = new Map(part.map((row) => [JSON.stringify([row.lane, row.kind, row.key]), row]));
    for (const { value = null, ...row } of last.values()) {
      if (value !== null) kept.push({ user_id, ...row, value: JSON.stringify(value) });
      else
        await tx
          .deleteFrom('learned')
          .where(ofKind({ user_id, ...row }))
          .where('key', '=', row.key)
          .execute();
    }
    await upsert(tx, 'learned', kept, { key: ['user_id', 'lane', 'kind', 'key'] });
    for (const row of kept) touched.add(nameOf(row));
    await turns.rest();
  }
  if (touched.size === 0) return;
  const kinds = tx.selectFrom('learned').select(['user_id', 'lane', 'kind']).distinct().where('user_id', '=', user_id);
  const all = await kinds.limit(MOST_KINDS + 1).execute();
  if (all.length > MOST_KINDS)
    throw new HttpError('invalid', `Of one person at most ${MOST_KINDS} kinds of what was learned are kept.`, {
      status: 422,
    });
  for (const kind of all) if (touched.has(nameOf(kind))) await dropOldest(tx, kind, most);
}

async function dropOldest(tx: Tx, kind: Kind, most: number): Promise<void> {
  const newestFirst = tx
    .selectFrom('learned')
    .select(['at', 'key'])
    .where(ofKind(kind))
    .orderBy('at', 'desc')
    .orderBy('key', 'desc');
  const first = await newestFirst.offset(most).limit(1).executeTakeFirst();
  if (first === undefined) return;
  const { at, key } = first;
  await tx
    .deleteFrom('learned')
    .where(ofKind(kind))
    .where((eb) => eb.or([eb('at', '<', at), eb.and([eb('at', '=', at), eb('key', '<=', key)])]))
    .execute();
}

const ofKind =
  ({ user_id, lane, kind }: Kind) =>
  (eb: ExpressionBuilder<Database, 'learned'>) =>
    eb.and({ user_id, lane, kind });

const nameOf = ({ lane, kind }: Pick<Kind, 'lane' | 'kind'>): string => JSON.stringify([lane, kind]);
