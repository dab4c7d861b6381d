import { describe, expect, test } from 'vitest';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { core as documents } from '#lanes/documents/core/lane-core.ts';
import { core as music } from '#lanes/music/core/lane-core.ts';
import { planLabel, planPaths } from '#core/ingest/paths.ts';
import { exampleAlbum } from '#lanes/music/browser/example-album.ts';
import type { Album, Track } from '#lanes/music/core/catalog.ts';
import { flac, HEADS, mp3Frames, text } from '../../fixtures/heads.ts';
import { dropped, SPONTANEOUS, StageBench } from '../../fixtures/stage.ts';
import { zipOf } from '../../fixtures/zip.ts';

test('DOCUMENT-47 a PDF is no failed row, loose and in a ZIP: it is kept with its batch; what is only named so is said', async () => {
  const bench = new StageBench({ registry: ingesterRegistry([music, documents]) });
  const batch = await bench.drop([
    dropped('a.pdf', HEADS.pdf),
    dropped('b.pdf', HEADS.jpeg),
    dropped('papers.zip', zipOf([{ name: 'c.pdf', data: HEADS.pdf }])),
  ]);
  expect(batch.companions.map(({ path, kind, outcome }) => [path, kind, outcome])).toEqual([
    ['a.pdf', 'document', 'on the Documents page'],
    ['papers/c.pdf', 'document', 'on the Documents page'],
  ]);
  for (const { sha256 } of batch.companions) expect(await bench.blobs.size(sha256 ?? '')).toBe(HEADS.pdf.length);
  expect(await bench.rows(batch.id)).toEqual(['b.pdf: file_mislabelled: "b.pdf" is not a PDF: it is a JPEG picture.']);
});

describe('STAGE-1 every file of a drop is one job, one companion or one failed row', () => {
  test('STAGE-97 loose files', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([
      dropped('Abbey Road/01 Come Together.flac', flac(1)),
      dropped('Abbey Road/02 Something.flac', flac(2)),
      dropped('Abbey Road/cover.jpg', HEADS.jpeg),
      dropped('Abbey Road/album.cue', text('TITLE "Abbey Road"\n')),
      dropped('Abbey Road/info.nfo', text('ripped')),
      dropped('Abbey Road/Thumbs.db', text('x')),
    ]);
    expect(batch).toMatchObject({
      label: 'Abbey Road',
      state: 'staged',
      total: 6,
      taken: 6,
      notice: null,
      demo: false,
      archives: [],
    });
    expect(await bench.rows(batch.id)).toEqual([
      'Abbey Road/01 Come Together.flac: PENDING queued',
      'Abbey Road/02 Something.flac: PENDING queued',
    ]);
    expect(batch.companions.map(({ path, kind, outcome, text: kept }) => [path, kind, outcome, kept])).toEqual([
      ['Abbey Road/cover.jpg', 'cover', 'kept as cover', null],
      [
        'Abbey Road/album.cue',
        'cue',
        'kept, not used: a sheet goes only with a file that is new in the same drop',
        'TITLE "Abbey Road"\n',
      ],
      ['Abbey Road/info.nfo', 'text', 'ignored', null],
      ['Abbey Road/Thumbs.db', 'system', 'ignored', null],
    ]);
    const [job] = await bench.jobs(batch.id);
    expect(job).toMatchObject({
      original_filename: '01 Come Together.flac',
      file_size_bytes: flac(1).length,
      temp_file_path: `sha256/${job?.sha256 ?? ''}`,
      context_type: 'SPONTANEOUS',
      context_id: null,
      created_at: 1000,
    });
    expect(await bench.blobs.size(job?.sha256 ?? '')).toBe(flac(1).length);
    expect(await bench.blobs.size(batch.companions[0]?.sha256 ?? '')).toBe(HEADS.jpeg.length);
    expect(await bench.steps(job?.id ?? '')).toEqual([
      '1 Context: "01 Come Together.flac": 2.0 kB, FLAC by its content.',
    ]);
    expect(bench.notified).toBe(1);
  });

  test('a ZIP: its entries lie in a folder of its name, and its blob goes when they are in', async () => {
    const bench = new StageBench();
    const zip = zipOf([
      { name: '01 - Airbag.mp3', data: mp3Frames(4, 1), deflate: true },
      { name: 'cd2/01 - Extra.mp3', data: mp3Frames(4, 2) },
      { name: '__MACOSX/._01 - Airbag.mp3', data: HEADS.appledouble },
    ]);
    const batch = await bench.drop([dropped('ok_computer.zip', zip)]);
    expect(batch).toMatchObject({ label: 'ok_computer', state: 'staged', total: 3, taken: 3, notice: null });
    expect(batch.archives).toMatchObject([{ path: 'ok_computer.zip', done: true, entries: 3 }]);
    expect(await bench.rows(batch.id)).toEqual([
      'ok_computer/01 - Airbag.mp3: PENDING queued',
      'ok_computer/cd2/01 - Extra.mp3: PENDING queued',
    ]);
    const [job] = await bench.jobs(batch.id);
    expect(await bench.steps(job?.id ?? '')).toEqual([
      '1 Context: "01 - Airbag.mp3" in "ok_computer.zip": 1.7 kB, MP3 by its content.',
    ]);
    expect(await bench.storedHashes()).toEqual(new Set((await bench.jobs(batch.id)).map((one) => one.sha256)));
  });

  test('ARCH-7 a ZIP in a ZIP is unpacked, a third one is refused', async () => {
    const bench = new StageBench();
    const third = zipOf([{ name: 'x.flac', data: flac(9) }]);
    const second = zipOf([
      { name: 'deep.zip', data: third },
      { name: 'b.flac', data: flac(2) },
    ]);
    const first = zipOf([
      { name: 'cd1.zip', data: second, deflate: true },
      { name: 'cd1/a.flac', data: flac(1) },
    ]);
    const batch = await bench.drop([dropped('box.zip', first)]);
    expect(await bench.rows(batch.id)).toEqual([
      'box/cd1 (2)/b.flac: PENDING queued',
      'box/cd1 (2)/deep.zip: archive_limit: "deep.zip" makes 3 archives in one another; the limit is 2 (Settings, Archives).',
      'box/cd1/a.flac: PENDING queued',
    ]);
    expect(batch).toMatchObject({ total: 3, taken: 3 });
    expect((await bench.storedHashes()).size).toBe(2);
  });

  test('STAGE-3 a name that lies is told in the trace, and the file is taken in', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('x.flac', mp3Frames(4))]);
    const [job] = await bench.jobs(batch.id);
    expect(await bench.steps(job?.id ?? '')).toEqual([
      '1 Context: "x.flac": 1.7 kB, MP3 by its content.',
      '2 Decision: "x.flac" is named FLAC, but its content is MP3; it is read as that.',
    ]);
  });
});

