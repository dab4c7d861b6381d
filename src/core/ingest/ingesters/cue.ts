import { companionIngester } from './companion-ingester.ts';

export const cueIngester = companionIngester({
  id: 'cue-ingester',
  name: 'CUE ingester',
  description: 'Keeps the text of CUE sheets.',
  capabilities: ['ingest:cue'],
  kind: 'cue',
  outcome: 'kept beside the files, not needed',
  keep: 'text',
});
