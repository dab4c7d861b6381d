import type { Lane } from '../lane.ts';
import { tables } from './browser/schema.ts';

export const library: Lane = {
  id: 'library',
  tables,
  core: async () => (await import('./core/lane-core.ts')).core,
  ui: async () => (await import('#page-part/library/ui/lane-ui.ts')).ui,
  server: async () => (await import('#node-part/library/server/lane-server.ts')).server,
  cli: async () => (await import('#node-part/library/cli/lane-cli.ts')).cli,
};
