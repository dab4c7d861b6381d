import type { Ingester } from '../ingester.ts';
import { createRegistry, type IngesterRegistry } from '../registry.ts';
import { aiffIngester } from './aiff.ts';
import { companionIngesters } from './companions.ts';
import { coverIngester } from './cover.ts';
import { cueIngester } from './cue.ts';
import { fallbackIngester } from './fallback.ts';
import { flacIngester } from './flac.ts';
import { m3uIngester } from './m3u.ts';
import { m4aIngester } from './m4a.ts';
import { mp3Ingester } from './mp3.ts';
import { oggIngester } from './ogg.ts';
import { opusIngester } from './opus.ts';
import { otherAudioIngesters } from './other-audio.ts';
import { tarIngester } from './tar.ts';
import { unsupportedArchiveIngester } from './unsupported-archive.ts';
import { wavIngester } from './wav.ts';
import { wmaIngester } from './wma.ts';
import { zipIngester } from './zip.ts';

export const musicIngesters: readonly Ingester[] = [
  zipIngester,
  tarIngester,
  mp3Ingester,
  flacIngester,
  m4aIngester,
  oggIngester,
  opusIngester,
  wavIngester,
  aiffIngester,
  wmaIngester,
  ...otherAudioIngesters,
  coverIngester,
  cueIngester,
  m3uIngester,
  ...companionIngesters,
  unsupportedArchiveIngester,
  fallbackIngester,
];

export function createMusicRegistry(): IngesterRegistry {
  return createRegistry(musicIngesters);
}
