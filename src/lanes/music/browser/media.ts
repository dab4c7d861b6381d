import { noSpaceFor } from '#adapters/browser/blobs/storage-failure.ts';
import { toFailure } from '#core/errors.ts';
import type { ProbeOutcome } from '#core/media.ts';
import type { BlobStore } from '#core/ports.ts';
import { fail, type Result } from '#core/result.ts';
import type { MusicMedia } from '#lanes/music/core/run/ports.ts';
import { createTranscoderPool, type TranscodeWorker } from './transcoder-pool.ts';

export interface BrowserMediaDeps {
  blobs: Pick<BlobStore, 'put' | 'size'> & { file(sha256: string): Promise<Blob> };
  probe: (blob: Blob, name: string) => Promise<Result<ProbeOutcome>>;
  spawn: () => TranscodeWorker;
  /** The output is in the blob store; called before the job changes. */
  converted?: (sha256: string) => Promise<void>;
}

/** Of Ogg Vorbis at 320 kbit/s, the most that is made. */
const BYTES_A_MS = 40;

/** The workstation's own probe, and its pool of transcode workers. */
export function browserMedia({ blobs, probe, spawn, converted }: BrowserMediaDeps): MusicMedia {
  const pool = createTranscoderPool(spawn);
  return {
    async probe(sha256, name) {
      try {
        return await probe(await blobs.file(sha256), name);
      } catch (error) {
        return fail(toFailure(error, name));
      }
    },
    async keepCover(bytes) {
      async function* once(): AsyncGenerator<Uint8Array> {
        yield bytes;
      }
      try {
        return (await blobs.put(once())).sha256;
      } catch {
        return null;
      }
    },
    async convert(request, options) {
      const made = await pool.convert(request, options);
      if (made.ok) await converted?.(made.value.sha256);
      if (made.ok || made.failure.code !== 'storage_full') return made;
      const { original_filename: name, duration_ms, sha256 } = request;
      const wanted = duration_ms === null ? ((await blobs.size(sha256)) ?? 0) : duration_ms * BYTES_A_MS;
      const what = `"${name}" could not be converted.`;
      return fail(await noSpaceFor(what, wanted, { subject: name, then: 'press Retry' }));
    },
    rest: () => pool.rest(),
  };
}
