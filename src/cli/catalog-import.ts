import { basename } from 'node:path';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { ImportResult } from '#core/sync/fields.ts';
import { COMMAND_LINE, writeAudit } from '#server/audit/audit.ts';
import { catalogFileSchema, importFile, listsOf, type LaneImport } from '#server/import/import-file.ts';
import type { Store } from '#server/store/store.ts';
import { readJson } from './json-lines.ts';

/**
 * Imports a JSON file into the store and says what changed. Throws AccessionError with the reason; nothing is imported
 * then.
 */
export async function catalogImport(
  store: Store,
  clock: Clock,
  imports: readonly LaneImport[],
  path: string,
  say: (line: string) => void,
): Promise<ImportResult> {
  const read = v.safeParse(catalogFileSchema(imports), await readJson(path));
  if (!read.success) throw failed('invalid', `"${path}" must be an object with ${listsOf(imports)}.`);
  const start = performance.now();
  const result = await store.write(async (tx) => {
    const done = await importFile(tx, imports, read.output);
    const line = { at: clock.now(), user_id: COMMAND_LINE, action: 'catalog.imported', entity_id: 'catalog' } as const;
    await writeAudit(tx, { ...line, details: { ...done, file: basename(path) } });
    return done;
  });
  for (const [list, { created, updated, unchanged }] of Object.entries(result))
    say(`${list}: ${created} created, ${updated} updated, ${unchanged} unchanged`);
  say(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
