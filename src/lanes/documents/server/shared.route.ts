/** Approved records of documents on the server, and their PDFs. */
import type { Context } from 'hono';
import * as v from 'valibot';
import { AccessionError } from '#core/errors.ts';
import { Sha256 } from '#core/sync/fields.ts';
import { LARGEST_CONTENT, SharedSchema, ShareSchema } from '#lanes/documents/core/share/shared-document.ts';
import { inParts, json, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { bodyChunks, parse } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { mutate } from '#server/http/mutate.ts';
import { ranged } from '#server/http/ranged.ts';
import type { DocumentContents, Served } from './contents.ts';
import { namedContents, writeShared } from './record-rows.ts';

const KeptSchema = v.object({ sha256: Sha256, size: v.number() });
const PDF = 'application/pdf';

export function sharedRoutes(
  deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>,
  contents: DocumentContents,
): Route[] {
  const asked = (c: Context): string => parse(Sha256, c.req.param('sha256'), 'the address');
  return [
    route('POST /v1/documents/records', {
      scope: 'EditCatalog',
      tag: 'Documents',
      summary: 'Approved records of papers and books, and those that were taken back.',
      description:
        'What was approved last counts. Workstations hear of it by /v1/catalog/changes/documents. A PDF that a record names was sent before (PUT /v1/documents/contents/{sha256}).',
      idempotent: 'key',
      body: ShareSchema,
      maxBody: 4 * 1024 * 1024,
      replies: { 200: json(SharedSchema, 'How many were written and removed; older ones change nothing.') },
      failures: [422],
      async answer(c) {
        let former: string[] = [];
        const answer = await mutate(c, deps, ShareSchema, 'CatalogChanged', async (tx, share) => {
          for (const { content } of share.put)
            if (content !== null && (await contents.size(content.sha256)) !== content.size)
              throw new HttpError('invalid', `The PDF ${content.sha256} is not here.`, {
                status: 422,
                remedy: 'Send it first.',
              });
          const { let: left, ...done } = await writeShared(tx, share);
          former = left;
          await contents.noteUnnamed(tx, left);
          return { status: 200, body: done };
        });
        await contents.letGo(former);
        return answer;
      },
    }),
    route('PUT /v1/documents/contents/:sha256', {
      scope: 'EditCatalog',
      tag: 'Documents',
      summary: 'The PDF of an approved record, by its SHA-256.',
      idempotent: true,
      body: { type: PDF, description: 'The whole file, 200 MB at most.' },
      maxBody: LARGEST_CONTENT,
      replies: { 200: json(KeptSchema, 'It is kept.') },
      failures: [422],
      async answer(c) {
        const sha256 = asked(c);
        try {
          return c.json({ sha256, size: await contents.put(sha256, bodyChunks(c)) });
        } catch (error) {
          if (error instanceof AccessionError && error.failure.code === 'hash_mismatch')
            throw new HttpError('hash_mismatch', error.failure.message, { status: 422 });
          throw error;
        }
      },
    }),
    route('GET /v1/documents/contents/:sha256', {
      scope: 'ReadCatalog',
      tag: 'Documents',
      summary: 'The PDF of an approved record, whole or in part.',
      ...inParts(PDF),
      failures: [404, 416, 500],
      async answer(c) {
        const sha256 = asked(c);
        const isNamed = (await namedContents(deps.store.db, [sha256])).size > 0;
        const found: Served = isNamed ? await contents.served(sha256) : { wrong: 'gone' };
        if (found.wrong === 'gone') throw new HttpError('not_found', 'There is no such document here.');
        if (found.wrong === 'damaged')
          throw new HttpError('file_damaged', 'This PDF is damaged on the server.', {
            status: 500,
            remedy: 'Whoever runs the server mends it with: accession verify --repair (docs/OPERATIONS.md).',
          });
        // Its address is its content.
        c.header('Cache-Control', 'private, max-age=31536000, immutable');
        return ranged(c, { type: PDF, size: found.size }, found.read);
      },
    }),
  ];
}
