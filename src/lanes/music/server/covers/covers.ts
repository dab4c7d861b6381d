/**
 * The covers of an album. Each picture is one file of the media directory under its SHA-256, which is never removed; rows
 * say which album has it and had it, so that a replaced one can be had back.
 *
 *   note the path -> put the file there -> transaction: rows, note removed
 *
 * A crash before the transaction leaves a noted file, which the next start removes (recoverPlaces).
 */
import { createHash } from 'node:crypto';
import { pictureType, type PictureType } from '#adapters/media/picture-type.ts';
import { PICTURE_KEY, pictureData } from '#adapters/media/vorbis-comment.ts';
import { MOST_COVER, type AlbumCover, type AlbumCovers } from '#lanes/music/core/catalog.ts';
import { writeAudit } from '#server/audit/audit.ts';
import { HttpError } from '#server/http/http-error.ts';
import { checksOf } from '#server/storage/file-check.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { unplaceAfter, type PlaceDeps } from '../publish/place.ts';
import { existing, type AlbumCoverTable } from '../store/rows.ts';

const ENDINGS: Record<PictureType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** A picture of a type that is known, with its hash. */
interface Picture {
  bytes: Uint8Array;
  mime: PictureType;
  sha256: string;
}

/** Whose deed it is, milliseconds since the epoch. */
interface Deed {
  by: string;
  source: AlbumCoverTable['source'];
}

/** Null where it is no picture that is taken, or too large a one. */
export function pictureOf(bytes: Uint8Array): Picture | null {
  const mime = bytes.length > MOST_COVER ? null : pictureType(bytes);
  return mime === null ? null : { bytes, mime, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The covers of an album, the present one apart, the others newest first. Throws HttpError 404. */
export async function listCovers(db: Reader, albumId: string): Promise<AlbumCovers> {
  await existing(db, 'albums', albumId);
  const rows = await db
    .selectFrom('album_covers as cover')
    .leftJoin('users as user', 'user.id', 'cover.user_id')
    .selectAll('cover')
    .select('user.name as by_name')
    .where('album_id', '=', albumId)
    .orderBy('at', 'desc')
    .orderBy('sha256')
    .execute();
  const covers = rows.map((row) => ({
    present: row.present === 1,
    cover: {
      sha256: row.sha256,
      // Written by `setCover` alone.
      mime: row.mime as AlbumCover['mime'],
      size: Number(row.size),
      at: Number(row.at),
      by: row.user_id,
      by_name: row.by_name,
      source: row.source,
    },
  }));
  return {
    album_id: albumId,
    present: covers.find(({ present }) => present)?.cover ?? null,
    former: covers.filter(({ present }) => !present).map(({ cover }) => cover),
  };
}

/** Gives an album a picture as its cover; the one that it had is kept. Throws HttpError 404, 503. */
export async function setCover(deps: PlaceDeps, albumId: string, picture: Picture, deed: Deed): Promise<void> {
  const { store } = deps;
  await existing(store.db, 'albums', albumId);
  await store.locks.run(`cover ${picture.sha256}`, async () => {
    const path = `covers/${picture.sha256}.${ENDINGS[picture.mime]}`;
    const row = { path, created_at: deps.clock.now() };
    await store.write((tx) =>
      tx
        .insertInto('placements')
        .values(row)
        .onConflict((c) => c.doNothing())
        .execute(),
    );
    try {
      await putFile(deps, path, picture);
      await store.write((tx) => take(tx, deps, albumId, path, picture, deed));
    } catch (error) {
      await unplaceAfter(deps, path);
      throw error;
    }
  });
}

/** What is there under this name is the picture, or damaged and set aside. */
async function putFile({ blobs }: PlaceDeps, path: string, { bytes, sha256 }: Picture): Promise<void> {
  const { wrong } = await checksOf(blobs).check({ root: 'media', path, sha256, size: bytes.length });
  if (wrong === null) return;
  if (wrong !== 'gone') await blobs.setAside(path, 'media');
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  try {
    await blobs.putUpload(sha256, once());
    await blobs.place(sha256, path);
  } catch (error) {
    await blobs.removeUpload(sha256).catch(() => undefined);
    throw error;
  }
  await blobs.removeUpload(sha256);
}

async function take(
  tx: Tx,
  deps: PlaceDeps,
  albumId: string,
  path: string,
  { bytes, mime, sha256 }: Picture,
  { by, source }: Deed,
): Promise<void> {
  const { title } = await existing(tx, 'albums', albumId);
  const note = await tx.deleteFrom('placements').where('path', '=', path).executeTakeFirst();
  const named = await tx.selectFrom('album_covers').select('sha256').where('path', '=', path).executeTakeFirst();
  // Another process that started took the note for what a crash had left, and the file is gone.
  if (note.numDeletedRows === 0n && !named)
    throw new HttpError('server_error', 'The picture was cleared away meanwhile; send it again.', { status: 503 });
  const at = deps.clock.now();
  const row = { album_id: albumId, sha256, mime, size: bytes.length, path, source, at, user_id: by, present: 1 };
  await tx.updateTable('album_covers').set({ present: 0 }).where('album_id', '=', albumId).execute();
  await tx
    .insertInto('album_covers')
    .values(row)
    .onConflict((c) => c.columns(['album_id', 'sha256']).doUpdateSet({ at, user_id: by, present: 1 }))
    .execute();
  await writeAudit(tx, { at, user_id: by, action: 'album.cover', entity_id: albumId, details: { title, sha256 } });
}

/** Makes a picture that the album had its cover again; null: it has none. Throws HttpError 404. */
export async function chooseCover(
  { store, clock }: PlaceDeps,
  by: string,
  albumId: string,
  sha256: string | null,
): Promise<void> {
  await store.write(async (tx) => {
    const { title } = await existing(tx, 'albums', albumId);
    const of = tx.selectFrom('album_covers').selectAll().where('album_id', '=', albumId);
    const rows = await of.execute();
    const wanted = rows.find((row) => row.sha256 === sha256);
    if (sha256 !== null && !wanted) throw new HttpError('not_found', `"${title}" never had this cover.`);
    if ((rows.find(({ present }) => present === 1)?.sha256 ?? null) === sha256) return;
    const at = clock.now();
    await tx.updateTable('album_covers').set({ present: 0 }).where('album_id', '=', albumId).execute();
    if (sha256 !== null)
      await tx
        .updateTable('album_covers')
        .set({ present: 1, at, user_id: by })
        .where('album_id', '=', albumId)
        .where('sha256', '=', sha256)
        .execute();
    await writeAudit(tx, { at, user_id: by, action: 'album.cover', entity_id: albumId, details: { title, sha256 } });
  });
}

/**
 * API-188: an album that never had a cover gets the picture of a file that was published of it.
 * @param comments of the file, as `OggVorbisReader` reads them
 */
export async function coverOfPublished(
  deps: PlaceDeps,
  albumId: string,
  comments: Record<string, readonly string[]>,
  by: string,
): Promise<void> {
  const [text] = comments[PICTURE_KEY] ?? [];
  if (text === undefined) return;
  const known = deps.store.db.selectFrom('album_covers').select('sha256').where('album_id', '=', albumId);
  if (await known.limit(1).executeTakeFirst()) return;
  const data = pictureData(Buffer.from(text, 'base64'));
  const picture = data === null ? null : pictureOf(data);
  if (picture !== null) await setCover(deps, albumId, picture, { by, source: 'file' });
}
