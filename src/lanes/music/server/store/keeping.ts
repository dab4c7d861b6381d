/** How audio and the rows about it are verified, mended and given up (server/storage/). */
import { ADMIN_USER } from '#server/auth/tokens.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { KeptFile, LaneKeeping, NamedKeptFile } from '#server/lane-server.ts';
import { appendChanges } from '#server/store/feed.ts';
import type { Reader } from '#server/store/schema.ts';
import { createRequest } from '../catalog/requests.ts';
import { formerPath, unformerPath } from '../publish/place.ts';
import { entryOf } from './apply-catalog.ts';
import { NO_AUDIO, type TrackTable } from './rows.ts';

/** Rows that are read at once. */
const ROWS = 500;

type Place = Pick<KeptFile, 'root' | 'path'>;

/** No audio has such a path: those of audio have three parts. */
const isCover = (path: string): boolean => /^covers\/[0-9a-f]{64}\.[a-z]+$/.test(path);

/** Every file that tracks have and had: first the present ones, then the former, then covers, each by path. */
export async function* keptFiles(db: Reader, after?: Place): AsyncGenerator<NamedKeptFile> {
  const inCovers = after?.root === 'media' && isCover(after.path);
  if (!inCovers) {
    if (after?.root !== 'media-former') yield* present(db, after?.path ?? '');
    yield* former(db, after?.root === 'media-former' ? after.path : '');
  }
  yield* covers(db, inCovers ? after.path : '');
}

/** Two albums may have one picture. */
async function* covers(db: Reader, after: string): AsyncGenerator<NamedKeptFile> {
  for (;;) {
    const all = db.selectFrom('album_covers').select(['path', 'sha256', 'size']).distinct();
    const rows = await all.where('path', '>', after).orderBy('path').limit(ROWS).execute();
    for (const { path, sha256, size } of rows) yield { root: 'media', path, sha256, size: Number(size) };
    const last = rows.at(-1)?.path;
    if (last === undefined) return;
    after = last;
  }
}

/** The audio that a track has; what is replaced or taken back goes to the former. */
export function presentAudio(path: string, sha256: string, size: TrackTable['audio_size']) {
  const moved = { root: 'media-former', path: formerPath(path, sha256) } as const;
  return { root: 'media', path, sha256, size: size === null ? null : Number(size), moved } as const;
}

async function* present(db: Reader, after: string): AsyncGenerator<NamedKeptFile> {
  for (;;) {
    const query = db.selectFrom('tracks').select(['output_file_path as path', 'audio_sha256 as sha256', 'audio_size']);
    const rows = await query.where('output_file_path', '>', after).orderBy('output_file_path').limit(ROWS).execute();
    for (const { path, sha256, audio_size } of rows) {
      if (path !== null && sha256 !== null) yield presentAudio(path, sha256, audio_size);
    }
    const last = rows.at(-1)?.path ?? null;
    if (last === null) return;
    after = last;
  }
}

async function* former(db: Reader, after: string): AsyncGenerator<NamedKeptFile> {
  for (;;) {
    const all = db.selectFrom('former_media').select(['path', 'former_path', 'sha256', 'moved', 'audio_size']);
    // Two tracks may have had one file.
    const page = all.where('former_path', '>', after).orderBy('former_path').limit(ROWS);
    const rows = await page.execute();
    for (const { path, former_path, sha256, moved, audio_size } of rows) {
      const size = audio_size === null ? null : Number(audio_size);
      const there = { root: 'media-former', path: former_path } as const;
      if (Number(moved) === 1) yield { ...there, sha256, size };
      else yield { root: 'media', path, sha256, size, moved: there };
    }
    const last = rows.at(-1)?.former_path;
    if (last === undefined) return;
    after = last;
  }
}

/**
 * Which of these former paths are a track's present audio: it was taken there after the state to which the database was
 * put back (API-174), and nobody may take it for a file that belongs to nothing.
 */
async function takenOut(db: Reader, former: readonly string[]): Promise<string[]> {
  const before = former.flatMap((path) => unformerPath(path) ?? []);
  if (before.length === 0) return [];
  const there = new Set(former);
  const rows = db.selectFrom('tracks').select(['output_file_path as path', 'audio_sha256 as sha256']);
  const named = await rows.where('output_file_path', 'in', before).execute();
  return named.flatMap(({ path, sha256 }) => {
    const moved = path === null || sha256 === null ? '' : presentAudio(path, sha256, null).moved.path;
    return there.has(moved) ? [moved] : [];
  });
}

const tracksAt = (db: Reader, { path, sha256 }: KeptFile) =>
  db.selectFrom('tracks').selectAll().where('output_file_path', '=', path).where('audio_sha256', '=', sha256);

const coversAt = (db: Reader, { path, sha256 }: KeptFile) =>
  db.selectFrom('album_covers').select('album_id').where('path', '=', path).where('sha256', '=', sha256);

const formerAt = (db: Reader, { root, path, sha256 }: KeptFile) =>
  db
    .selectFrom('former_media')
    .select(['track_id', 'path'])
    .where(root === 'media' ? 'path' : 'former_path', '=', path)
    .where('sha256', '=', sha256)
    .where('moved', '=', root === 'media' ? 0 : 1);

const contradicting = (db: Reader) =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where(({ eb, or, and }) =>
      or([
        and([
          eb('availability', '=', 'available'),
          or([eb('output_file_path', 'is', null), eb('audio_sha256', 'is', null)]),
        ]),
        and([eb('availability', '<>', 'available'), eb('output_file_path', 'is not', null)]),
      ]),
    );

