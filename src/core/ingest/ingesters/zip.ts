import { mislabelled, takeAsItIs } from '../audio-ingester.ts';
import { familyOf, isOpenable } from '../file-kinds.ts';
import type { Ingester } from '../ingester.ts';
import { unsupportedArchive } from './unsupported-archive.ts';

export const zipIngester: Ingester = {
  agentId: 'zip-ingester',
  name: 'ZIP ingester',
  description: 'Opens ZIP archives; their entries are taken in one by one.',
  priority: 10,
  capabilities: ['ingest:zip'],
  tags: ['ingester', 'archive'],
  ingest(input) {
    if (isOpenable(input.kind)) return { as: 'archive', kind: input.kind };
    if (familyOf(input.kind) === 'audio') return takeAsItIs(input, 'ZIP');
    // An office file renamed to .zip opens as one, but there is no music in it.
    if (familyOf(input.kind) === 'archive') return unsupportedArchive(input);
    return mislabelled(input, 'a ZIP archive');
  },
};
