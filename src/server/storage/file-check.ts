/**
 * Whether a kept file is what the catalog says of it: its size at each look, its SHA-256 once for as long as nobody has
 * written to it. What a disk changes by itself leaves no mark; a file that is read whole is therefore hashed on its way
 * out as well, and the scrub reads every file anew.
 */
import { createHash } from 'node:crypto';
import type { FileState, MediaRoot, MediaStore } from '#core/ports.ts';

/** A file as a row names it. */
export interface NamedFile {
  root: MediaRoot;
  /** Under the root. */
  path: string;
  sha256: string;
  /** Bytes; null where the row does not say. */
  size: number | null;
}

/** What is wrong with a file: not there, of another length, or of other bytes. */
export type Wrong = 'gone' | 'size' | 'hash';

/** Files whose hash is remembered; some 200 bytes each. */
const REMEMBERED = 20_000;

type Checked = { state: FileState; wrong: null } | { state: FileState | null; wrong: Wrong };
type Reading = Pick<MediaStore, 'state' | 'read'>;

export type FileChecks = ReturnType<typeof fileChecks>;

const KNOWN = new WeakMap<object, FileChecks>();

/** The checks of a store of files: one memory for all who ask. */
export function checksOf(blobs: Reading): FileChecks {
  const known = KNOWN.get(blobs) ?? fileChecks(blobs);
  KNOWN.set(blobs, known);
  return known;
}

export function fileChecks(blobs: Reading) {
  /** By root and path: the mark that the file had when it was hashed, and the hash. */
  const hashed = new Map<string, Promise<{ mark: string; sha256: string }>>();

  async function hashAt({ root, path }: NamedFile, state: FileState): Promise<string> {
    const name = `${root}/${path}`;
    const kept = hashed.get(name);
    if (kept !== undefined) {
      const { mark, sha256 } = await kept;
      if (mark === state.mark) return sha256;
    }
    const made = hash(blobs.read(path, 0, state.size, root)).then((sha256) => ({ mark: state.mark, sha256 }));
    hashed.delete(name);
    hashed.set(name, made);
    made.catch(() => hashed.get(name) === made && hashed.delete(name));
    const [oldest] = hashed.keys();
    if (hashed.size > REMEMBERED && oldest !== undefined) hashed.delete(oldest);
    return (await made).sha256;
  }

  return {
    /** Looks at the file, and hashes it unless that was done since it was last written to. */
    async check(file: NamedFile): Promise<Checked> {
      const state = await blobs.state(file.path, file.root);
      if (state === null) return { state, wrong: 'gone' };
      if (file.size !== null && state.size !== file.size) return { state, wrong: 'size' };
      return (await hashAt(file, state)) === file.sha256 ? { state, wrong: null } : { state, wrong: 'hash' };
    },

    /** What was remembered of it does not count any more: its bytes were seen to be others. */
    forget({ root, path }: Pick<NamedFile, 'root' | 'path'>): void {
      hashed.delete(`${root}/${path}`);
    },
  };
}

/** SHA-256 of a stream, hex. */
export async function hash(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of chunks) sha256.update(chunk);
  return sha256.digest('hex');
}

/**
 * Passes chunks on, the last one only when `isRight` agrees to all of them. Throws otherwise, so that what was sent is
 * cut off and nobody takes it for the whole.
 */
export async function* endsOnlyWhere(
  chunks: AsyncIterable<Uint8Array>,
  isRight: (sha256: string) => boolean | Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  const sha256 = createHash('sha256');
  let held: Uint8Array | null = null;
  for await (const chunk of chunks) {
    if (held !== null) yield held;
    sha256.update(chunk);
    held = chunk;
  }
  if (!(await isRight(sha256.digest('hex')))) throw new Error('the file is not what it was when it was checked');
  if (held !== null) yield held;
}
