/**
 * A small lane that no release has: parcels, each a text file with a street, put on a shelf by it. It proves that a lane
 * is one folder and one line in `lanes.ts` (tests/e2e/new-lane.spec.ts), and shows what a lane may consist of.
 */
import type { Lane } from '#lanes/lane.ts';
import { tables } from './browser/schema.ts';

export const parcels: Lane = {
  id: 'parcels',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  browser: async () => (await import('./browser/lane-browser.ts')).browser,
  ui: async () => (await import('#page-part/parcels/ui/lane-ui.ts')).ui,
  server: async () => (await import('#node-part/parcels/server/lane-server.ts')).server,
};
