/** What is wrong with an archive that came over HTTP: the same rows and words as in the browser, once, and for that file alone. */
import { expect, test } from 'vitest';
import { gzip, tarOf } from '../../fixtures/tar.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { flacBytes, uploadBench } from '../../fixtures/upload-bench.ts';
import { zipOf } from '../../fixtures/zip.ts';

/** Bytes that pack badly, the same each time. */
const noise = Uint8Array.from({ length: 100_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 24);
const tar = tarOf([
  { name: '01.flac', data: flacBytes(1) },
  { name: '02.flac', data: new Uint8Array([...flacBytes(2), ...noise]) },
]);
const whole = gzip(tar);
const flipped = (bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> =>
  bytes.map((byte, i) => (i === at ? byte ^ 0xff : byte));

const FAULTS: Record<string, [name: string, bytes: () => Uint8Array<ArrayBuffer>]> = {
  'a gzip that is cut': ['a.tar.gz', () => whole.slice(0, whole.length >> 1)],
  'a gzip cut behind its first bytes': ['a.tar.gz', () => whole.slice(0, 100)],
  'a gzip without its frame': ['a.tar.gz', () => whole.slice(0, 12)],
  'a gzip with a bad head': ['a.tar.gz', () => flipped(whole, 20)],
  'a gzip with a wrong checksum': ['a.tar.gz', () => flipped(whole, whole.length - 6)],
  'a gzip that expands too far': ['a.tar.gz', () => gzip(tarOf([{ name: '01.flac', data: new Uint8Array(7e7) }]))],
  'a TAR in a gzip that is cut': ['a.tar.gz', () => gzip(tar.slice(0, 50_000))],
  'a TAR in a gzip with a bad header': ['a.tar.gz', () => gzip(flipped(tar, 3))],
  'a TAR in a gzip in a ZIP, cut': ['a.zip', () => zipOf([{ name: 'b.tar.gz', data: whole.slice(0, 900) }])],
  'a ZIP that is cut': ['a.zip', () => zipOf([{ name: '01.flac', data: flacBytes(1) }]).slice(0, 60)],
  'a ZIP with a wrong checksum': ['a.zip', () => zipOf([{ name: '01.flac', data: flacBytes(1), crc: 1 }])],
};

type Bench = ReturnType<typeof uploadBench>;
const jobs = ({ saves }: Bench) => [
  ...new Map(saves.flatMap((save) => save.jobs.map((job) => [job.id, job]))).values(),
];
const wordsOf = (all: readonly { error_message: string | null }[]) =>
  [...new Set(all.flatMap(({ error_message: words }) => words ?? []))].sort();

test.each(Object.entries(FAULTS))(
  'STAGE-125, WORK-45 %s beside a good file, over HTTP: the same words as in a browser, not unpacked again by the next worker',
  async (_fault, [path, bytes]) => {
    const browser = new StageBench();
    const { id } = await browser.drop([dropped(path, bytes())]);
    const words = wordsOf(await browser.jobs(id));
    expect(words.length).toBeGreaterThan(0);

    const files = [
      { path, bytes: bytes(), id: 'archive' },
      { path: 'good.flac', bytes: flacBytes(3), id: 'good' },
    ];
    const first = uploadBench({ files });
    await first.work();
    expect(wordsOf(jobs(first))).toEqual(words);
    expect(jobs(first).find((job) => job.id === 'good')).toMatchObject({ status: 'AWAITING_REVIEW' });

    // What waits for a person is taken up by another worker, who has none of the bytes.
    const { document = null, revision = 0 } = first.saves.at(-1) ?? {};
    const second = uploadBench({ files, claim: { document, revision: revision + 1 } });
    const kept: unknown[] = [];
    const { keep } = second.blobs;
    second.blobs.keep = (...args) => {
      kept.push(args);
      return keep.apply(second.blobs, args);
    };
    await second.work();
    const open = jobs(first).filter((job) => job.parent_job_id !== null && job.status === 'AWAITING_REVIEW');
    expect(kept.length > 0).toBe(open.length > 0);
    expect(second.saves.at(-1)).toMatchObject({ state: 'waiting', release: true });
    expect(second.steps()).toEqual([]);
    const before = new Map(jobs(first).map((job) => [job.id, [job.status, job.error_message]]));
    for (const job of jobs(second)) expect([job.status, job.error_message]).toEqual(before.get(job.id));
  },
);

test('STAGE-125 an upload of which nothing can be taken in is over with its first save, and nothing is asked under its lease', async () => {
  const [path, bytes] = ['a.tar.gz', whole.slice(0, 900)];
  const asked: string[] = [];
  const learned = () => {
    asked.push('learned');
    return Promise.reject(new Error('the lease is over'));
  };
  const bench = uploadBench({ files: [{ path, bytes, id: 'archive' }], learned });
  await bench.work();
  expect(bench.saves.map(({ state }) => state)).toEqual(['done']);
  expect(asked).toEqual([]);
  expect(bench.said).toEqual([]);
  const [archive, file] = jobs(bench);
  expect([archive?.status, file?.status]).toEqual(['FAILED', 'FAILED']);
  expect(archive?.error_message).toBe(file?.error_message);
});

test('WORK-45 an archive that the next worker may not unpack any more fails with why, with what was unfinished in it; the others go on', async () => {
  const files = [
    { path: 'a.tar.gz', bytes: whole, id: 'archive' },
    { path: 'good.flac', bytes: flacBytes(3), id: 'good' },
  ];
  const first = uploadBench({ files });
  await first.work();
  const { document = null, revision = 0 } = first.saves.at(-1) ?? {};
  const { settings } = first.using;
  const strict = { ...settings, max_entry_bytes: 1000 };
  const second = uploadBench({
    files,
    claim: { document, revision: revision + 1 },
    using: { settings: strict },
  });
  await second.work();
  expect(second.saves.at(-1)).toMatchObject({ state: 'waiting' });
  expect(second.rows().jobs.find(({ id }) => id === 'good')).toMatchObject({ phase: 'review' });
  const words = expect.stringMatching(/^"a\.tar" in "a\.tar\.gz" /);
  const of = new Map(jobs(second).map((job) => [job.original_filename, job]));
  for (const name of ['a.tar.gz', 'a.tar', '01.flac', '02.flac'])
    expect(of.get(name), name).toMatchObject({ status: 'FAILED', error_message: words });
});
