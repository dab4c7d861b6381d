import { audioIngester } from '../audio-ingester.ts';

export const m4aIngester = audioIngester({
  id: 'm4a',
  format: 'MP4 audio',
  extensions: ['m4a', 'mp4', 'm4b', 'aac'],
  kinds: ['mp4', 'aac'],
});
