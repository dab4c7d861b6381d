import { createSHA256 } from 'hash-wasm';
import { AccessionError, failure } from '../errors.ts';
import type { BlobRef, Cancel } from '../ports.ts';

/**
 * Sends chunks to `write` one after the other and hashes them on the way: one pass, one chunk in memory.
 * Throws AccessionError `cancelled`, and whatever the source or `write` throws.
 */
export async function writeHashed(
  chunks: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array, at: number) => Promise<void> | void,
  cancel?: Cancel,
): Promise<BlobRef> {
  const hasher = await createSHA256();
  hasher.init();
  let size = 0;
  for await (const chunk of chunks) {
    if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
    hasher.update(chunk);
    await write(chunk, size);
    size += chunk.length;
  }
  if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
  return { sha256: hasher.digest('hex'), size };
}
