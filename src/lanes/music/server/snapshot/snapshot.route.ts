import * as v from 'valibot';
import { SnapshotAnswerSchema, type SnapshotAnswer } from '#lanes/music/core/protocol/snapshot.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { HttpError } from '#server/http/http-error.ts';
import { streamOf } from '#server/http/stream.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * /v1/catalog/snapshot: the file with which a workstation begins, and GET /:name, the file. A name stands for the
 * same bytes for ever.
 */
export function snapshotRoutes(snapshots: Snapshots | null): Route[] {
  return [
    route('GET /v1/catalog/snapshot', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The file with which a workstation begins its copy of the catalog.',
      query: {
        cursor: { description: 'Of the change feed: how far the snapshot is ahead of it.', schema: v.string() },
      },
      replies: { 200: json(SnapshotAnswerSchema, 'The snapshot, or null where there is none.') },
      answer(c) {
        snapshots?.check();
        const current = snapshots?.current ?? null;
        if (current === null) return c.json({ snapshot: null, ahead: null } satisfies SnapshotAnswer);
        const { seq, ...snapshot } = current;
        const [mark, at] = (c.req.query('cursor') ?? '').split('.');
        const known = mark !== '' && snapshot.catalog_id.startsWith(mark ?? '') && /^\d{1,15}$/.test(at ?? '');
        const ahead = known ? Math.max(0, seq - Number(at)) : null;
        return c.json({ snapshot, ahead } satisfies SnapshotAnswer);
      },
    }),
    route('GET /v1/catalog/snapshot/:name', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The file of a snapshot. A name stands for the same bytes for ever.',
      replies: {
        200: { description: 'An index of the catalog, packed.', type: 'application/gzip' },
        304: { description: 'The file is as it was.' },
      },
      failures: [404],
      async answer(c) {
        const name = c.req.param('name');
        const file = (await snapshots?.file(name)) ?? null;
        if (file === null) throw new HttpError('not_found', 'This snapshot of the catalog is not kept any more.');
        const etag = `"${name}"`;
        c.header('ETag', etag);
        c.header('Cache-Control', 'private, max-age=31536000, immutable');
        if (c.req.header('if-none-match') === etag) return c.body(null, 304);
        c.header('Content-Type', 'application/gzip');
        c.header('Content-Length', String(file.size));
        if (c.req.method === 'HEAD') return c.body(null, 200);
        return c.body(streamOf(file.read()), 200);
      },
    }),
  ];
}
