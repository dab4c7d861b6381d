import type { Lane } from '../lane.ts';

export const toolbox: Lane = {
  id: 'toolbox',
  core: async () => (await import('./core/lane-core.ts')).core,
  server: async () => (await import('#node-part/toolbox/server/lane-server.ts')).server,
  ui: async () => (await import('#page-part/toolbox/ui/lane-ui.ts')).ui,
};
