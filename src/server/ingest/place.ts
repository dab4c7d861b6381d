/** Where published audio goes, and where replaced audio goes. */
import type { CatalogDeps } from '../deps.ts';
import type { TrackTable } from '../store/schema.ts';
import { catalogPath } from './catalog-path.ts';

type PlaceDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock'>;

/**
 * Puts a verified upload under the track's catalog path, or beside what is there under that name, and returns the
 * path. It is noted first: a note that no transaction took up is cleared, with its file, at the next start.
 */
export async function placeNew(deps: PlaceDeps, track: TrackTable, sha256: string): Promise<string> {
  const album = await deps.store.db
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', track.album_id)
    .executeTakeFirstOrThrow();
  const source = { ...track, artist: album.artist, album: album.title, year: album.year };
  const short = sha256.slice(0, 8);
  for (const suffix of [null, track.id, `${track.id} ${short}`, `${track.id} ${short} ${deps.clock.now()}`]) {
    const path = catalogPath(source, suffix);
    // Whatever is there is not ours to note: a note may lead to its file being removed.
    if ((await deps.blobs.size(path)) !== null) continue;
    const row = { path, created_at: deps.clock.now() };
    await deps.store.write((tx) =>
      tx
        .insertInto('placements')
        .values(row)
        .onConflict((c) => c.doNothing())
        .execute(),
    );
    const forget = () => deps.store.write((tx) => tx.deleteFrom('placements').where('path', '=', path).execute());
    const placed = await deps.blobs.place(sha256, path).catch(async (error: unknown) => {
      await forget();
      throw error;
    });
    if (placed) return path;
    await forget();
  }
  throw new Error(`there is no free name for track ${track.id}`);
}

/** Published audio with this hash whose file is really there, or null. */
export async function placedAudio(deps: PlaceDeps, sha256: string): Promise<{ path: string; size: number } | null> {
  const rows = await deps.store.db
    .selectFrom('tracks')
    .select(['output_file_path', 'audio_size'])
    .where('audio_sha256', '=', sha256)
    .execute();
  for (const { output_file_path: path, audio_size } of rows) {
    if (path === null) continue;
    const size = await deps.blobs.size(path);
    if (size !== null && size === Number(audio_size)) return { path, size };
  }
  return null;
}

/** `Artist/Album/1-01 Title.ogg` with the beginning of its hash: the same track may be replaced more than once. */
export function formerPath(path: string, sha256: string): string {
  return path.replace(/\.ogg$/, ` [${sha256.slice(0, 8)}].ogg`);
}

/** Moves replaced audio to where former audio is kept. Safe to repeat. */
export async function retire(deps: PlaceDeps, path: string, sha256: string): Promise<void> {
  await deps.blobs.retire(path, formerPath(path, sha256));
  await deps.store.write((tx) =>
    tx.updateTable('former_media').set({ moved: 1 }).where('path', '=', path).where('sha256', '=', sha256).execute(),
  );
}
