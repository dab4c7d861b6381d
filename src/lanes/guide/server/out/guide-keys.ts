/**
 * Keys in addresses, for programs that send no bearer (media servers, players): 128 bits, kept as a hash, each reads what
 * is written out of one guide and nothing else.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Reader, Tx } from '#server/store/schema.ts';

const BYTES = 16;
/** 128 bits as base64url. */
export const KEY_FORM = /^[\w-]{22}$/;

export const NewKeySchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  guide: v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/)),
});
export const KeySchema = v.object({
  ...{ id: v.string(), name: v.string(), guide: v.string(), created_at: v.number(), created_by: v.string() },
});
/** `key` is said once. */
export const NewKeyAnswerSchema = v.object({ ...KeySchema.entries, key: v.string() });
export const KeysSchema = v.object({ items: v.array(KeySchema) });
export type GuideKey = v.InferOutput<typeof KeySchema>;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export async function makeKey(tx: Tx, row: GuideKey): Promise<GuideKey & { key: string }> {
  const key = randomBytes(BYTES).toString('base64url');
  await tx
    .insertInto('guide_keys')
    .values({ ...row, key_hash: hashOf(key), revoked_at: null })
    .execute();
  return { ...row, key };
}

export async function goodKeys(db: Reader): Promise<GuideKey[]> {
  const columns = ['id', 'name', 'guide', 'created_at', 'created_by'] as const;
  const rows = db.selectFrom('guide_keys').select(columns).where('revoked_at', 'is', null).orderBy('created_at');
  return rows.orderBy('id').execute();
}

/** False: there is no such key that is good. */
export async function revokeKey(tx: Tx, id: string, at: number): Promise<boolean> {
  const row = tx.updateTable('guide_keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null);
  return Number((await row.executeTakeFirst()).numUpdatedRows) > 0;
}

/** The guide that the key reads; null: it is none, or is revoked. */
export async function guideOfKey(db: Reader, key: string): Promise<string | null> {
  if (!KEY_FORM.test(key)) return null;
  const row = db.selectFrom('guide_keys').select('guide').where('key_hash', '=', hashOf(key));
  return (await row.where('revoked_at', 'is', null).executeTakeFirst())?.guide ?? null;
}
