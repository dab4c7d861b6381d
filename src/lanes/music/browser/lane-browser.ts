import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';
import { musicRows } from './music-rows.ts';

export const browser: LaneBrowser = {
  rows: musicRows,
  open: async (workstation) => (await import('./open-music.ts')).openMusic(workstation),
  example: async (db, requestId) => (await import('./example-album.ts')).exampleAlbum(db, requestId),
};
