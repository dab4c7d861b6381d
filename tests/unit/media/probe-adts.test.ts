import { expect, it } from 'vitest';
import { probeBlob } from '#adapters/media/probe.ts';
import { AUDIO_SET, makeEntry } from '../../fixtures/audio-set.ts';

it('MEDIA-63 the bitrate of bare ADTS frames is their bytes over their length', async () => {
  const entry = AUDIO_SET.find(({ name }) => name === 'x.aac');
  if (entry === undefined) throw new Error('the set has no bare AAC');
  const blob = new Blob([await makeEntry(entry, 8)]);
  const probed = await probeBlob(blob, entry.name);
  if (!probed.ok) throw new Error(probed.failure.message);
  const { bitrate, duration_ms: length } = probed.value;
  expect(length).toBeGreaterThan(7900);
  expect(bitrate).toBeCloseTo((blob.size * 8) / ((length ?? 0) / 1000), -2);
});