test('the context of the drop stands in its jobs; a request without an id, or nothing at all, is refused', async () => {
  const bench = new StageBench();
  const stage = bench.tab();
  const done = await stage.stage([dropped('x.flac', flac())], { type: 'DOWNLOAD_REQUEST', id: 'req-1' }, 'OK Computer');
  if (!done.ok) throw new Error(done.failure.message);
  expect(await bench.batch(done.value.batch_id)).toMatchObject({
    label: 'OK Computer',
    context_type: 'DOWNLOAD_REQUEST',
    context_id: 'req-1',
  });
  expect((await bench.jobs(done.value.batch_id))[0]).toMatchObject({
    context_type: 'DOWNLOAD_REQUEST',
    context_id: 'req-1',
  });
  expect(await stage.stage([dropped('x.flac', flac())], { type: 'DOWNLOAD_REQUEST', id: null })).toMatchObject({
    ok: false,
  });
  expect(await stage.stage([], SPONTANEOUS)).toMatchObject({ ok: false, failure: { message: 'Nothing was dropped.' } });
});

describe('STAGE-6 the same content is a duplicate of what is staged', () => {
  test('twice in one drop', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('a.flac', flac(1)), dropped('copy of a.flac', flac(1))]);
    const [first, second] = await bench.jobs(batch.id);
    expect(second).toMatchObject({
      status: 'COMPLETED',
      phase: 'duplicate',
      duplicate_of: first?.id,
      duplicate_reason: 'the same content (SHA-256) as "a.flac", in the same drop',
      sha256: first?.sha256,
      temp_file_path: null,
      completed_at: 1000,
    });
    expect((await bench.steps(second?.id ?? ''))[1]).toBe(
      '2 Decision: Duplicate: the same content (SHA-256) as "a.flac", in the same drop',
    );
  });

  test('the same ZIP dropped twice: every entry is a duplicate of the first drop, and nothing is stored twice', async () => {
    const bench = new StageBench();
    const zip = zipOf([
      { name: 'a.flac', data: flac(1) },
      { name: 'b.flac', data: flac(2) },
    ]);
    const first = await bench.jobs((await bench.drop([dropped('x.zip', zip)])).id);
    const second = await bench.jobs((await bench.drop([dropped('x.zip', zip)])).id);
    expect(second.map((job) => [job.phase, job.duplicate_of])).toEqual(first.map((job) => ['duplicate', job.id]));
    expect(second[0]?.duplicate_reason).toBe('the same content (SHA-256) as "a.flac", taken in before');
    const third = await bench.jobs((await bench.drop([dropped('x.zip', zip)])).id);
    expect(third.map((job) => job.duplicate_of)).toEqual(first.map((job) => job.id));
    expect((await bench.storedHashes()).size).toBe(2);
  });

  test('the same ZIP twice in one drop', async () => {
    const bench = new StageBench();
    const zip = zipOf([{ name: 'a.flac', data: flac(1) }]);
    const batch = await bench.drop([dropped('1/x.zip', zip), dropped('2/x.zip', zip)]);
    expect(await bench.rows(batch.id)).toEqual(['1/x/a.flac: PENDING queued', '2/x/a.flac: COMPLETED duplicate']);
  });

  test('what failed may be dropped again', async () => {
    const bench = new StageBench();
    const first = await bench.drop([dropped('a.flac', flac(1))]);
    await bench.db.jobs.where('batch_id').equals(first.id).modify({ status: 'FAILED', phase: 'cancelled' });
    const second = await bench.drop([dropped('a.flac', flac(1))]);
    expect(await bench.rows(second.id)).toEqual(['a.flac: PENDING queued']);
  });
});

