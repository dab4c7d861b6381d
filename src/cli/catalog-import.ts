import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { ImportResult } from '#core/sync/fields.ts';
import { COMMAND_LINE, writeAudit } from '#server/audit/audit.ts';
import {
  catalogFileSchema,
  importFile,
  listsOf,
  type CatalogFile,
  type LaneImport,
} from '#server/import/import-file.ts';
import { importInPieces, MANY_ROWS, rowsIn } from '#server/import/import-pieces.ts';
import { hash } from '#server/storage/file-check.ts';
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
  const result =
    rowsIn(read.output) > MANY_ROWS
      ? await inPieces(store, clock, imports, path, read.output)
      : await store.write(async (tx) => {
          const done = await importFile(tx, imports, read.output);
          const line = { user_id: COMMAND_LINE, action: 'catalog.imported', entity_id: 'catalog' } as const;
          await writeAudit(tx, { ...line, at: clock.now(), details: { ...done, file: basename(path) } });
          return done;
        });
  for (const [list, { created, updated, unchanged }] of Object.entries(result))
    say(`${list}: ${created} created, ${updated} updated, ${unchanged} unchanged`);
  say(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** A large file: others write between its pieces, and killed it goes on when the command is given again. */
async function inPieces(
  store: Store,
  clock: Clock,
  imports: readonly LaneImport[],
  path: string,
  file: CatalogFile,
): Promise<ImportResult> {
  const request_sha256 = await pipeline(createReadStream(path), hash);
  const request = { principal: { user_id: COMMAND_LINE, scopes: [] }, key: null, request_sha256 };
  const details = { file: basename(path) };
  const { answer } = await importInPieces(store, imports, file, { request, clock, details });
  // As `importInPieces` makes it.
  return answer.body as ImportResult;
}
