/** Goes through every file that a row names, and through every file that lies there. */
import type { MediaRoot, MediaStore } from '#core/ports.ts';
import type { Originals } from '../deps.ts';
import type { KeptFile, LaneServer, NamedKeptFile } from '../lane-server.ts';
import type { Reader } from '../store/schema.ts';
import { hash, type Wrong } from './file-check.ts';

export interface FilesDeps {
  blobs: MediaStore;
  originals: Originals;
  lanes: readonly LaneServer[];
}

export type Place = Pick<KeptFile, 'root' | 'path'>;

/** What the look at one file showed. `read`: its bytes that were hashed. */
export interface Looked {
  file: NamedKeptFile;
  wrong: Wrong | null;
  read: number;
}

/** Every file that a row names, in an order that stays; only those behind one that was given before. */
export async function* keptFiles(
  db: Reader,
  lanes: readonly LaneServer[],
  after: Place | null = null,
): AsyncGenerator<NamedKeptFile> {
  const from = lanes.findIndex(({ keeping }) => keeping?.roots.some((root) => root === after?.root) === true);
  if (after?.root !== 'ingestion_uploads')
    for (const [at, lane] of lanes.entries())
      if (at >= from) yield* lane.files?.(db, at === from ? (after ?? undefined) : undefined) ?? [];
  const behind = after?.root === 'ingestion_uploads' ? after.path : '';
  const waiting = db.selectFrom('work_files').select(['id', 'size', 'sha256']).where('id', '>', behind);
  for (const { id, size, sha256 } of await waiting.orderBy('id').execute())
    yield { root: 'ingestion_uploads', path: id, sha256, size: Number(size) };
}

/**
 * Reads a file to its end and compares it with what its row says. What was replaced while the rows were read is looked
 * for where it went.
 */
export async function lookAt(deps: Pick<FilesDeps, 'blobs' | 'originals'>, file: NamedKeptFile): Promise<Looked> {
  const first = await lookOnce(deps, file);
  if (first.wrong !== 'gone' || file.moved === undefined) return first;
  const moved = await lookOnce(deps, { ...file, ...file.moved });
  return moved.wrong === null ? moved : first;
}

async function lookOnce(
  { blobs, originals }: Pick<FilesDeps, 'blobs' | 'originals'>,
  file: NamedKeptFile,
): Promise<Looked> {
  const { root, path, sha256, size = null } = file;
  try {
    if (root === 'ingestion_uploads') {
      const { found, read } = await counted(originals.read(path, 0, Number.MAX_SAFE_INTEGER));
      return { file, read, wrong: found === sha256 ? null : read === size ? 'hash' : 'size' };
    }
    const state = await blobs.state(path, root);
    if (state === null) return { file, wrong: 'gone', read: 0 };
    if (size !== null && state.size !== size) return { file, wrong: 'size', read: 0 };
    const { found, read } = await counted(blobs.read(path, 0, state.size, root));
    return { file, read, wrong: found === sha256 ? null : 'hash' };
  } catch (error) {
    // It went while it was read, is no file, or the disk cannot read it: whichever, its bytes are not to be had.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return { file, wrong: 'gone', read: 0 };
    if (code === 'EIO' || code === 'EISDIR' || code === 'ELOOP') return { file, wrong: 'hash', read: 0 };
    throw error;
  }
}

async function counted(chunks: AsyncIterable<Uint8Array>): Promise<{ found: string; read: number }> {
  let read = 0;
  const found = await hash(
    (async function* () {
      for await (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
    })(),
  );
  return { found, read };
}

/** Paths that are asked about at once. */
const AT_ONCE = 500;

/** Every file under the lanes' roots that no row names, nor is about to. */
export async function* orphans(
  db: Reader,
  { blobs, lanes }: Pick<FilesDeps, 'blobs' | 'lanes'>,
): AsyncGenerator<{ root: MediaRoot; path: string }> {
  for (const root of new Set(lanes.flatMap(({ keeping }) => keeping?.roots ?? []))) {
    let page: string[] = [];
    const strangers = async (): Promise<string[]> => {
      let rest = page;
      for (const lane of lanes) {
        const named = (await lane.keeping?.named(db, root, rest)) ?? new Set();
        rest = rest.filter((path) => !named.has(path));
      }
      return rest;
    };
    for await (const path of blobs.list(root)) {
      page.push(path);
      if (page.length < AT_ONCE) continue;
      for (const stranger of await strangers()) yield { root, path: stranger };
      page = [];
    }
    for (const stranger of await strangers()) yield { root, path: stranger };
  }
}
