import { audioIngester } from '../audio-ingester.ts';

export const wavIngester = audioIngester({
  id: 'wav',
  format: 'WAV',
  extensions: ['wav', 'wave'],
  kinds: ['wav', 'rf64'],
});
