import { companionIngester } from './companion-ingester.ts';

export const cueIngester = companionIngester({
  id: 'cue-ingester',
  name: 'CUE ingester',
  description: 'Keeps the text of CUE sheets.',
  capabilities: ['ingest:cue'],
  kind: 'cue',
  // Until a file of its drop is split by it, or named.
  outcome: 'kept, not used: a sheet goes only with a file that is new in the same drop',
  keep: 'text',
});
