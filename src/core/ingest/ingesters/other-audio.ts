import { audioIngester } from '../audio-ingester.ts';

/** Rarer formats that the converter reads as well. */
export const otherAudioIngesters = [
  audioIngester({ id: 'wavpack', format: 'WavPack', extensions: ['wv'], kinds: ['wavpack'] }),
  audioIngester({ id: 'tta', format: 'True Audio', extensions: ['tta'], kinds: ['tta'] }),
  audioIngester({ id: 'caf', format: 'Core Audio', extensions: ['caf'], kinds: ['caf'] }),
  audioIngester({ id: 'w64', format: 'Wave64', extensions: ['w64'], kinds: ['w64'] }),
  audioIngester({ id: 'ac3', format: 'AC-3', extensions: ['ac3'], kinds: ['ac3'] }),
];
