import { audioIngester } from '../audio-ingester.ts';

export const opusIngester = audioIngester({
  id: 'opus',
  format: 'Opus',
  extensions: ['opus'],
  kinds: ['opus'],
});
