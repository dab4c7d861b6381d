import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const guide: Lane = {
  id: 'guide',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  server: async () => (await import('#node-part/guide/server/lane-server.ts')).server,
  ui: async () => (await import('#page-part/guide/ui/lane-ui.ts')).ui,
  cli: async () => (await import('#node-part/guide/cli/lane-cli.ts')).cli,
};
