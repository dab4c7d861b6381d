import { mislabelled, takeAsItIs } from '../audio-ingester.ts';
import { familyOf, isOpenable } from '../file-kinds.ts';
import type { Ingester } from '../ingester.ts';
import { extensionOf } from '../paths.ts';
import { unsupportedArchive } from './unsupported-archive.ts';

export const tarIngester: Ingester = {
  agentId: 'tar-ingester',
  name: 'TAR and GZ ingester',
  description: 'Opens TAR archives, packed with gzip or not, and single files packed with gzip.',
  priority: 10,
  capabilities: ['ingest:tar', 'ingest:tgz', 'ingest:gz'],
  tags: ['ingester', 'archive'],
  ingest(input) {
    if (isOpenable(input.kind)) return { as: 'archive', kind: input.kind };
    if (familyOf(input.kind) === 'audio') return takeAsItIs(input, extensionOf(input.path).toUpperCase());
    if (familyOf(input.kind) === 'archive') return unsupportedArchive(input);
    return mislabelled(input, `a .${extensionOf(input.path)} archive`);
  },
};