test('paths of one drop are told apart, and a ZIP never shares its folder', () => {
  const paths = (...list: string[]): string[] =>
    planPaths(list.map((path) => dropped(path, text('')))).map((file) => file.path);
  expect(paths('x.mp3', 'x.mp3')).toEqual(['x.mp3', 'x (2).mp3']);
  expect(paths('album.zip', 'album/x.mp3', 'album.ZIP')).toEqual(['album (2).zip', 'album/x.mp3', 'album (3).ZIP']);
  expect(paths('a\\b\\x.mp3', '../x.mp3')).toEqual(['a/b/x.mp3', 'x.mp3']);
});

test('a batch is called what was dropped', () => {
  const label = (...paths: string[]): string => planLabel(paths.map((path) => ({ path })));
  expect(label('ok_computer.zip')).toBe('ok_computer');
  expect(label('a/b.mp3')).toBe('b.mp3');
  expect(label('Abbey Road/1.mp3', 'Abbey Road/2.mp3')).toBe('Abbey Road');
  expect(label('1.mp3', '2.mp3', '3.mp3')).toBe('3 files');
});

describe('Try it', () => {
  const album: Album = {
    id: 'al',
    title: 'OK Computer',
    artist_id: 'ar',
    artist: 'Radiohead',
    year: 1997,
    is_compilation: false,
    discs: 1,
    track_count: 2,
  };
  const track = (position: number): Track => ({
    id: `t${position}`,
    album_id: 'al',
    title: `Track ${position}`,
    artist_id: 'ar',
    artist: 'Radiohead',
    disc: 1,
    position,
    duration_ms: 1000,
    availability: 'missing',
  });

  async function withReplica(request: { album_id: string | null; track_id: string | null }): Promise<StageBench> {
    const bench: StageBench = new StageBench({ example: (requestId) => exampleAlbum(bench.db, requestId) });
    await bench.db.albums.put(album);
    await bench.db.tracks.bulkPut([track(2), track(1)]);
    await bench.db.requests.put({
      id: 'r',
      status: 'pending',
      requested_by: 'alice',
      created_at: 1,
      fulfilled_at: null,
      ...request,
    });
    return bench;
  }
  const FOLDER = 'Radiohead - OK Computer';

  test('stages a ZIP made for the request, marked as a demo', async () => {
    const bench = await withReplica({ album_id: 'al', track_id: null });
    const done = await bench.tab().tryIt('r');
    const batchId = done.ok ? done.value.batch_id : '';
    expect(await bench.rows(batchId)).toEqual([
      `${FOLDER}/01 - Track 1.wav: PENDING queued`,
      `${FOLDER}/02 - Track 2.wav: PENDING queued`,
    ]);
    expect(await bench.batch(batchId)).toMatchObject({
      label: 'OK Computer',
      context_type: 'DOWNLOAD_REQUEST',
      context_id: 'r',
      demo: true,
      taken: 2,
    });
  });

  test('of one track, if that is what is wanted; of nothing that the device does not know', async () => {
    const bench = await withReplica({ album_id: null, track_id: 't2' });
    const done = await bench.tab().tryIt('r');
    expect(await bench.rows(done.ok ? done.value.batch_id : '')).toEqual([
      `${FOLDER}/02 - Track 2.wav: PENDING queued`,
    ]);
    expect(await bench.tab().tryIt('other')).toMatchObject({ ok: false, failure: { code: 'not_found' } });
  });
});
