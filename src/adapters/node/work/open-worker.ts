/** Builds a headless worker out of its parts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as timeout } from 'node:timers/promises';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import { randomIds } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import { modelOfSettings } from '../../browser/llm/agent-model.ts';
import { createCatalogClient } from '../../http/catalog-client.ts';
import type { HttpOptions } from '../../http/request.ts';
import { createUploader } from '../../http/upload.ts';
import { createWorkClient } from '../../http/work-client.ts';
import { createMusicEngine } from '../../llm/music-engine.ts';
import { DiskBlobStore } from '../disk-blob-store.ts';
import { hasFfmpeg } from '../native-ffmpeg.ts';
import { DoubtAsker } from '../../work/agent.ts';
import type { LoopUsing } from '../../work/run-worker.ts';
import { workOn, type WorkUsing } from '../../work/work-on.ts';
import { CatalogCopy } from './catalog-copy.ts';
import { MediaThread } from './media-thread.ts';

export interface WorkerOptions {
  http: HttpOptions;
  settings: Settings;
  /** Opens the settings' model. */
  openModel(settings: Settings): Promise<Result<LlmProvider>>;
  /** For what is in hand; null: a temporary directory, removed at the end. */
  directory: string | null;
  /** A native ffmpeg, used when it works. */
  ffmpeg: string;
  say(line: string): void;
}

export interface OpenedWorker {
  using: LoopUsing;
  /** `ffmpeg` or `ffmpeg in WebAssembly`, for the first line. */
  converter: string;
  close(): Promise<void>;
}

const clock = { now: () => Date.now() };

export async function openWorker(options: WorkerOptions): Promise<OpenedWorker> {
  const { http, settings, say } = options;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'accession-work-')));
  const blobs = await DiskBlobStore.open(directory);
  const native = await hasFfmpeg(options.ffmpeg);
  const media = new MediaThread({ blobs: directory, ffmpeg: native ? options.ffmpeg : null });
  const client = createCatalogClient(http);
  const catalog = new CatalogCopy(client);
  const using: WorkUsing = {
    work: createWorkClient(http),
    client,
    upload: createUploader({ ...http, blobs }),
    blobs,
    media,
    catalog,
    asker: askerOf(options, catalog),
    settings,
    clock,
    ids: randomIds,
    wait,
    say,
  };
  return {
    using: {
      work: using.work,
      wait,
      say,
      async workOn(claim, stop) {
        try {
          await workOn(claim, using, stop);
        } finally {
          await media.close();
          // What was in hand is on the server, or is fetched again.
          for await (const { sha256 } of blobs.list()) await blobs.delete(sha256);
        }
      },
    },
    converter: native ? options.ffmpeg : 'ffmpeg in WebAssembly',
    async close() {
      await media.close();
      if (options.directory === null) await rm(directory, { recursive: true, force: true });
    },
  };
}

function askerOf({ settings, openModel }: WorkerOptions, catalog: CatalogCopy): DoubtAsker | null {
  let opened: Promise<Result<LlmProvider>> | null = null;
  const model = modelOfSettings(settings, async () => {
    opened ??= openModel(settings);
    const result = await opened;
    // Tried anew the next time.
    if (!result.ok) opened = null;
    return result;
  });
  if (model === null) return null;
  const engine = createMusicEngine({
    clock,
    timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    index: () => Promise.resolve(catalog.index()),
    requests: () => Promise.resolve(catalog.pending()),
    cursor: () => Promise.resolve(catalog.cursor),
  });
  return new DoubtAsker({ engine, model, clock, ids: randomIds, random: Math.random });
}

/** Resolves after so many milliseconds, or when aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await timeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
