import { audioIngester } from '../audio-ingester.ts';

export const wmaIngester = audioIngester({
  id: 'wma',
  format: 'Windows Media audio',
  extensions: ['wma', 'asf'],
  kinds: ['asf'],
});
