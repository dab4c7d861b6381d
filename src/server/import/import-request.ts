/** A catalog file as a person's request: its rows, and the line of who did it. */
import type { Clock } from '#core/ports.ts';
import type { Principal } from '../auth/principal.ts';
import { writeAudit } from '../audit/audit.ts';
import type { Answer } from '../http/made-answer.ts';
import type { Tx } from '../store/schema.ts';
import { importFile, type CatalogFile, type LaneImport } from './import-file.ts';

/** Throws as `importFile`. */
export async function importCatalogFile(
  tx: Tx,
  imports: readonly LaneImport[],
  file: CatalogFile,
  by: Pick<Principal, 'user_id'>,
  now: ReturnType<Clock['now']>,
): Promise<Answer> {
  const result = await importFile(tx, imports, file);
  const line = { at: now, user_id: by.user_id, action: 'catalog.imported', entity_id: 'catalog' } as const;
  await writeAudit(tx, { ...line, details: { ...result } });
  return { status: 200, body: result };
}
