/**
 * Whether workstations whose person never chose a model ask that person first, or use this server's at once: what
 * accession.toml says, until an administrator says otherwise in the page.
 */
import * as v from 'valibot';
import { LendSchema, type Lend } from '#core/agent/llm/wire.ts';
import { writeAudit } from '../audit/audit.ts';
import type { Reader, Tx } from '../store/schema.ts';
import { readMeta, writeMeta } from '../store/store.ts';

const KEY = 'lend';

/** @param usual what accession.toml says */
export async function readLend(db: Reader, usual: Lend): Promise<Lend> {
  const said = v.safeParse(LendSchema, await readMeta(db, KEY));
  return said.success ? said.output : usual;
}

/** @param at milliseconds since the epoch */
export async function writeLend(tx: Tx, userId: string, lend: Lend, at: number): Promise<void> {
  await writeMeta(tx, KEY, lend);
  await writeAudit(tx, { at, user_id: userId, action: 'model.lent', entity_id: KEY, details: { lend } });
}
