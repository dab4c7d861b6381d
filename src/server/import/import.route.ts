import * as v from 'valibot';
import { Count, IdSchema, listOf, Time } from '#core/sync/fields.ts';
import { json, route, type Route } from '../api/route.ts';
import { takeBeside } from '../beside/take-beside.ts';
import type { ServerDeps } from '../lane-server.ts';
import { HttpError } from '../http/http-error.ts';
import { send, mutate } from '../http/mutate.ts';
import { catalogFileSchema, importResultSchema } from './import-file.ts';
import { cancelImport, importsUnderWay } from './import-pieces.ts';
import { importCatalogFile } from './import-request.ts';

/** Bytes; an import of a hundred thousand tracks has about twenty million. Whole catalogs are the administrators' work. */
const MAX_CATALOG = { EditCatalog: 32 * 1024 * 1024, Admin: 128 * 1024 * 1024 };

/** Bytes from which a file is taken over in a process of its own, where there can be one. */
const BESIDE = 1024 * 1024;

type ImportDeps = Pick<ServerDeps, 'store' | 'clock' | 'events' | 'log' | 'lanes' | 'beside'>;

const UnderWaySchema = v.object({
  id: IdSchema,
  user_id: v.string(),
  begun_at: Time,
  /** Of its last piece: of one that was cut off it stands still. */
  at: Time,
  rows: Count,
  done: Count,
  cancelled_by: v.nullable(v.string()),
});

/** POST /v1/catalog/import: the lists of all lanes; and imports that have not ended. */
export function importRoutes(deps: ImportDeps): Route[] {
  const imports = deps.lanes.flatMap((lane) => lane.imports);
  const schema = catalogFileSchema(imports);
  return [
    route('POST /v1/catalog/import', {
      scope: 'EditCatalog',
      tag: 'Catalog',
      summary:
        'Take over a catalog file with the lists of one lane or of several: all of it, or, with a bad row named, nothing.',
      body: schema,
      maxBody: MAX_CATALOG,
      replies: { 200: json(importResultSchema(imports), 'How many were created, updated, unchanged.') },
      failures: [409, 413, 422],
      idempotent: true,
      async answer(c) {
        const beside = await takeBeside(c, deps.beside, { task: 'import', from: BESIDE, most: MAX_CATALOG.Admin });
        if (beside === null)
          return mutate(c, deps, schema, 'CatalogChanged', async (tx, body, by) => {
            const made = await importCatalogFile(tx, imports, body, by, deps.clock.now());
            deps.log.info('catalog imported', { ...made.body });
            return made;
          });
        if (!beside.replayed) deps.log.info('catalog imported', { ...beside.answer.body });
        deps.events.emit({ type: 'CatalogChanged' });
        return send(c, beside.answer, beside.replayed);
      },
    }),
    route('GET /v1/catalog/imports', {
      scope: 'EditCatalog',
      tag: 'Catalog',
      summary: 'Imports of large files that began and did not end, newest first, and how far each is.',
      description:
        'One that was cut off (`at` stands still) or ended (`cancelled_by`) goes on when the same file is sent again; ' +
        'what was written is there.',
      replies: { 200: json(listOf(UnderWaySchema), 'The imports.') },
      async answer(c) {
        const items = (await importsUnderWay(deps.store.db)).map(({ counts: _, ...row }) => row);
        return c.json({ items, next_cursor: null });
      },
    }),
    route('DELETE /v1/catalog/imports/:id', {
      scope: 'EditCatalog',
      tag: 'Catalog',
      summary: 'End an import before its next piece: its sender is answered with 409, and what was written stays.',
      replies: { 204: { description: 'It ends.' } },
      failures: [404],
      idempotent: true,
      async answer(c) {
        const id = c.req.param('id');
        const { user_id } = c.var.principal;
        if (await deps.store.write((tx) => cancelImport(tx, id, user_id))) return c.body(null, 204);
        throw new HttpError('not_found', `There is no import "${id}" under way.`);
      },
    }),
  ];
}
