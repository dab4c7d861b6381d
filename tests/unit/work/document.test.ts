import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDocument, writeDocument } from '#adapters/work/document.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { makeBatch, makeJob } from '../../fixtures/job.ts';
import { flacBytes, NO_NEWS, uploadBench } from '../../fixtures/upload-bench.ts';
import { zipOf } from '../../fixtures/zip.ts';

/** Saved by a worker of before 0.2 that was killed while it published `x/in zip.flac`. */
const SAVED = readFileSync('tests/fixtures/stored/upload-document-1.json', 'utf8');
/** The upload that it is about. */
const inner = zipOf([{ name: 'deep.flac', data: flacBytes(4) }]);
const cover = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8]);
const files = [
  { id: 'f1', path: 'First.flac', bytes: flacBytes(1) },
  { id: 'f2', path: 'track02.flac', bytes: flacBytes(2) },
  {
    ...{ id: 'z1', path: 'x.zip' },
    bytes: zipOf([
      { name: 'in zip.flac', data: flacBytes(3) },
      { name: 'cover.jpg', data: cover },
      { name: 'inner.zip', data: inner },
    ]),
  },
  { id: 'z2', path: 'damaged.zip', bytes: zipOf([{ name: 'gone.flac', data: flacBytes(9) }]).slice(0, 40) },
  { id: 'f5', path: 'twin.flac', bytes: flacBytes(1) },
  { id: 'f6', path: 'notes.txt', bytes: new TextEncoder().encode('hello') },
];
const artist = 'The Mooring Lines';
const catalog: CatalogFile = {
  artists: [{ id: 'ar', name: artist }],
  albums: [{ id: 'al', title: 'Harbour Songs', artist_id: 'ar', artist, year: 1997, discs: 1, track_count: 3 }],
  tracks: [
    { id: 'tr1', title: 'Lantern Weather', duration_ms: 251_000 },
    { id: 'tr2', title: 'Slow Ferries', duration_ms: 200_000 },
    { id: 'tr3', title: 'Cordage', duration_ms: 305_000 },
  ].map((track, at) => ({ ...track, album_id: 'al', artist_id: 'ar', artist, disc: 1, position: at + 1 })),
};

