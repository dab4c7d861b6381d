import { expect, test } from 'vitest';
import { convertRequest } from '#lanes/music/core/publish/convert-request.ts';
import { catalogTrack } from '../../fixtures/match.ts';
import { makeBatch, makeJob } from '../../fixtures/job.ts';

test('WORK-13 the bitrate of the settings is the quality that is asked of Vorbis', () => {
  const job = makeJob({ id: 'j', phase: 'approved' });
  if (job.phase !== 'approved') throw new Error('not approved');
  const quality = (bitrate: '64k' | '192k' | '320k') =>
    convertRequest(job, undefined, catalogTrack('t'), undefined, bitrate).quality;
  expect([quality('64k'), quality('192k'), quality('320k')]).toEqual([0, 6, 9]);
});

test('JOB-80 a cover that a person chose goes into the file, before its own and what lay beside it', () => {
  const beside = { path: 'cover.jpg', kind: 'cover', outcome: 'kept as cover', sha256: 'beside', text: null };
  const batch = makeBatch({ id: 'b', companions: [beside] });
  const coverOf = (patch: Parameters<typeof makeJob>[0]) => {
    const job = makeJob({ ...patch, phase: 'approved' });
    if (job.phase !== 'approved') throw new Error('not approved');
    return convertRequest(job, batch, catalogTrack('t'), undefined, '320k').cover;
  };
  const own = { cover_sha256: 'own', cover_mime: 'image/png' };
  const cover_chosen = { sha256: 'chosen', mime: 'image/webp', from: 'catalog', name: 'Abbey Road' } as const;
  expect(coverOf({ id: 'j', path: 'a.flac' })).toEqual({ sha256: 'beside', mime: 'image/jpeg' });
  expect(coverOf({ id: 'j', ...own })).toEqual({ sha256: 'own', mime: 'image/png' });
  expect(coverOf({ id: 'j', ...own, cover_chosen })).toEqual({ sha256: 'chosen', mime: 'image/webp' });
  expect(coverOf({ id: 'j', ...own, cover_chosen: null })).toEqual({ sha256: 'own', mime: 'image/png' });
});
