import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const playbooks: Lane = {
  id: 'playbooks',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  browser: async () => (await import('#worker-part/playbooks/browser/lane-browser.ts')).browser,
  server: async () => (await import('#node-part/playbooks/server/lane-server.ts')).server,
  ui: async () => (await import('#page-part/playbooks/ui/lane-ui.ts')).ui,
  cli: async () => (await import('#node-part/playbooks/cli/lane-cli.ts')).cli,
};
