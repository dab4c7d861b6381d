import type { Lane } from '../lane.ts';

export const library: Lane = {
  id: 'library',
  core: async () => (await import('./core/lane-core.ts')).core,
  cli: async () => (await import('#node-part/library/cli/lane-cli.ts')).cli,
};
