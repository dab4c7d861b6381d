/** What guides on the server need of the rest of the product: the catalog of shows, recognised videos, schedules. */
import type { GuideWorld } from '#lanes/guide/core/app/tool-sources.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import type { GuideConfig } from '#server/config-file.ts';
import type { ServerDeps } from '#server/lane-server.ts';
import { readSetting, writeSetting } from '../settings.ts';
import { deriveSchedules } from './derive-schedules.ts';
import { knownShows, knownVideos } from './known-videos.ts';

const DERIVED = 'derived';

export function serverWorld(
  { store, lanes, clock }: Pick<ServerDeps, 'store' | 'lanes' | 'clock'>,
  guides: GuideStore,
  _config: GuideConfig,
): GuideWorld {
  const known = { db: store.db, lanes };
  return {
    shows: () => knownShows(known),
    refresh: () =>
      Promise.resolve({
        ...{ changed: 0, diff: [] },
        skipped: [
          { where: '', field: '', why: 'No media server is set up; the shows are those of the catalog itself.' },
        ],
      }),
    async probe() {
      await knownShows(known);
      return true;
    },
    mismatch: () => Promise.resolve(false),
    derive: () =>
      deriveSchedules({
        store: guides,
        videos: () => knownVideos(known),
        now: () => clock.now(),
        kept: {
          read: async () => ((await readSetting(store.db, DERIVED)) ?? {}) as Record<string, string>,
          write: (marks) => store.write((tx) => writeSetting(tx, DERIVED, marks)),
        },
      }),
  };
}
