/** Music on the catalog server: artists, albums, tracks and their audio, download requests, snapshots of the catalog. */
import { join } from 'node:path';
import { readRows, trackOf, type RowAnswer } from '#core/job/row-answer.ts';
import { musicIngesters } from '#lanes/music/core/ingesters.ts';
import { ChangesPageSchema, MUSIC_KINDS } from '#lanes/music/core/catalog.ts';
import { ADMIN_USER } from '#server/auth/tokens.ts';
import { HttpError } from '#server/http/http-error.ts';
import { underWaySince } from '#server/ingest/recover.ts';
import type { LaneServer } from '#server/lane-server.ts';
import type { Searching } from '#server/search/searching.ts';
import type { LaneFeed } from '#server/store/feed.ts';
import { findRow, findRows } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { catalogEditRoutes, catalogReadRoutes } from './catalog/read.route.ts';
import { importCatalog } from './catalog/import-catalog.ts';
import { prepareImport } from './catalog/import-pieces.ts';
import { REARRANGED } from './catalog/rearrange.ts';
import { rearrangeRoutes } from './catalog/rearrange.route.ts';
import { coverRoutes } from './covers/covers.route.ts';
import { requestRoutes, createRequest } from './catalog/requests.ts';
import { audioRoutes } from './publish/audio.route.ts';
import { publishRoutes } from './publish/publish.route.ts';
import { commit } from './publish/commit.ts';
import { placedAudio, recoverPlaces } from './publish/place.ts';
import { catalogSearcher } from './search/catalog-searcher.ts';
import { openSnapshots, snapshotRoutes, type Snapshots } from './snapshot/snapshots.ts';
import { writeSnapshot } from './snapshot/write-snapshot.ts';
import { keptFiles, musicKeeping } from './store/keeping.ts';
import { toAlbum, toArtist, toTrack } from './store/rows.ts';

const AUDIT = [
  ...([
    'artist.created',
    'artist.changed',
    'album.created',
    'album.changed',
    'album.cover',
    'album.cover_lost',
    'track.created',
    'track.changed',
  ] as const),
  ...(['track.published', 'track.replaced', 'track.unpublished', 'track.restored', 'request.created'] as const),
  'request.withdrawn' as const,
  ...REARRANGED,
  ...(['track.lost', 'track.former_lost'] as const),
] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    music: (typeof AUDIT)[number];
  }
}

const records = <R, T>(rows: ReadonlyMap<string, R>, to: (row: R) => T): Map<string, T> =>
  new Map([...rows].map(([id, row]) => [id, to(row)]));

const READ: Record<string, (db: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, object>>> = {
  artist: async (db, ids) => records(await findRows(db, 'artists', ids), toArtist),
  album: async (db, ids) => records(await findRows(db, 'albums', ids), toAlbum),
  track: async (db, ids) => records(await findRows(db, 'tracks', ids), toTrack),
  download_request: (db, ids) => findRows(db, 'download_requests', ids),
};

const feed: LaneFeed = {
  path: '/v1/catalog/changes',
  summary: 'The change feed: what was put or deleted since a cursor.',
  kinds: MUSIC_KINDS,
  most: true,
  limit: { usual: 1000, most: 5000 },
  page: ChangesPageSchema,
  read: async (db, kind, ids) => (await READ[kind]?.(db, ids)) ?? new Map(),
};

async function tracksIn(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('tracks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What an answer to a question may name, and the table that it is in. */
const CHOICES: Record<string, 'tracks' | 'albums'> = { track: 'tracks', album: 'albums', created: 'albums' };

/** What is wrong with an answer row by row; null: nothing. */
async function whyNotRows(db: Reader, said: RowAnswer | null): Promise<string | null> {
  if (said === null) return 'An answer row by row cannot be read.';
  const { album_id } = said;
  if (album_id !== null && !(await findRow(db, 'albums', album_id)))
    return `There is no album "${album_id}" in the catalog.`;
  const named = Object.values(said.rows).flatMap((word) => trackOf(word) ?? []);
  const there = await findRows(db, 'tracks', named);
  const missing = named.find((track) => !there.has(track));
  return missing === undefined ? null : `There is no track "${missing}" in the catalog.`;
}

/**
 * @param snapshots what a workstation's first load begins with, or null to let it read the feed
 * @param searching a process that answers questions; null: the database answers them
 */
export function musicServer(snapshots: Snapshots | null, searching: Searching | null = null): LaneServer {
  return {
    id: 'music',
    tables: {
      artists: ['id'],
      albums: ['id'],
      tracks: ['id'],
      download_requests: ['id'],
      placements: ['path'],
      former_media: ['path', 'sha256', 'track_id'],
      catalog_edits: ['id'],
      moved_ids: ['id'],
      album_covers: ['album_id', 'sha256'],
    },
    audit: AUDIT,
    feeds: [feed],
    imports: [{ lists: ['artists', 'albums', 'tracks'], always: true, run: importCatalog, prepare: prepareImport }],
    routes: (deps) => [
      ...catalogReadRoutes(deps, searching),
      ...snapshotRoutes(snapshots),
      ...audioRoutes(deps),
      ...coverRoutes(deps),
      ...catalogEditRoutes(deps),
      ...rearrangeRoutes(deps),
      ...requestRoutes(deps),
      ...publishRoutes(deps),
    ],

    takes: musicIngesters,
    publish: { published: placedAudio, commit },
    requestStatus: async (db, id) => (await findRow(db, 'download_requests', id))?.status ?? null,
    async checkChoice(db, { kind, id }, files) {
      const refused = (why: string) => new HttpError('invalid', why, { status: 422 });
      if (kind === 'rows') {
        const why = await whyNotRows(db, readRows(`rows:${id}`));
        if (why !== null) throw refused(why);
        return true;
      }
      const table = CHOICES[kind];
      if (table === undefined) return false;
      if (kind === 'track' && files > 1)
        throw refused('One track cannot be chosen for several files; choose their album.');
      if (await findRow(db, table, id)) return true;
      throw refused(`There is no ${kind === 'track' ? 'track' : 'album'} "${id}" in the catalog.`);
    },

    async counts(db) {
      const tracks = db.selectFrom('tracks').select((eb) => ['availability', eb.fn.countAll().as('count')]);
      const rows = await tracks.groupBy('availability').execute();
      return rows.map(({ availability, count }) => ({ table: 'tracks', state: availability, count: Number(count) }));
    },
    files: keptFiles,
    keeping: musicKeeping,

    searcher: (db) => catalogSearcher(db, feed),
    writeSnapshot,
    open: async (using) =>
      musicServer(
        await openSnapshots({ ...using, directory: join(using.directory, 'snapshots') }),
        using.searching?.('music', tracksIn) ?? null,
      ),
    async demo(tx, using) {
      const filled = await tx.selectFrom('artists').select('id').limit(1).executeTakeFirst();
      if (filled) return false;
      const { demoCatalog, demoRequests } = await import('./demo/catalog.ts');
      await importCatalog(tx, demoCatalog);
      for (const wanted of demoRequests) await createRequest(tx, using, ADMIN_USER, wanted);
      return true;
    },
    recover: (deps) => recoverPlaces(deps, underWaySince(deps)),
    begin() {
      snapshots?.check();
      void searching?.check();
    },
    async close() {
      await Promise.all([snapshots?.close(), searching?.close()]);
    },
  };
}

export const server = musicServer(null);
