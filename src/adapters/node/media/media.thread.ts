/** Probes and converts in a thread of its own: WebAssembly blocks the one it runs in, and a lease has to be renewed. */
import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from '#core/errors.ts';
import type { ProbeOutcome } from '#core/media.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Converted } from '#core/run/lane-run.ts';
import { useFfmpeg } from '../../media/ffmpeg-core.ts';
import { probeBlob } from '../../media/probe.ts';
import { transcodeBlob } from '../../media/transcode.ts';
import { openDiskBlobs } from '../disk-blob-store.ts';
import { nativeFfmpeg } from '../native-ffmpeg.ts';
import type { MediaSetup, MediaTask } from './media-thread.ts';

// Given by media-thread.ts alone.
const setup = workerData as MediaSetup;
const blobs = openDiskBlobs(setup.blobs);
if (setup.ffmpeg !== null) useFfmpeg(nativeFfmpeg(setup.ffmpeg));

async function work(task: MediaTask): Promise<Result<ProbeOutcome | Converted>> {
  const store = await blobs;
  if (task.kind === 'probe') return probeBlob(await store.file(task.sha256), task.name);
  const { request } = task;
  const cover = request.cover && {
    bytes: new Uint8Array(await (await store.file(request.cover.sha256)).arrayBuffer()),
    mime: request.cover.mime,
  };
  const made = await transcodeBlob(
    {
      input: await store.file(request.sha256),
      name: request.original_filename,
      quality: request.quality,
      tags: request.tags,
      cover,
      sampleRate: request.sample_rate,
      channels: request.channels,
      durationMs: request.duration_ms,
      // A native ffmpeg is the fastest that there is.
      fast: setup.ffmpeg === null,
      ...(request.segment ? { segment: request.segment } : {}),
    },
    store,
  );
  if (!made.ok) return made;
  const { sha256, size, duration_ms, conversion_reason, verified } = made.value;
  return ok({ sha256, size, duration_ms, conversion_reason, verified });
}

parentPort?.on('message', (task: MediaTask) => {
  const name = task.kind === 'probe' ? task.name : task.request.original_filename;
  work(task).then(
    (answer) => parentPort?.postMessage(answer),
    (error: unknown) => parentPort?.postMessage(fail(toFailure(error, name))),
  );
});
