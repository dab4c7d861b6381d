/** What guides on the server need of the rest of the product: shows, recognised videos, schedules, a media server. */
import { deriveGuide } from '#lanes/guide/core/app/derive-guide.ts';
import type { GuideWorld } from '#lanes/guide/core/app/tool-sources.ts';
import { foldWords } from '#lanes/guide/core/faults/words/fold.ts';
import { ShowIndex } from '#lanes/guide/core/repair/show-catalog.ts';
import type { ToolReport } from '#lanes/guide/core/run/run.types.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import type { GuideConfig } from '#server/config-file.ts';
import type { ServerDeps } from '#server/lane-server.ts';
import { createTurns } from '#server/turns.ts';
import { readSetting, writeSetting } from '../settings.ts';
import { copiedItems, putCopy, readCopy, showsOf } from './item-copy.ts';
import { knownCatalog, knownVideos } from './known-videos.ts';
import { mediaServerOver } from './media-items.ts';

const DERIVED = 'derived';
/** A look-up that finds the copy older than this brings it up to date first. */
const FRESH_MS = 3_600_000;
const NONE: ToolReport = {
  ...{ changed: 0, diff: [] },
  skipped: [{ where: '', field: '', why: 'No media server is set up; the shows are those of the catalog itself.' }],
};

export function serverWorld(
  { store, lanes, clock }: Pick<ServerDeps, 'store' | 'lanes' | 'clock'>,
  guides: GuideStore,
  { mediaServer }: GuideConfig,
): GuideWorld {
  const known = { db: store.db, lanes };
  const media = mediaServer ? mediaServerOver(mediaServer) : null;

  async function refresh(): Promise<ToolReport> {
    if (media === null) return NONE;
    return putCopy(store, guides, await media.items(), { at: clock.now(), source: media.kind });
  }

  return {
    /** A media server that is away is a look-up that failed. */
    async shows() {
      const { shows } = await knownCatalog(known);
      if (media === null) return shows.length === 0 ? null : new ShowIndex({ shows });
      const copy = await readCopy(store.db);
      if (copy === null || Math.abs(clock.now() - copy.at) >= FRESH_MS) await refresh();
      const titles = new Set(shows.flatMap(({ title, titles: others }) => [title, ...others].map(foldWords)));
      return new ShowIndex({ shows: [...shows, ...showsOf(await copiedItems(store.db), titles)] });
    },
    refresh,
    async probe() {
      if (media !== null) return media.probe();
      await knownCatalog(known);
      return true;
    },
    mismatch: async () => (await readCopy(store.db))?.mismatch ?? false,
    derive: () =>
      deriveGuide({
        ...{ store: guides, now: clock.now(), rest: createTurns().rest },
        videos: () => knownVideos(known),
        kept: {
          read: async () => ((await readSetting(store.db, DERIVED)) ?? {}) as Record<string, string>,
          write: (marks) => store.write((tx) => writeSetting(tx, DERIVED, marks)),
        },
      }),
  };
}
