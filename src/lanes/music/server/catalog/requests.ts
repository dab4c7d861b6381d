/** Download requests: what somebody wants and the catalog has no audio of. */
import type { Clock, Ids } from '#core/ports.ts';
import { type DownloadRequest, DownloadRequestSchema, NewDownloadRequestSchema } from '#lanes/music/core/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { appendChanges } from '#server/store/feed.ts';
import { findRow } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { mutate } from '#server/http/mutate.ts';
import { readPage } from '#server/http/page.ts';

export type Wanted = { album_id: string } | { track_id: string };

/**
 * Asks for an album or a track. What the same user already waits for is not asked twice; what is there already is
 * fulfilled at once. Throws HttpError 422 for an album or track that does not exist.
 */
export async function createRequest(
  tx: Tx,
  using: { ids: Ids; clock: Clock },
  userId: string,
  wanted: Wanted,
): Promise<DownloadRequest> {
  const album_id = 'album_id' in wanted ? wanted.album_id : null;
  const track_id = 'track_id' in wanted ? wanted.track_id : null;
  await checkWanted(tx, album_id, track_id);
  const own = pending(tx).where('requested_by', '=', userId);
  const same = album_id === null ? own.where('track_id', '=', track_id) : own.where('album_id', '=', album_id);
  const kept = await same.executeTakeFirst();
  if (kept) return kept;
  const now = using.clock.now();
  const row: DownloadRequest = {
    id: `rq_${using.ids.next()}`,
    status: 'pending',
    album_id,
    track_id,
    requested_by: userId,
    created_at: now,
    fulfilled_at: null,
  };
  if (await isThere(tx, row)) Object.assign(row, { status: 'fulfilled', fulfilled_at: now });
  await tx.insertInto('download_requests').values(row).execute();
  await appendChanges(tx, [{ kind: 'download_request', entity_id: row.id }]);
  return row;
}

const pending = (db: Reader) => db.selectFrom('download_requests').selectAll().where('status', '=', 'pending');

/** Fulfils every pending request that wants this track, or its album, and now has all it wants. Returns their ids. */
export async function fulfilRequests(tx: Tx, track: { id: string; album_id: string }, now: number): Promise<string[]> {
  const rows = await pending(tx)
    .where((eb) => eb.or([eb('track_id', '=', track.id), eb('album_id', '=', track.album_id)]))
    .execute();
  const done: string[] = [];
  for (const row of rows) if (await isThere(tx, row)) done.push(row.id);
  if (done.length === 0) return done;
  await tx
    .updateTable('download_requests')
    .set({ status: 'fulfilled', fulfilled_at: now })
    .where('id', 'in', done)
    .execute();
  const changes = done.map((entity_id) => ({ kind: 'download_request' as const, entity_id }));
  await appendChanges(tx, changes);
  return done;
}

/** True when every wanted track has audio. An album without tracks has nothing to be there. */
async function isThere(db: Reader, wanted: Pick<DownloadRequest, 'album_id' | 'track_id'>): Promise<boolean> {
  const all = db.selectFrom('tracks').select('availability');
  const query =
    wanted.album_id === null ? all.where('id', '=', wanted.track_id) : all.where('album_id', '=', wanted.album_id);
  const rows = await query.execute();
  return rows.length > 0 && rows.every((row) => row.availability === 'available');
}

/**
 * Takes a request back: nobody waits for it any more. Throws HttpError 404, and 409 for one that is fulfilled.
 * @returns the request as it was
 */
export async function withdrawRequest(tx: Tx, id: string): Promise<DownloadRequest> {
  const row = await findRow(tx, 'download_requests', id);
  if (!row) throw new HttpError('not_found', `There is no request "${id}"; it may have been withdrawn.`);
  if (row.status === 'fulfilled')
    throw new HttpError('conflict', 'The request is fulfilled: what was asked for is in the catalog.');
  await tx.deleteFrom('download_requests').where('id', '=', id).execute();
  await appendChanges(tx, [{ kind: 'download_request', entity_id: id }]);
  return row;
}

async function checkWanted(tx: Tx, albumId: string | null, trackId: string | null): Promise<void> {
  const found = albumId === null ? findRow(tx, 'tracks', trackId ?? '') : findRow(tx, 'albums', albumId);
  if (await found) return;
  const what = albumId === null ? `track "${trackId}"` : `album "${albumId}"`;
  throw new HttpError('invalid', `There is no ${what} in the catalog.`, { status: 422 });
}

/** /v1/download-requests */
export function requestRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  return [
    route('GET /v1/download-requests', {
      scope: 'ReadCatalog',
      tag: 'Requests',
      summary: 'What was asked for, oldest first.',
      query: {
        ...paged(100, 500),
        status: { description: 'Those alone.', schema: v.picklist(['pending', 'fulfilled']) },
      },
      replies: { 200: json(listOf(DownloadRequestSchema), 'A page of requests.') },
      async answer(c) {
        const status = c.req.query('status');
        let query = deps.store.db.selectFrom('download_requests').selectAll();
        if (status === 'pending' || status === 'fulfilled') query = query.where('status', '=', status);
        else if (status !== undefined) throw new HttpError('invalid', '"status" is "pending" or "fulfilled".');
        const { page, next_cursor } = await readPage(c, query, { usual: 100, most: 500, by: 'created_at' });
        return c.json({ items: page, next_cursor });
      },
    }),
    route('POST /v1/download-requests', {
      scope: 'EditCatalog',
      tag: 'Requests',
      summary: 'Ask for an album or a track.',
      body: NewDownloadRequestSchema,
      replies: { 201: json(DownloadRequestSchema, 'The request.') },
      failures: [404, 409, 422],
      idempotent: 'key',
      answer: (c) =>
        mutate(c, deps, NewDownloadRequestSchema, 'CatalogChanged', async (tx, wanted, principal) => {
          const made = await createRequest(tx, deps, principal.user_id, wanted);
          const line = { at: deps.clock.now(), user_id: principal.user_id, action: 'request.created' } as const;
          await writeAudit(tx, { ...line, entity_id: made.id, details: { ...wanted } });
          return { status: 201, body: made };
        }),
    }),
    route('DELETE /v1/download-requests/:id', {
      scope: 'EditCatalog',
      tag: 'Requests',
      summary: 'Withdraw a request that is not fulfilled yet.',
      replies: { 200: json(DownloadRequestSchema, 'The request as it was: the same can be asked for again.') },
      failures: [404, 409],
      idempotent: false,
      async answer(c) {
        const { user_id } = c.var.principal;
        const gone = await deps.store.write(async (tx) => {
          const row = await withdrawRequest(tx, c.req.param('id'));
          const { album_id, track_id, requested_by } = row;
          const line = { at: deps.clock.now(), user_id, action: 'request.withdrawn' } as const;
          await writeAudit(tx, { ...line, entity_id: row.id, details: { album_id, track_id, requested_by } });
          return row;
        });
        deps.events.emit({ type: 'CatalogChanged' });
        return c.json(gone);
      },
    }),
  ];
}
