/**
 * Copies to listen to, of files that the browser has no decoder for (WMA, ALAC, WavPack, ...): converted like a result,
 * but for nobody else. No row names them, so the collector removes them an hour later (BLOB-7).
 */
import { failure } from '#core/errors.ts';
import { contentOf } from '#core/job/job.ts';
import type { MusicJob } from '#lanes/music/core/types.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { lastingWorker, transcode, type TranscodeWorker } from '../transcoder-pool.ts';

/** Of Vorbis; about 128 kbit/s: to be heard now, not to be kept. */
const QUALITY = 4;

export type CopiedJob = Pick<
  MusicJob,
  'id' | 'original_filename' | 'sample_rate' | 'channels' | 'duration_ms' | 'segment'
> & { sha256: string };

export function createListeningCopies(spawn: () => TranscodeWorker) {
  /** Of this visit: the copy's hash by what it is a copy of. */
  const copies = new Map<string, string>();
  return {
    /** Hash of the copy in the blob store. Aborting `signal` ends the work at once; the answer is `cancelled` then. */
    async make(job: CopiedJob, signal: AbortSignal): Promise<Result<string>> {
      const key = keyOf(job);
      const known = copies.get(key);
      if (known !== undefined) return ok(known);
      const worker = lastingWorker(spawn());
      const cancelled = new Promise<Result<never>>((resolve) =>
        signal.addEventListener('abort', () => resolve(fail(failure('cancelled', 'Nobody listens any more.')))),
      );
      const { id: job_id, sha256, original_filename, sample_rate, channels, duration_ms, segment } = job;
      const facts = { job_id, sha256, original_filename, sample_rate, channels, duration_ms };
      const stretch = segment && { segment: { start_ms: segment.start_ms, end_ms: segment.end_ms } };
      try {
        const request = { ...facts, ...stretch, quality: QUALITY, tags: {}, cover: null };
        const answer = await Promise.race([transcode(worker, request, () => undefined), cancelled]);
        if (!answer.ok) return answer;
        copies.set(key, answer.value.sha256);
        return ok(answer.value.sha256);
      } finally {
        worker.terminate();
      }
    },

    /** The copy was collected: the next one is made anew. */
    forget: (job: CopiedJob) => void copies.delete(keyOf(job)),
  };
}

const keyOf = (job: CopiedJob): string => contentOf(job) ?? job.sha256;
