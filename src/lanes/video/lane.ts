import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const video: Lane = {
  id: 'video',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  browser: async () => (await import('#worker-part/video/browser/lane-browser.ts')).browser,
  ui: async () => (await import('#page-part/video/ui/lane-ui.ts')).ui,
  server: async () => (await import('#node-part/video/server/lane-server.ts')).server,
  cli: async () => (await import('#node-part/video/cli/lane-cli.ts')).cli,
};
