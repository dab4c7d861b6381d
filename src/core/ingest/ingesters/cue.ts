import { companionIngester } from './companion-ingester.ts';

export const cueIngester = companionIngester({
  id: 'cue-ingester',
  name: 'CUE ingester',
  description: 'Keeps the text of CUE sheets.',
  capabilities: ['ingest:cue'],
  kind: 'cue',
  outcome: 'read for track order',
  keep: 'text',
});
