/** What is known to be damaged: written by whoever finds it, taken away by whoever finds it right again. */
import type { KeptFile } from '../lane-server.ts';
import { upsert } from '../store/rows.ts';
import type { DamageTable, Reader, Tx } from '../store/schema.ts';
import type { Wrong } from './file-check.ts';

export async function noteDamage(tx: Tx, { root, path, sha256 }: KeptFile, wrong: Wrong, at: number): Promise<void> {
  const known = tx.selectFrom('damage').select('found_at').where('root', '=', root).where('path', '=', path);
  const found_at = (await known.executeTakeFirst())?.found_at ?? at;
  await upsert(tx, 'damage', [{ root, path, sha256, wrong, found_at }], { key: ['root', 'path'] });
}

export async function forgetDamage(tx: Tx, { root, path }: Pick<KeptFile, 'root' | 'path'>): Promise<void> {
  await tx.deleteFrom('damage').where('root', '=', root).where('path', '=', path).execute();
}

/** Files that are known to be damaged, by name. @param limit at most so many */
export async function knownDamage(db: Reader, limit: number): Promise<DamageTable[]> {
  const rows = await db.selectFrom('damage').selectAll().orderBy('root').orderBy('path').limit(limit).execute();
  return rows.map((row) => ({ ...row, found_at: Number(row.found_at) }));
}
