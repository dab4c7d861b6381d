/** One file at a time to verified Ogg Vorbis. To cancel, terminate the worker. */
import { expose } from 'comlink';
import type { TranscodeApi, TranscodeRequest } from '#adapters/browser/api.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { ConversionOutputs } from '#adapters/browser/blobs/conversion-outputs.ts';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { throttled } from '#adapters/browser/progress.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import type { Cover } from '#adapters/media/tags.ts';
import { ok, tried, type Result } from '#core/result.ts';
import type { Converted } from '#core/run/lane-run.ts';
import { openDatabase } from '#lanes/database.ts';

const db = openDatabase();
endWithPage(db, self);
const store = openBlobStore(db);
const SAY_EVERY_MS = 1000;

function transcode(request: TranscodeRequest, onProgress: (share: number) => void): Promise<Result<Converted>> {
  const name = request.original_filename;
  const say = throttled(onProgress, SAY_EVERY_MS, () => performance.now());
  let share = 0;
  return tried(async () => {
    const blobs = await store;
    const outputs = new ConversionOutputs(blobs, Date.now());
    const result = await transcodeBlob(
      {
        input: await blobs.file(request.sha256),
        name,
        quality: request.quality,
        tags: request.tags,
        cover: await readCover(request),
        sampleRate: request.sample_rate,
        channels: request.channels,
        durationMs: request.duration_ms,
        fast: request.fast ?? true,
        ...(request.segment ? { segment: request.segment } : {}),
      },
      outputs,
      (now) => say((share = now)),
      () => say(share),
    );
    await outputs.dropAllBut(result.ok ? result.value.sha256 : null);
    if (!result.ok) return result;
    const { sha256, size, duration_ms, conversion_reason, verified } = result.value;
    return ok({ sha256, size, duration_ms, conversion_reason, verified });
  }, name);
}

async function readCover({ cover }: TranscodeRequest): Promise<Cover | null> {
  if (!cover) return null;
  const file = await (await store).file(cover.sha256);
  return { bytes: new Uint8Array(await file.arrayBuffer()), mime: cover.mime };
}

expose({ transcode } satisfies TranscodeApi);
