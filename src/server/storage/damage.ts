/** What is known to be damaged: written by whoever finds it, taken away by whoever finds it right again. */
import * as v from 'valibot';
import type { CatalogDeps } from '../deps.ts';
import type { KeptFile } from '../lane-server.ts';
import { upsert } from '../store/rows.ts';
import type { DamageTable, Reader, Tx } from '../store/schema.ts';
import { readMeta, writeMeta } from '../store/store.ts';
import type { Wrong } from './file-check.ts';

export async function noteDamage(tx: Tx, { root, path, sha256 }: KeptFile, wrong: Wrong, at: number): Promise<void> {
  const known = tx.selectFrom('damage').select('found_at').where('root', '=', root).where('path', '=', path);
  const found_at = (await known.executeTakeFirst())?.found_at ?? at;
  await upsert(tx, 'damage', [{ root, path, sha256, wrong, found_at }], { key: ['root', 'path'] });
}

/** The same for whoever meets it in passing: written once, and where that is not possible now the next one does it. */
export async function noteMet(
  { store, clock, log }: Pick<CatalogDeps, 'store' | 'clock' | 'log'>,
  file: KeptFile,
  wrong: Wrong,
): Promise<void> {
  const known = store.db
    .selectFrom('damage')
    .select('path')
    .where('root', '=', file.root)
    .where('path', '=', file.path);
  try {
    if ((await known.executeTakeFirst()) === undefined)
      await store.write((tx) => noteDamage(tx, file, wrong, clock.now()));
  } catch (error) {
    log.warn('a damaged file could not be noted', { path: file.path, error: String(error) });
  }
}

export async function forgetDamage(tx: Tx, { root, path }: Pick<KeptFile, 'root' | 'path'>): Promise<void> {
  await tx.deleteFrom('damage').where('root', '=', root).where('path', '=', path).execute();
}

/** Files that are known to be damaged, by name. @param limit at most so many */
export async function knownDamage(db: Reader, limit: number): Promise<DamageTable[]> {
  const rows = await db.selectFrom('damage').selectAll().orderBy('root').orderBy('path').limit(limit).execute();
  return rows.map((row) => ({ ...row, found_at: Number(row.found_at) }));
}

export async function damageCount(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('damage')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

const LOST = 'lost_history';
const LostSchema = v.object({ at: v.number(), sentence: v.string() });

/** What the database itself has lost (store/history.ts), for Settings. */
export async function noteLost(tx: Tx, sentence: string, at: number): Promise<void> {
  await writeMeta(tx, LOST, JSON.stringify({ at, sentence } satisfies v.InferOutput<typeof LostSchema>));
}

export async function knownLoss(db: Reader): Promise<v.InferOutput<typeof LostSchema> | null> {
  const text = await readMeta(db, LOST);
  return text === null ? null : v.parse(LostSchema, JSON.parse(text));
}

export async function forgetLost(tx: Tx): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', LOST).execute();
}
