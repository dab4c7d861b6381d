/** What was learned from the answers of people whose uploads are worked on (WORK-27): rows of the lanes, kept for a person. */
import type { LearnedRow } from '#core/run/lane-rows.ts';
import type { LearnedQuery, WorkSave } from '#core/sync/work-protocol.ts';
import type { ExpressionBuilder } from 'kysely';
import { HttpError } from '../http/http-error.ts';
import { chunks, upsert } from '../store/rows.ts';
import type { Database, LearnedTable, Reader, Tx } from '../store/schema.ts';

/** Rows of one kind that are kept for a person, the newest. */
const MOST_LEARNED = 200_000;
/** Kinds of rows, of all lanes, that are kept for a person: the bound on what one person's worker can store. */
const MOST_KINDS = 32;

type Kind = Pick<LearnedTable, 'user_id' | 'lane' | 'kind'>;

/** These keys, or all of the kind. */
export async function readLearned(
  db: Reader,
  user_id: string,
  { lane, kind, keys }: LearnedQuery,
): Promise<LearnedRow[]> {
  const all = db.selectFrom('learned').select(['kind', 'key', 'at', 'value']).where(ofKind({ user_id, lane, kind }));
  const queries = keys === undefined ? [all] : chunks([...new Set(keys)]).map((part) => all.where('key', 'in', part));
  const found: LearnedRow[] = [];
  for (const query of queries)
    for (const { at, value, ...row } of await query.execute())
      found.push({ ...row, at: Number(at), value: JSON.parse(value) as unknown });
  return found;
}

/** Of rows with the same key the last counts. Throws HttpError 422 where there are too many kinds. */
export async function keepLearned(
  tx: Tx,
  user_id: string,
  learned: WorkSave['learned'],
  most = MOST_LEARNED,
): Promise<void> {
  const rows = new Map(learned.map((row) => [JSON.stringify([row.lane, row.kind, row.key]), row]));
  const kept: LearnedTable[] = [];
  for (const { value = null, ...row } of rows.values()) {
    if (value !== null) kept.push({ user_id, ...row, value: JSON.stringify(value) });
    else
      await tx
        .deleteFrom('learned')
        .where(ofKind({ user_id, ...row }))
        .where('key', '=', row.key)
        .execute();
  }
  if (kept.length === 0) return;
  await upsert(tx, 'learned', kept, { key: ['user_id', 'lane', 'kind', 'key'] });
  const kinds = tx.selectFrom('learned').select(['user_id', 'lane', 'kind']).distinct().where('user_id', '=', user_id);
  const all = await kinds.limit(MOST_KINDS + 1).execute();
  if (all.length > MOST_KINDS)
    throw new HttpError('invalid', `Of one person at most ${MOST_KINDS} kinds of what was learned are kept.`, {
      status: 422,
    });
  for (const kind of all) if (kept.some((row) => isOf(row, kind))) await dropOldest(tx, kind, most);
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

function isOf(row: Kind, { lane, kind }: Kind): boolean {
  return row.lane === lane && row.kind === kind;
}
