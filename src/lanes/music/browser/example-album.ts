import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed } from '#core/errors.ts';
import type { AlbumWithTracks } from '#lanes/music/core/catalog.ts';
import { makeDemoAlbum } from '#lanes/music/demo/demo-album.ts';

/**
 * What a file of *Try it* is called that lost its name, by track id: of the demo's smaller request one file is in doubt,
 * so that the agent is seen at work. Its answers are recorded (adapters/llm/demo-cassette.ts) where no model is set.
 */
export const DEMO_NAMES: Readonly<Record<string, string>> = { 'tr_long-tall-sally_1-03': 'untitled.wav' };

/** For *Try it*: a ZIP of tones that fits what a request asks for. Throws AccessionError `not_found`. */
export async function exampleAlbum(db: AccessionDb, requestId: string): Promise<{ file: File; label: string }> {
  const album = await requestedAlbum(db, requestId);
  return { file: await makeDemoAlbum(album, DEMO_NAMES), label: album.title };
}

/** From the replica: the album, or the album with the one track. */
async function requestedAlbum(db: AccessionDb, requestId: string): Promise<AlbumWithTracks> {
  const request = await db.requests.get(requestId);
  const wanted = request?.track_id == null ? undefined : await db.tracks.get(request.track_id);
  const albumId = request?.album_id ?? wanted?.album_id;
  const album = albumId === undefined ? undefined : await db.albums.get(albumId);
  if (album === undefined)
    throw failed('not_found', 'The catalog on this device does not have what the request asks for yet.');
  const tracks = wanted === undefined ? await db.tracks.where('album_id').equals(album.id).toArray() : [wanted];
  return { ...album, tracks: tracks.sort((a, b) => a.disc - b.disc || a.position - b.position) };
}
