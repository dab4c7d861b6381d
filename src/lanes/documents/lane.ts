import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const documents: Lane = {
  id: 'documents',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  browser: async () => (await import('#worker-part/documents/browser/lane-browser.ts')).browser,
  ui: async () => (await import('#page-part/documents/ui/lane-ui.ts')).ui,
  server: async () => (await import('#node-part/documents/server/lane-server.ts')).server,
  cli: async () => (await import('#node-part/documents/cli/lane-cli.ts')).cli,
};
