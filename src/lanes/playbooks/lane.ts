import type { Lane } from '../lane.ts';

export const playbooks: Lane = {
  id: 'playbooks',
  core: async () => (await import('./core/lane-core.ts')).core,
  cli: async () => (await import('#node-part/playbooks/cli/lane-cli.ts')).cli,
};
