import { audioIngester } from '../audio-ingester.ts';

export const flacIngester = audioIngester({
  id: 'flac',
  format: 'FLAC',
  extensions: ['flac', 'fla'],
  kinds: ['flac', 'ogg-flac'],
});
