/// <reference lib="dom" />
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { blobRange } from '#adapters/media/blob-pieces.ts';
import { startedHere } from '#ui/client/workers.ts';
import { transcoderOf } from '#lanes/music/browser/transcoder-pool.ts';
import { newTranscoder } from '#ui/client/kinds.ts';
import type { BlobRef } from '#core/ports.ts';
import { openAppDatabase } from './database.ts';

export interface TranscodeOrder {
  files: { sha256: string; durationMs: number }[];
  fast: boolean;
}

export const transcodeOrders = {
  /** Fetches files into the app's storage. */
  async stageFiles(urls: string[]): Promise<BlobRef[]> {
    const store = await openBlobStore(openAppDatabase());
    const refs: BlobRef[] = [];
    for (const url of urls) refs.push(await store.put(blobRange(await (await fetch(url)).blob())));
    return refs;
  },

  /** Converts them with one worker, as the app does; the reasons that it gives. */
  async transcodeFiles({ files, fast }: TranscodeOrder): Promise<string[]> {
    const worker = transcoderOf(startedHere(newTranscoder()));
    const reasons: string[] = [];
    for (const { sha256, durationMs } of files) {
      const done = await worker.api.transcode(
        {
          job_id: sha256,
          sha256,
          original_filename: 'x.flac',
          sample_rate: 44_100,
          channels: 2,
          duration_ms: durationMs,
          quality: 9,
          tags: { TITLE: 'A title', ARTIST: 'An artist', ALBUM: 'An album', TRACKNUMBER: '1' },
          cover: null,
          fast,
        },
        () => undefined,
      );
      if (!done.ok) throw new Error(done.failure.message);
      reasons.push([done.value.conversion_reason, ...done.value.verified].join(', '));
    }
    worker.terminate();
    return reasons;
  },
};
