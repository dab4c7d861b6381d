import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { flac, HEADS, text } from '../../fixtures/heads.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { zipOf } from '../../fixtures/zip.ts';

const good = { name: 'good.flac', data: flac(1) };

describe('STAGE-5 bad input is one failed row with name, reason and remedy; the rest goes on', () => {
  const loose: [path: string, bytes: Uint8Array<ArrayBuffer>, row: string][] = [
    ['empty.mp3', text(''), 'empty.mp3: file_empty: "empty.mp3" is empty (0 bytes).'],
    ['x.flac', text('<html><body>Not found'), 'x.flac: file_mislabelled: "x.flac" is not FLAC: it is an HTML page.'],
    ['x.mp3', HEADS.zip, 'x.mp3: file_mislabelled: "x.mp3" is not MP3: it is a ZIP archive.'],
    [
      'budget.xlsx',
      HEADS.xlsx,
      'budget.xlsx: file_unsupported: "budget.xlsx" cannot be taken in: it is a spreadsheet.',
    ],
    ['x.pdf', HEADS.pdf, 'x.pdf: file_unsupported: "x.pdf" cannot be taken in: it is a PDF document.'],
    ['x.rar', HEADS.rar, 'x.rar: archive_corrupt: "x.rar" is damaged: its list of files cannot be read.'],
    [
      'x.xz',
      HEADS.xz,
      'x.xz: archive_unsupported: "x.xz" is an XZ archive, which cannot be opened here yet; ZIP, TAR, GZ, 7z and RAR archives can.',
    ],
    [
      'cut.zip',
      zipOf([good]).slice(0, 800),
      'cut.zip: archive_truncated: "cut.zip" is cut off: its end, where a ZIP lists its files, is missing.',
    ],
    ['empty.zip', zipOf([]), 'empty.zip: archive_empty: "empty.zip" has no files in it.'],
    [
      'cover.jpg',
      text('<html>'),
      'cover.jpg: file_mislabelled: "cover.jpg" is not a JPEG or PNG picture: it is an HTML page.',
    ],
  ];
  test.each(loose)('STAGE-98 %s', async (path, bytes, row) => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('a.flac', flac(7)), dropped(path, bytes), dropped('z.flac', flac(8))]);
    expect(await bench.rows(batch.id)).toEqual(['a.flac: PENDING queued', row, 'z.flac: PENDING queued']);
    expect(batch).toMatchObject({ state: 'staged', total: 3, taken: 3 });
    const failed = (await bench.jobs(batch.id))[1];
    expect(failed).toMatchObject({
      status: 'FAILED',
      phase: 'failed',
      temp_file_path: null,
      original_filename: path,
      completed_at: 1000,
    });
    expect(failed?.failure).toMatchObject({ retryable: false, subject: path });
    expect(failed?.failure?.remedy.length).toBeGreaterThan(20);
    const steps = await bench.steps(failed?.id ?? '');
    expect([steps[0], steps.at(-1)]).toEqual([
      expect.stringMatching(/^1 Context: /),
      `2 Error: ${failed?.error_message ?? ''}`,
    ]);
    // Nothing of it stays behind.
    expect((await bench.storedHashes()).size).toBe(2);
  });

  const entries: [name: string, bad: Parameters<typeof zipOf>[0][number], row: string][] = [
    [
      'a wrong CRC',
      { name: 'bad.flac', data: flac(2), crc: 1 },
      'x/bad.flac: archive_entry_crc: "bad.flac" in "x.zip" is damaged: its checksum is wrong.',
    ],
    [
      'a password',
      { name: 'bad.flac', data: flac(2), flags: 1 },
      'x/bad.flac: archive_encrypted: "bad.flac" in "x.zip" needs a password.',
    ],
    [
      'a way out',
      { name: '../../x', data: flac(2) },
      'x/x: archive_unsafe_name: "../../x" in "x.zip" was refused: its name points out of the archive ("..").',
    ],
    ['nothing in it', { name: 'bad.flac', data: text('') }, 'x/bad.flac: file_empty: "bad.flac" is empty (0 bytes).'],
    [
      'another kind',
      { name: 'bad.flac', data: HEADS.png },
      'x/bad.flac: file_mislabelled: "bad.flac" is not FLAC: it is a PNG picture.',
    ],
    [
      'a spreadsheet',
      { name: 'list.xlsx', data: HEADS.xlsx },
      'x/list.xlsx: file_unsupported: "list.xlsx" cannot be taken in: it is a spreadsheet.',
    ],
    [
      'a broken RAR',
      { name: 'b.rar', data: HEADS.rar },
      'x/b.rar: archive_corrupt: "b.rar" is damaged: its list of files cannot be read.',
    ],
    [
      'a cut ZIP',
      { name: 'b.zip', data: zipOf([good]).slice(0, 500) },
      'x/b.zip: archive_truncated: "b.zip" is cut off: its end, where a ZIP lists its files, is missing.',
    ],
  ];
  test.each(entries)('in an archive: %s', async (_, bad, row) => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('x.zip', zipOf([good, bad, { name: 'other.flac', data: flac(3) }]))]);
    expect(new Set(await bench.rows(batch.id))).toEqual(
      new Set(['x/good.flac: PENDING queued', row, 'x/other.flac: PENDING queued']),
    );
    expect(batch).toMatchObject({
      state: 'staged',
      total: 3,
      taken: 3,
      archives: [{ done: true }, {}].slice(0, batch.archives.length),
    });
    // Of the archive's copy nothing stays, unless something in it waits for a password.
    const waits = batch.archives.filter((archive) => archive.waiting !== undefined);
    expect((await bench.storedHashes()).size).toBe(2 + waits.length);
  });

  test('a refused entry is called what the archive calls it', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('x.zip', zipOf([{ name: '../../x', data: flac(2) }]))]);
    expect(await bench.jobs(batch.id)).toMatchObject([{ original_filename: '../../x', path: 'x/x' }]);
  });

  test('the limits are those of the settings', async () => {
    const bench = new StageBench({ limits: async () => archiveLimits({ ...DEFAULT_SETTINGS, max_entries: 1 }) });
    const batch = await bench.drop([dropped('x.zip', zipOf([good, { name: 'b.flac', data: flac(2) }]))]);
    expect(await bench.rows(batch.id)).toEqual([
      'x.zip: archive_limit: "x.zip" has too many files: more than 1 (Settings, Archives).',
    ]);
  });

  test('a repaired name is told in the trace', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('x.zip', zipOf([{ name: 'C:\\a.flac', data: flac(2) }]))]);
    const [job] = await bench.jobs(batch.id);
    expect((await bench.steps(job?.id ?? ''))[1]).toBe(
      '2 Decision: Its name in the archive was repaired: backslashes, drive letter.',
    );
  });

  test('a file that was moved away under our hands', async () => {
    const bench = new StageBench();
    const gone = dropped('gone.flac', flac(2));
    Object.defineProperty(gone.file, 'slice', {
      value: () => {
        throw new DOMException('not there', 'NotFoundError');
      },
    });
    const batch = await bench.drop([gone, dropped('a.flac', flac(1))]);
    expect(await bench.rows(batch.id)).toEqual([
      'a.flac: PENDING queued',
      'gone.flac: file_unreadable: "gone.flac" could not be read: it was moved, changed or its disk was removed.',
    ]);
  });
});

