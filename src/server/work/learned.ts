/** What was learned from the answers of people whose uploads are worked on (WORK-9): rows of the lanes, kept for a person. */
import type { LearnedRow } from '#core/run/lane-rows.ts';
import type { LearnedQuery, WorkSave } from '#core/sync/work-protocol.ts';
import { chunks, upsert } from '../store/rows.ts';
import type { Reader, Tx } from '../store/schema.ts';

/** Rows of one kind that are kept for a person, the newest. */
const MOST_LEARNED = 200_000;

/** These keys, or all of the kind. */
export async function readLearned(
  db: Reader,
  userId: string,
  { lane, kind, keys }: LearnedQuery,
): Promise<LearnedRow[]> {
  const ofKind = db
    .selectFrom('learned')
    .select(['kind', 'key', 'at', 'value'])
    .where('user_id', '=', userId)
    .where('lane', '=', lane)
    .where('kind', '=', kind);
  const queries = keys === undefined ? [ofKind] : chunks(keys).map((part) => ofKind.where('key', 'in', part));
  const found: LearnedRow[] = [];
  for (const query of queries)
    for (const { at, value, ...row } of await query.execute())
      found.push({ ...row, at: Number(at), value: JSON.parse(value) as unknown });
  return found;
}

export async function keepLearned(tx: Tx, userId: string, learned: WorkSave['learned']): Promise<void> {
  const rows = learned.map(({ value, ...row }) => ({ user_id: userId, ...row, value: JSON.stringify(value ?? null) }));
  const kept = rows.filter(({ value }) => value !== 'null');
  await upsert(tx, 'learned', kept, { key: ['user_id', 'lane', 'kind', 'key'] });
  for (const { lane, kind, key, value } of rows) {
    if (value !== 'null') continue;
    const gone = tx.deleteFrom('learned').where('user_id', '=', userId).where('lane', '=', lane);
    await gone.where('kind', '=', kind).where('key', '=', key).execute();
  }
  for (const [lane, kind] of kindsOf(kept)) await dropOldest(tx, userId, lane, kind);
}

function kindsOf(rows: readonly { lane: string; kind: string }[]): [lane: string, kind: string][] {
  return [...new Map(rows.map(({ lane, kind }) => [`${lane} ${kind}`, [lane, kind] as [string, string]])).values()];
}

async function dropOldest(tx: Tx, userId: string, lane: string, kind: string): Promise<void> {
  const ofKind = tx
    .selectFrom('learned')
    .where('user_id', '=', userId)
    .where('lane', '=', lane)
    .where('kind', '=', kind);
  const last = await ofKind.select('at').orderBy('at', 'desc').offset(MOST_LEARNED).limit(1).executeTakeFirst();
  if (last === undefined) return;
  const old = tx.deleteFrom('learned').where('user_id', '=', userId).where('lane', '=', lane).where('kind', '=', kind);
  await old.where('at', '<=', last.at).execute();
}
