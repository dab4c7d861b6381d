import { audioIngester } from '../audio-ingester.ts';

export const mp3Ingester = audioIngester({
  id: 'mp3',
  format: 'MP3',
  extensions: ['mp3', 'mp2', 'mpga'],
  kinds: ['mp3'],
});
