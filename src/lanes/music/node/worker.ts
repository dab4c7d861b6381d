/** Music in a headless worker: the server's catalog in memory, and audio in a thread. */
import { sha256 } from '#adapters/llm/executor-ports.ts';
import { createMediaThread } from '#adapters/node/media/media-thread.ts';
import type { LaneWorker, WorkPlace } from '#cli/lane-cli.ts';
import { loadOnce } from '#core/load-once.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { tendProfile } from '#lanes/music/core/learning/learn.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicMedia } from '#lanes/music/core/run/ports.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { CatalogCopy } from './catalog-copy.ts';

export function openMusicWorker({
  http,
  settings,
  clock,
  ids,
  timers,
  blobs,
  directory,
  ffmpeg,
}: WorkPlace): LaneWorker {
  const thread = createMediaThread({ blobs: directory, ffmpeg });
  const copy = new CatalogCopy(createCatalogClient(http));
  const media: MusicMedia = {
    probe: (file, name, signal) => thread.probe(file, name, signal),
    keepCover: async (bytes) => (await blobs.put(once(bytes))).sha256,
    convert: (request, { signal }) => thread.convert(request, signal),
    // The thread stays for the next file.
    rest: () => undefined,
  };
  const engine = loadOnce(async () => {
    const { createMusicEngine } = await import('#lanes/music/agent/music-engine.ts');
    return createMusicEngine({
      ...{ clock, timers },
      index: () => Promise.resolve(copy.index()),
      requests: () => Promise.resolve(copy.pending()),
      cursor: () => Promise.resolve(copy.cursor),
    });
  });
  return {
    run: ({ store, held }) =>
      laneRun(
        createMusicRun({
          ...{ clock, ids, media, sha256, engine, catalog: copy.catalog(held) },
          settings: () => Promise.resolve(settings),
          profile: () => tendProfile(store as JobStore<MusicTypes>, clock),
        }),
      ),
    refresh: async () => void (await copy.refresh()),
    rest: () => thread.close(),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
