import type { Lane } from '../lane.ts';

export const guide: Lane = {
  id: 'guide',
  core: async () => (await import('./core/lane-core.ts')).core,
  cli: async () => (await import('#node-part/guide/cli/lane-cli.ts')).cli,
};
