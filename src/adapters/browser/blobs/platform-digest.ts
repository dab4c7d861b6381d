import type { WholeDigest } from '#core/ingest/write-hashed.ts';

/** SHA-256 by the browser; undefined where the page is no secure context, which has none. */
export function platformDigest(): WholeDigest | undefined {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle === undefined) return undefined;
  return {
    // Most tracks are smaller.
    most: 64 * 1024 ** 2,
    digest: async (bytes) =>
      [...new Uint8Array(await subtle.digest('SHA-256', bytes))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
  };
}
