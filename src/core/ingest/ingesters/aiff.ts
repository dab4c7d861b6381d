import { audioIngester } from '../audio-ingester.ts';

export const aiffIngester = audioIngester({
  id: 'aiff',
  format: 'AIFF',
  extensions: ['aiff', 'aif', 'aifc'],
  kinds: ['aiff', 'aifc'],
});
