import { expect, test } from 'vitest';
import { convertRequest } from '#lanes/music/core/publish/convert-request.ts';
import { catalogTrack } from '../../fixtures/match.ts';
import { makeJob } from '../../fixtures/job.ts';

test('WORK-13 the bitrate of the settings is the quality that is asked of Vorbis', () => {
  const job = makeJob({ id: 'j', phase: 'approved' });
  if (job.phase !== 'approved') throw new Error('not approved');
  const quality = (bitrate: '64k' | '192k' | '320k') =>
    convertRequest(job, undefined, catalogTrack('t'), undefined, bitrate).quality;
  expect([quality('64k'), quality('192k'), quality('320k')]).toEqual([0, 6, 9]);
});
