/** What rows of the database say of files, beside what is on the disk: at the start, and for a backup. */
import type { CatalogDeps } from '#server/deps.ts';
import type { KeptFile } from '#server/lane-server.ts';
import type { Reader } from '#server/store/schema.ts';
import { formerPath, retireFormer, unplace, type PlaceDeps } from './place.ts';

/**
 * At the start: files that were placed for a commit whose transaction did not happen, and replaced audio that was not
 * moved yet. Such a transaction takes its note away itself: it and this one cannot both succeed.
 * @param before what was noted later may be another process's work under way, milliseconds since the epoch
 */
export async function recoverPlaces(deps: PlaceDeps & Pick<CatalogDeps, 'log'>, before: number): Promise<void> {
  const { db } = deps.store;
  const notes = db.selectFrom('placements').select('path').where('created_at', '<=', before);
  for (const { path } of await notes.execute())
    if (await unplace(deps, path)) deps.log.info('removed a file that was placed and never published', { path });
  const unmoved = db.selectFrom('former_media').select(['path', 'sha256']).where('moved', '=', 0);
  for (const { path, sha256 } of await unmoved.execute())
    await retireFormer(deps, { output_file_path: path, audio_sha256: sha256 }, null);
}

/** Every file that tracks have and had. */
export async function audioFiles(db: Reader): Promise<(KeptFile & { moved: Pick<KeptFile, 'root' | 'path'> })[]> {
  const present = db.selectFrom('tracks').select(['output_file_path as path', 'audio_sha256 as sha256']);
  const files = (await present.execute()).flatMap(({ path, sha256 }): KeptFile[] =>
    path === null || sha256 === null ? [] : [{ root: 'media', path, sha256 }],
  );
  const former = db.selectFrom('former_media').select(['path', 'former_path', 'sha256', 'moved']);
  for (const { path, former_path, sha256, moved } of await former.execute())
    files.push(moved === 1 ? { root: 'media-former', path: former_path, sha256 } : { root: 'media', path, sha256 });
  return files.map((file) => ({
    ...file,
    moved: { root: 'media-former', path: formerPath(file.path, file.sha256) },
  }));
}
