/**
 * Puts right bytes in the place of a damaged file. Where they come from does not matter: what is placed was hashed.
 *
 *   another file with the same hash, an upload of it, a backup -> an upload -> the damaged file aside -> the upload there
 *
 * The damaged file is kept (`media-damaged`). A crash in between leaves a file that is gone, and the next run goes on.
 */
import type { MediaRoot } from '#core/ports.ts';
import { ownerOf, type KeptFile } from '../lane-server.ts';
import type { Store } from '../store/store.ts';
import { forgetDamage } from './damage.ts';
import { checksOf, hash, type NamedFile } from './file-check.ts';
import { keptFiles, type FilesDeps } from './verify-files.ts';

export interface MendDeps extends FilesDeps {
  store: Store;
}

/** Where right bytes were found: words for a person. */
type Source = string;

/** Mends these files from other copies that are here; answers by SHA-256 where each was found. */
export async function findTwins(
  deps: MendDeps,
  wanted: readonly KeptFile[],
  strangers: readonly { root: MediaRoot; path: string }[],
): Promise<Map<string, Source>> {
  const { blobs, store, lanes } = deps;
  const found = new Map<string, Source>();
  const missing = new Map(wanted.map((file) => [file.sha256, file]));
  const take = (sha256: string, source: Source): void => {
    found.set(sha256, source);
    missing.delete(sha256);
  };
  for (const sha256 of [...missing.keys()]) {
    const upload = await blobs.upload(sha256);
    if (upload?.complete === true && (await hash(blobs.readUpload(sha256))) === sha256) take(sha256, 'an upload of it');
  }
  for await (const file of keptFiles(store.db, lanes)) {
    if (missing.size === 0) return found;
    if (file.root === 'ingestion_uploads' || !missing.has(file.sha256)) continue;
    for (const { root, path } of file.moved === undefined ? [file] : [file, file.moved]) {
      if (root === 'ingestion_uploads') continue;
      const twin: NamedFile = { root, path, sha256: file.sha256, size: file.size ?? null };
      if ((await checksOf(blobs).check(twin)).wrong !== null) continue;
      if (!(await asUpload(deps, twin))) continue;
      take(file.sha256, `${root}/${path}`);
      break;
    }
  }
  for (const { root, path } of strangers) {
    if (missing.size === 0) return found;
    const state = await blobs.state(path, root);
    const fits = [...missing.values()].some(({ size }) => size == null || size === state?.size);
    if (state === null || !fits) continue;
    const sha256 = await hash(blobs.read(path, 0, state.size, root));
    if (missing.has(sha256) && (await asUpload(deps, { root, path, sha256, size: state.size })))
      take(sha256, `${root}/${path}`);
  }
  return found;
}

async function asUpload({ blobs }: MendDeps, { root, path, sha256 }: NamedFile): Promise<boolean> {
  const state = await blobs.state(path, root);
  return state !== null && blobs.putUpload(sha256, blobs.read(path, 0, state.size, root));
}

/** Puts an upload of the file's content in its place. False where no row names the file any more. */
export async function putBack({ store, blobs, lanes }: MendDeps, file: KeptFile): Promise<boolean> {
  const { root, path, sha256 } = file;
  if (root === 'ingestion_uploads') return false;
  // In a transaction: nobody publishes, replaces or moves audio meanwhile, in whichever process.
  return store.write(async (tx) => {
    const owner = await ownerOf(tx, lanes, file);
    await forgetDamage(tx, file);
    if (owner === null) return false;
    await blobs.setAside(path, root);
    await blobs.place(sha256, path, root);
    return true;
  });
}
