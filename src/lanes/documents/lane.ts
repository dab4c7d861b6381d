import type { Lane } from '../lane.ts';

export const documents: Lane = {
  id: 'documents',
  core: async () => (await import('./core/lane-core.ts')).core,
  cli: async () => (await import('#node-part/documents/cli/lane-cli.ts')).cli,
};
