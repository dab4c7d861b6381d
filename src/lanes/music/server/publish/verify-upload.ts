import { createHash } from 'node:crypto';
import type { FailureCode } from '#core/errors.ts';
import { OggVorbisReader, type OggVorbisInfo } from '#adapters/media/ogg/ogg-vorbis.ts';
import type { MediaStore } from '#core/ports.ts';
import { HttpError } from '#server/http/http-error.ts';

/** Milliseconds by which a file may differ from the length that its commit announces. */
export const LENGTH_TOLERANCE_MS = 50;

export interface Announced {
  sha256: string;
  size: number;
  /** null: nobody has said how long it is. */
  duration_ms: number | null;
  /** For messages. */
  name: string;
}

/**
 * Reads an upload once, and trusts nothing that was said about it: its hash, that it is a whole Ogg Vorbis file,
 * and its length. Throws HttpError 422: `hash_mismatch` where it is not here, not whole or not what was announced
 * (what is wrong is removed, so that it can be sent again), `not_vorbis` or `verification_failed`.
 */
export async function verifyUpload(blobs: MediaStore, announced: Announced): Promise<OggVorbisInfo> {
  const { sha256, name } = announced;
  const upload = await blobs.upload(sha256);
  if (!upload) throw new HttpError('hash_mismatch', `Nothing was uploaded for "${name}" under this hash.`);
  if (!upload.complete) {
    throw new HttpError(
      'hash_mismatch',
      `The upload of "${name}" is not complete: ${upload.received} of ${upload.size} bytes.`,
    );
  }
  const hash = createHash('sha256');
  const reader = new OggVorbisReader(name);
  for await (const chunk of blobs.readUpload(sha256)) {
    hash.update(chunk);
    reader.push(chunk);
  }
  const refuse = async (code: FailureCode, message: string): Promise<never> => {
    await blobs.removeUpload(sha256);
    throw new HttpError(code, message);
  };
  if (hash.digest('hex') !== sha256 || upload.size !== announced.size) {
    return refuse('hash_mismatch', `"${name}" did not arrive as it was sent; the upload was removed.`);
  }
  const read = reader.finish();
  if (!read.ok) return refuse(read.failure.code, read.failure.message);
  const off = announced.duration_ms === null ? 0 : read.value.duration_ms - announced.duration_ms;
  if (Math.abs(off) > LENGTH_TOLERANCE_MS) {
    const said = `"${name}" is ${read.value.duration_ms} ms long and was announced with ${announced.duration_ms} ms`;
    throw new HttpError('verification_failed', `${said}; it was not published.`);
  }
  return read.value;
}