describe('STAGE-10 a full disk is said of each file, and what fits goes on', () => {
  const remedy =
    'Press "Free now" in Settings, Storage (it frees originals of what is published), or free space on this device, then drop the file again.';

  test('STAGE-100 when the store is full', async () => {
    const bench = new StageBench({}, new MemoryBlobStore({ capacity: 3000 }));
    const batch = await bench.drop([
      dropped('a.flac', flac(1)),
      dropped('b.flac', flac(2)),
      dropped('c.flac', flac(3, 500)),
    ]);
    expect(await bench.rows(batch.id)).toEqual([
      'a.flac: PENDING queued',
      'b.flac: storage_full: "b.flac" could not be stored. There is no space left in this browser: 4.1 kB are wanted.',
      'c.flac: PENDING queued',
    ]);
    expect((await bench.jobs(batch.id))[1]?.failure).toMatchObject({ remedy, retryable: false });
  });

  test('STAGE-84 before it is full: a file wants room for itself and for what is made of it', async () => {
    const bench = new StageBench({ freeBytes: async () => 3000 });
    const batch = await bench.drop([dropped('a.flac', flac(1)), dropped('c.flac', flac(3, 500))]);
    expect(await bench.rows(batch.id)).toEqual([
      'a.flac: storage_full: "a.flac" could not be stored. Less than twice its size is free in this browser: 4.1 kB are wanted.',
      'c.flac: PENDING queued',
    ]);
  });

  test('a database that takes no more rows: the drop says so, and nothing is half taken in', async () => {
    const bench = new StageBench();
    bench.db.steps.hook('creating', () => {
      throw new DOMException('no space', 'QuotaExceededError');
    });
    const result = await bench.tab().stage([dropped('a.flac', flac(1))], { type: 'SPONTANEOUS', id: null });
    expect(result).toMatchObject({ ok: false, failure: { code: 'storage_full' } });
    expect([await bench.db.jobs.count(), await bench.db.steps.count()]).toEqual([0, 0]);
  });
});
