/** An album to edit: as the server has it now, else as the replica has it. */
import { failure, type Failure } from '#core/errors.ts';
import type { Album, Track } from '#lanes/music/core/catalog.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { catalog } from '../client.ts';
import { db } from '#ui/client/db.ts';

export interface LoadedAlbum {
  album: Album;
  tracks: Track[];
  version: number | undefined;
  /** Why the server could not be asked; null when it was. */
  trouble: Failure | null;
}

/** Fails with `not_found` where neither knows the album. */
export async function loadAlbum(id: string): Promise<Result<LoadedAlbum>> {
  const asked = await (await catalog()).album(id);
  if (asked.ok) {
    const { tracks, version, external_ids, ...rest } = asked.value;
    const album: Album = { ...rest, ...(external_ids === undefined ? {} : { external_ids }) };
    return ok({ album, tracks: tracks.map(toTrack), version, trouble: null });
  }
  if (asked.failure.code === 'not_found') return asked;
  const [album, tracks] = await Promise.all([db.albums.get(id), db.tracks.where('album_id').equals(id).toArray()]);
  if (album === undefined) return fail(failure('not_found', 'This album is not in the offline copy of the catalog.'));
  return ok({ album, tracks, version: undefined, trouble: asked.failure });
}

function toTrack({
  external_ids,
  ...rest
}: Omit<Track, 'external_ids'> & { external_ids?: Track['external_ids'] | undefined }): Track {
  return { ...rest, ...(external_ids === undefined ? {} : { external_ids }) };
}
