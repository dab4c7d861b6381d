import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { AccessionError, failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { CatalogFileSchema, type ImportResult } from '#core/sync/protocol.ts';
import { COMMAND_LINE, writeAudit } from '#server/audit/audit.ts';
import { importFile } from '#server/import/import-file.ts';
import type { Store } from '#server/store/store.ts';

/** Imports a JSON file into the store and says what changed. Throws AccessionError with the reason; nothing is imported then. */
export async function catalogImport(
  store: Store,
  clock: Clock,
  path: string,
  say: (line: string) => void,
): Promise<ImportResult> {
  const file = await readCatalogFile(path);
  const start = performance.now();
  const result = await store.write(async (tx) => {
    const done = await importFile(tx, file);
    const line = { at: clock.now(), user_id: COMMAND_LINE, action: 'catalog.imported', entity_id: 'catalog' } as const;
    await writeAudit(tx, { ...line, details: { ...done, file: basename(path) } });
    return done;
  });
  for (const kind of ['artists', 'albums', 'tracks', 'shows'] as const) {
    const counts = result[kind];
    if (counts === undefined) continue;
    const { created, updated, unchanged } = counts;
    say(`${kind}: ${created} created, ${updated} updated, ${unchanged} unchanged`);
  }
  say(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

async function readCatalogFile(path: string): Promise<v.InferOutput<typeof CatalogFileSchema>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessionError(
      failure('file_unreadable', `"${path}" cannot be read: ${reason}.`, { remedy: 'Check the path.' }),
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessionError(failure('invalid', `"${path}" is not JSON: ${reason}.`));
  }
  const result = v.safeParse(CatalogFileSchema, json);
  if (result.success) return result.output;
  throw new AccessionError(
    failure(
      'invalid',
      `"${path}" must be an object with the lists "artists", "albums" and "tracks", or "shows", or all four.`,
    ),
  );
}
