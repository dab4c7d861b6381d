import { expect, test } from 'vitest';
import { flac, text } from '../../fixtures/heads.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';

const SHEET = text('TITLE "Harbour Songs"\nFILE "Harbour.flac" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n');
const image = dropped('rip/Harbour.flac', flac(1));
const sheet = dropped('rip/Harbour.cue', SHEET);

test('MEDIA-62 an image that is dropped again is a duplicate, with or without a sheet, and a late sheet says that it is not used', async () => {
  const bench = new StageBench();
  const first = await bench.drop([image]);
  expect(await bench.rows(first.id)).toEqual(['rip/Harbour.flac: PENDING queued']);
  for (const files of [[image, sheet], [image]]) {
    const again = await bench.drop(files);
    expect(await bench.rows(again.id)).toEqual(['rip/Harbour.flac: COMPLETED duplicate']);
    expect(again.companions.map(({ outcome }) => outcome)).toEqual(
      files.length === 1 ? [] : ['kept, not used: a sheet goes only with a file that is new in the same drop'],
    );
  }
  const late = await bench.drop([sheet]);
  expect(await bench.rows(late.id)).toEqual([]);
  expect(late.companions[0]?.outcome).toContain('new in the same drop');
  // Cancelled, it may be dropped again together with its sheet.
  const [job] = await bench.jobs(first.id);
  if (job === undefined) throw new Error('no job');
  await bench.db.jobs.update(job.id, { status: 'FAILED', phase: 'cancelled' });
  const together = await bench.drop([image, sheet]);
  expect(await bench.rows(together.id)).toEqual(['rip/Harbour.flac: PENDING queued']);
});
