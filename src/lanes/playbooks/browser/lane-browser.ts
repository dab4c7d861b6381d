import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';

export const browser: LaneBrowser = {
  open: async (workstation) => (await import('./take-runs.ts')).openRunTaker(workstation),
};
