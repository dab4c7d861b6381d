import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';
import { loadOnce } from '#core/load-once.ts';

export const browser: LaneBrowser = {
  // Its code comes when runs of the server are looked for: nobody's first drop waits for it.
  async open(workstation) {
    const taker = loadOnce(async () => (await import('./take-runs.ts')).openRunTaker(workstation));
    return { take: async (...asked) => (await taker()).take(...asked) };
  },
};
