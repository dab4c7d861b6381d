import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';

export const browser: LaneBrowser = {
  open: async (workstation) => (await import('./open-video.ts')).openVideo(workstation),
};
