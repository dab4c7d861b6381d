import { createSHA256 } from 'hash-wasm';
import { failed } from '../errors.ts';
import type { BlobRef, Cancel } from '../ports.ts';

/** SHA-256 of bytes that are all here. The platform's own is several times as fast as WebAssembly. */
export interface WholeDigest {
  /** Bytes up to which a file is kept in memory for it while it is written. */
  most: number;
  /** Lower-case hex. */
  digest(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Where bytes go. */
export type Write = (chunk: Uint8Array, at: number) => Promise<void> | void;

export interface HashOptions {
  cancel?: Cancel | undefined;
  digestWhole?: WholeDigest | undefined;
  /** Bytes that are to come, as far as anybody knows: of what will be too large nothing is kept. */
  expected?: number | undefined;
}

/**
 * Sends chunks to `write` one after the other and hashes them on the way: one pass, and one chunk in memory, or a
 * small file where the platform hashes faster than we do. Throws AccessionError `cancelled`, and whatever the source
 * or `write` throws.
 */
export async function writeHashed(
  chunks: AsyncIterable<Uint8Array>,
  write: Write,
  { cancel, digestWhole, expected = 0 }: HashOptions = {},
): Promise<BlobRef> {
  const whole =
    digestWhole === undefined || expected > digestWhole.most ? null : new KeptBytes(digestWhole.most, expected);
  let hasher: Hasher | null = null;
  const size = { bytes: 0 };
  try {
    for await (const chunk of written(chunks, write, size, cancel)) {
      if (hasher !== null || whole === null || !whole.add(chunk)) {
        hasher ??= await startHasher(whole);
        hasher.update(chunk);
      }
    }
    if (hasher === null && whole !== null && digestWhole !== undefined)
      return { sha256: await digestWhole.digest(whole.bytes), size: size.bytes };
    return { sha256: (hasher ?? (await startHasher(null))).digest('hex'), size: size.bytes };
  } finally {
    whole?.release();
  }
}

/** The same without a hash. Bytes written. */
export async function writeCounted(chunks: AsyncIterable<Uint8Array>, write: Write, cancel?: Cancel): Promise<number> {
  const size = { bytes: 0 };
  // Nothing is done with a chunk once it is written.
  for await (const _ of written(chunks, write, size, cancel));
  return size.bytes;
}

async function* written(
  chunks: AsyncIterable<Uint8Array>,
  write: Write,
  size: { bytes: number },
  cancel: Cancel | undefined,
): AsyncGenerator<Uint8Array> {
  const stop = (): void => {
    if (cancel?.aborted) throw failed('cancelled', 'cancelled');
  };
  for await (const chunk of chunks) {
    stop();
    await write(chunk, size.bytes);
    size.bytes += chunk.length;
    yield chunk;
  }
  stop();
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

  constructor(most: number, expected: number) {
    this.#most = most;
    this.#buffer = spare ?? new Uint8Array(0);
    spare = null;
    // At once, where it is known: what is outgrown lies in memory until it is collected.
    const wanted = Math.max(1024 ** 2, Math.min(expected, most));
    if (this.#buffer.length < wanted) this.#buffer = new Uint8Array(wanted);
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
