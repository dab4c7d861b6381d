import { audioIngester } from '../audio-ingester.ts';

export const oggIngester = audioIngester({
  id: 'ogg',
  format: 'Ogg',
  extensions: ['ogg', 'oga'],
  kinds: ['vorbis', 'opus', 'ogg-flac'],
});
