import { companionIngester } from './companion-ingester.ts';

export const m3uIngester = companionIngester({
  id: 'm3u-ingester',
  name: 'M3U ingester',
  description: 'Keeps the text of playlists.',
  capabilities: ['ingest:m3u', 'ingest:m3u8'],
  kind: 'playlist',
  outcome: 'kept beside the files, not needed',
  keep: 'text',
});
