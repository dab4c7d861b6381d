import { createSHA256 } from 'hash-wasm';
import { AccessionError, failure } from '../errors.ts';
import type { BlobRef, Cancel } from '../ports.ts';

/** SHA-256 of bytes that are all here. The platform's own is several times as fast as WebAssembly. */
export interface WholeDigest {
  /** Bytes up to which a file is kept in memory for it while it is written. */
  most: number;
  /** Lower-case hex. */
  digest(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/**
 * Sends chunks to `write` one after the other and hashes them on the way: one pass, and one chunk in memory, or a
 * small file where the platform hashes faster than we do. Throws AccessionError `cancelled`, and whatever the source
 * or `write` throws.
 */
export async function writeHashed(
  chunks: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array, at: number) => Promise<void> | void,
  cancel?: Cancel,
  digestWhole?: WholeDigest,
): Promise<BlobRef> {
  const whole = digestWhole === undefined ? null : new KeptBytes(digestWhole.most);
  let hasher: Hasher | null = null;
  let size = 0;
  try {
    for await (const chunk of chunks) {
      if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
      if (hasher !== null || whole === null || !whole.add(chunk)) {
        hasher ??= await startHasher(whole);
        hasher.update(chunk);
      }
      await write(chunk, size);
      size += chunk.length;
    }
    if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
    if (hasher === null && whole !== null && digestWhole !== undefined)
      return { sha256: await digestWhole.digest(whole.bytes), size };
    return { sha256: (hasher ?? (await startHasher(null))).digest('hex'), size };
  } finally {
    whole?.release();
  }
}

type Hasher = Awaited<ReturnType<typeof createSHA256>>;

/** A hasher that has seen what was kept so far. */
async function startHasher(before: KeptBytes | null): Promise<Hasher> {
  const hasher = await createSHA256();
  hasher.init();
  if (before !== null) {
    hasher.update(before.bytes);
    before.release();
  }
  return hasher;
}

/** One buffer serves file after file; while it is lent out, another file gets one of its own. */
let spare: Uint8Array<ArrayBuffer> | null = null;

class KeptBytes {
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#buffer = spare ?? new Uint8Array(1024 ** 2);
    spare = null;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** False, and nothing is kept, when it would be too much. */
  add(chunk: Uint8Array): boolean {
    const wanted = this.#length + chunk.length;
    if (wanted > this.#most) return false;
    if (wanted > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#most, Math.max(wanted, this.#buffer.length * 2)));
      grown.set(this.bytes);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = wanted;
    return true;
  }

  release(): void {
    this.#length = 0;
    if (this.#buffer.length > (spare?.length ?? 0)) spare = this.#buffer;
    this.#buffer = new Uint8Array(0);
  }
}