describe('what an earlier worker saved', () => {
  test('WORK-7 an upload that a worker of before 0.2 was at goes on from there, and nothing is done twice', async () => {
    const bench = uploadBench({
      ...{ files, catalog },
      claim: {
        ...{ document: SAVED, revision: 9 },
        news: {
          cancelled: [],
          published: [{ job_id: 'f1', track_id: 'tr1', output_file_path: 'tr1.ogg' }],
          answers: [{ review_id: 'v1-17', selected_option: 'track:tr2', resolved_by_user_id: 'ann' }],
        },
      },
      probe: () => {
        throw new Error('everything is read already');
      },
    });
    await bench.work();
    const { jobs, reviews } = bench.rows();
    expect(jobs.map(({ id, path, phase }) => [id, path, phase])).toEqual([
      ['f1', 'First.flac', 'published'],
      ['f2', 'track02.flac', 'published'],
      ['f5', 'twin.flac', 'duplicate'],
      ['v1-3', 'x/in zip.flac', 'published'],
      ['v1-7', 'x/inner/deep.flac', 'review'],
    ]);
    expect(bench.commits.map(({ job_id, track_id }) => [job_id, track_id]).sort()).toEqual([
      ['f2', 'tr2'],
      ['v1-3', 'tr3'],
    ]);
    expect(reviews.filter((review) => review.resolved_at === null).map(({ id }) => id)).toEqual(['v1-18']);
    const { document = '' } = bench.saves.at(-1) ?? {};
    expect(JSON.parse(document)).toMatchObject({ schema_version: 2, batch: { state: 'staged', notice: null } });
    expect(bench.saves.at(-1)).toMatchObject({ state: 'waiting', revision: 8 + bench.saves.length, release: true });

    const saved = new Map(bench.saves.flatMap((save) => save.jobs.map((job) => [job.id, job])));
    expect(['z1', 'v1-5', 'v1-3', 'f2'].map((id) => saved.get(id)?.parent_job_id)).toEqual([null, 'z1', 'z1', null]);
    expect([saved.get('z1')?.status, saved.get('v1-5')?.status]).toEqual(['AWAITING_REVIEW', 'AWAITING_REVIEW']);
    expect(saved.get('z2')).toMatchObject({ status: 'FAILED', error_message: expect.stringContaining('is cut off') });
    const steps = bench.saves.flatMap((save) => save.steps).filter(({ job_id }) => job_id === 'v1-3');
    expect(steps.map(({ step }) => step.step_number)).toEqual(steps.map((_, at) => 19 + at));
    expect(bench.steps()).toContain('Its converted file was lost; it is converted again');
  });

  test('WORK-7 the next worker of this release reads the same rows, and ends what is answered meanwhile', async () => {
    const first = uploadBench({ files, catalog, claim: { document: SAVED } });
    await first.work();
    const document = first.saves.at(-1)?.document ?? '';
    expect(JSON.parse(document)).toMatchObject({ schema_version: 2 });
    const answers = [
      { review_id: 'v1-17', selected_option: 'none', resolved_by_user_id: 'ann' },
      { review_id: 'v1-18', selected_option: 'cancelled', resolved_by_user_id: null },
    ];
    const second = uploadBench({ files, catalog, claim: { document, news: { ...NO_NEWS, answers } } });
    await second.work();
    const phases = new Map(second.rows().jobs.map(({ id, phase }) => [id, phase]));
    expect(['f2', 'v1-7', 'v1-3'].map((id) => phases.get(id))).toEqual(['failed', 'cancelled', 'published']);
    expect(second.saves.at(-1)?.state).toBe('done');
    expect(second.commits).toEqual([]);
  });

  test('WORK-12 an archive that no earlier worker had come to has its own name, one inside it its path', async () => {
    const [, , zip] = files;
    if (!zip) throw new Error('no archive');
    const moved = { ...zip, path: 'folder/x.zip' };
    const begun = uploadBench({ files: [], claim: { files: [] } });
    await begun.work();
    const document = begun.saves.at(-1)?.document ?? '';
    const bench = uploadBench({ files: [moved], catalog, claim: { document } });
    await bench.work();
    const archives = bench.saves.at(-1)?.jobs.filter(({ original_filename: name }) => name.endsWith('.zip'));
    expect(archives?.map(({ id, original_filename }) => [id === 'z1', original_filename])).toEqual([
      [true, 'x.zip'],
      [false, 'folder/x/inner.zip'],
    ]);
  });

  test('WORK-7 what cannot be read is said: a newer form, no JSON, a row of another form', () => {
    const read = (text: string) => () => readDocument(text, []);
    expect(read('{"schema_version":3}')).toThrow('begun by a newer release');
    expect(read('{"schema_version":2')).toThrow('no JSON');
    const rows = { batch: makeBatch(), jobs: [makeJob({ id: 'a' })], reviews: [], outbox: [], steps: {}, archives: [] };
    expect(read(writeDocument(rows))()).toMatchObject({ jobs: [{ id: 'a' }], batch: { state: 'staging' } });
    const changed = (patch: object) => JSON.stringify({ ...JSON.parse(writeDocument(rows)), ...patch });
    for (const patch of [{ jobs: [{}] }, { batch: { id: 'b' } }, { steps: { a: 'x' } }, { outbox: [{ key: 'k' }] }])
      expect(read(changed(patch))).toThrow('cannot be read');
    // A job that lacks what its phase knows is a failed row that says so.
    const [job] = read(changed({ jobs: [{ ...rows.jobs[0], phase: 'review', status: 'AWAITING_REVIEW' }] }))().jobs;
    expect(job).toMatchObject({ phase: 'failed', failure: { code: 'storage_failed' } });
  });
});
