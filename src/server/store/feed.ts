/**
 * The change feed. Its counter is one row, updated by every transaction that changes the catalog and locked
 * by it until it commits: sequence numbers become visible in their order, so that a reader who has seen n
 * never finds a smaller one later. An entity has one row, its latest change: a fresh replica reads each once.
 * Shows stand in the same table and are read apart: a workstation that does not know them reads the music as ever.
 */
import type { Album, Artist, DownloadRequest, Track } from '#core/music/catalog.ts';
import type { Change } from '#core/sync/protocol.ts';
import type { ShowChangesPage } from '#core/sync/shows.ts';
import { readShows } from '../shows/read-shows.ts';
import { chunks } from './chunks.ts';
import { toAlbum, toArtist, toRequest, toTrack } from './records.ts';
import type { ChangeTable, MusicKind, Reader, Tx } from './schema.ts';

export type ChangedEntity = Pick<ChangeTable, 'kind' | 'entity_id'>;

/** Appends changes in the given order. Each entity may stand in the list once. */
export async function appendChanges(tx: Tx, changed: readonly ChangedEntity[]): Promise<void> {
  if (changed.length === 0) return;
  const { value } = await tx
    .updateTable('feed_counter')
    .set((eb) => ({ value: eb('value', '+', changed.length) }))
    .where('id', '=', 1)
    .returning('value')
    .executeTakeFirstOrThrow();
  const first = Number(value) - changed.length + 1;
  const rows = changed.map((entity, at) => ({ kind: entity.kind, entity_id: entity.entity_id, seq: first + at }));
  for (const part of chunks(rows, 3)) {
    await tx
      .insertInto('changes')
      .values(part)
      .onConflict((c) => c.columns(['kind', 'entity_id']).doUpdateSet((eb) => ({ seq: eb.ref('excluded.seq') })))
      .execute();
  }
}

/** A cursor is the beginning of the database's id and a sequence number: `0d3c9a1e.4711`. */
export const feedCursor = (catalogId: string, seq: number): string => `${catalogId.slice(0, 8)}.${seq}`;

/** The highest sequence number that is committed. */
export async function feedPosition(db: Reader): Promise<number> {
  const row = await db.selectFrom('feed_counter').select('value').where('id', '=', 1).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** The music's changes after `after`, each with its record as it is now, oldest first, at most `limit`. */
export async function readChanges(
  db: Reader,
  after: number,
  limit: number,
): Promise<{ items: Change[]; last: number; more: boolean }> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('seq', '>', after)
    // Not the kinds that are wanted: nearly all are, and the order of the numbers is that of reading.
    .where('kind', '!=', 'show')
    .orderBy('seq')
    .limit(limit + 1)
    .$narrowType<{ kind: MusicKind }>()
    .execute();
  const page = rows.slice(0, limit);
  const records = await readRecords(db, page);
  const items = page.map((row): Change => {
    const record = records.get(`${row.kind}:${row.entity_id}`) ?? null;
    return { kind: row.kind, id: row.entity_id, op: record === null ? 'delete' : 'put', record };
  });
  return { items, last: Number(page.at(-1)?.seq ?? after), more: rows.length > limit };
}

/** The shows' changes after `after`, as `readChanges`. */
export async function readShowChanges(
  db: Reader,
  after: number,
  limit: number,
): Promise<{ items: ShowChangesPage['items']; last: number; more: boolean }> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('kind', '=', 'show')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const shows = await readShows(
    db,
    page.map((row) => row.entity_id),
  );
  const items = page.map(({ kind, entity_id: id }): ShowChangesPage['items'][number] => {
    const found = shows.get(id);
    if (found === undefined) return { kind, id, op: 'delete', record: null };
    const { version: _version, ...record } = found;
    return { kind, id, op: 'put', record };
  });
  return { items, last: Number(page.at(-1)?.seq ?? after), more: rows.length > limit };
}

type AnyRecord = Artist | Album | Track | DownloadRequest;

async function readRecords(
  db: Reader,
  page: readonly { kind: MusicKind; entity_id: string }[],
): Promise<Map<string, AnyRecord>> {
  const ids = {
    artist: [] as string[],
    album: [] as string[],
    track: [] as string[],
    download_request: [] as string[],
  };
  for (const row of page) ids[row.kind].push(row.entity_id);
  const found = new Map<string, AnyRecord>();
  for (const part of chunks(ids.artist)) {
    const rows = await db.selectFrom('artists').selectAll().where('id', 'in', part).execute();
    for (const row of rows) found.set(`artist:${row.id}`, toArtist(row));
  }
  for (const part of chunks(ids.album)) {
    const rows = await db.selectFrom('albums').selectAll().where('id', 'in', part).execute();
    for (const row of rows) found.set(`album:${row.id}`, toAlbum(row));
  }
  for (const part of chunks(ids.track)) {
    const rows = await db.selectFrom('tracks').selectAll().where('id', 'in', part).execute();
    for (const row of rows) found.set(`track:${row.id}`, toTrack(row));
  }
  for (const part of chunks(ids.download_request)) {
    const rows = await db.selectFrom('download_requests').selectAll().where('id', 'in', part).execute();
    for (const row of rows) found.set(`download_request:${row.id}`, toRequest(row));
  }
  return found;
}
