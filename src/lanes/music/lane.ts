import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const music: Lane = {
  id: 'music',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  browser: async () => (await import('#worker-part/music/browser/lane-browser.ts')).browser,
  ui: async () => (await import('#page-part/music/ui/lane-ui.ts')).ui,
  server: async () => (await import('#node-part/music/server/lane-server.ts')).server,
  cli: async () => (await import('#node-part/music/cli/lane-cli.ts')).cli,
};