export const musicKeeping: LaneKeeping = {
  roots: ['media', 'media-former'],
  fed: { artist: 'artists', album: 'albums', track: 'tracks', download_request: 'download_requests' },

  async named(db, root, paths) {
    const named = new Set<string>();
    if (paths.length === 0 || root === 'ingestion_uploads') return named;
    if (root === 'media') {
      const tracks = db.selectFrom('tracks').select('output_file_path as path').where('output_file_path', 'in', paths);
      const notes = db.selectFrom('placements').select('path').where('path', 'in', paths);
      const waiting = db.selectFrom('former_media').select('path').where('path', 'in', paths);
      const pictures = db.selectFrom('album_covers').select('path').where('path', 'in', paths);
      for (const query of [tracks, notes, waiting, pictures])
        for (const { path } of await query.execute()) if (path !== null) named.add(path);
      return named;
    }
    const rows = db.selectFrom('former_media').select('former_path as path').where('former_path', 'in', paths);
    for (const { path } of await rows.execute()) named.add(path);
    for (const path of await takenOut(
      db,
      paths.filter((one) => !named.has(one)),
    ))
      named.add(path);
    return named;
  },

  async names(db, file) {
    if (file.root === 'ingestion_uploads') return false;
    if (file.root === 'media' && isCover(file.path))
      return (await coversAt(db, file).limit(1).executeTakeFirst()) !== undefined;
    if (file.root === 'media' && (await tracksAt(db, file).executeTakeFirst())) return true;
    return (await formerAt(db, file).executeTakeFirst()) !== undefined;
  },

  async giveUp(tx, file, { ids, at, by }) {
    const clock = { now: () => at };
    const asked: string[] = [];
    const { sha256, path } = file;
    if (file.root === 'media' && isCover(path)) {
      for (const { album_id } of await coversAt(tx, file).execute())
        await writeAudit(tx, {
          ...{ at, user_id: by, action: 'album.cover_lost', entity_id: album_id },
          details: { path, sha256 },
        });
      await tx.deleteFrom('album_covers').where('path', '=', path).where('sha256', '=', sha256).execute();
      return 'This picture is no album’s cover any more.';
    }
    for (const track of file.root === 'media' ? await tracksAt(tx, file).execute() : []) {
      const now = { ...NO_AUDIO, lost_sha256: sha256, version: track.version + 1 };
      await tx.updateTable('tracks').set(now).where('id', '=', track.id).execute();
      await appendChanges(tx, [{ kind: 'track', entity_id: track.id }]);
      await createRequest(tx, { ids, clock }, ADMIN_USER, { track_id: track.id });
      const details = { title: track.title, path, sha256 };
      await writeAudit(tx, { at, user_id: by, action: 'track.lost', entity_id: track.id, details });
      asked.push(`"${track.title}"`);
    }
    if (asked.length > 0) return `${asked.join(', ')} has no audio now and is asked for again.`;
    const rows = await formerAt(tx, file).execute();
    for (const { track_id, path: of } of rows) {
      const gone = tx.deleteFrom('former_media').where('track_id', '=', track_id).where('path', '=', of);
      await gone.where('sha256', '=', sha256).execute();
      const details = { path, sha256 };
      await writeAudit(tx, { at, user_id: by, action: 'track.former_lost', entity_id: track_id, details });
    }
    return 'This former audio is not listed any more.';
  },

  async contradictions(db) {
    const rows = await contradicting(db).execute();
    return rows.map(({ id, title }) => ({
      name: `track ${id} "${title}"`,
      wrong: 'is said to have audio without a file and a hash of it, or not to have the audio that its row names',
      mend: async (tx) => {
        const track = await contradicting(tx).where('id', '=', id).executeTakeFirst();
        if (!track) return;
        const { output_file_path, audio_sha256, version } = track;
        const there = output_file_path !== null && audio_sha256 !== null;
        const now = there ? ({ availability: 'available' } as const) : { ...NO_AUDIO, lost_sha256: audio_sha256 };
        const row = tx.updateTable('tracks').set({ ...now, version: version + 1 });
        await row.where('id', '=', id).execute();
        await appendChanges(tx, [{ kind: 'track', entity_id: id }]);
      },
    }));
  },

  async *searched(db) {
    for (let after = ''; ;) {
      const rows = await db
        .selectFrom('artists')
        .select(['id', 'name'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS)
        .execute();
      if (rows.length === 0) break;
      yield rows.map(entryOf.artist);
      after = rows.at(-1)?.id ?? after;
    }
    for (let after = ''; ;) {
      const all = db.selectFrom('albums').select(['id', 'title', 'artist', 'year']).where('id', '>', after);
      const rows = await all.orderBy('id').limit(ROWS).execute();
      if (rows.length === 0) break;
      yield rows.map(entryOf.album);
      after = rows.at(-1)?.id ?? after;
    }
    for (let after = ''; ;) {
      const all = db
        .selectFrom('tracks as track')
        .innerJoin('albums as album', 'album.id', 'track.album_id')
        .select(['track.id', 'track.title', 'track.artist', 'track.album_id', 'album.title as album']);
      const rows = await all.where('track.id', '>', after).orderBy('track.id').limit(ROWS).execute();
      if (rows.length === 0) break;
      yield rows.map((row) => entryOf.track(row, row.album));
      after = rows.at(-1)?.id ?? after;
    }
  },
};
