import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { givenBy } from '../../fixtures/archive.ts';
import { flac, text } from '../../fixtures/heads.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { gzip, pax, tarOf } from '../../fixtures/tar.ts';
import { zipOf } from '../../fixtures/zip.ts';

const limits = archiveLimits(DEFAULT_SETTINGS);
const one = { name: 'one.txt', data: text('the first one') };
const two = { name: 'cd/two.txt', data: text('the second one '.repeat(50)) };
const both = [
  ['one.txt', 'the first one'],
  ['cd/two.txt', 'the second one '.repeat(50)],
];
const given = (bytes: Uint8Array<ArrayBuffer>, name = 'a.tar') => givenBy(bytes, { name });

describe('ARCH-8 a TAR is read as slices of itself', () => {
  test('files in their order, folders left out, in ustar, pax and GNU form', async () => {
    expect(await given(tarOf([one, { name: 'cd/', type: '5' }, two]))).toEqual(both);
    const long = `${'x'.repeat(120)}/東京.txt`;
    expect(await given(tarOf([pax({ path: long }), { ...one, name: 'short' }, two]))).toEqual([
      [long, 'the first one'],
      both[1],
    ]);
    const gnu = { name: '././@LongLink', type: 'L', data: text(`${long}\0`) };
    expect(await given(tarOf([gnu, { ...one, name: 'short' }, two]))).toEqual([[long, 'the first one'], both[1]]);
    expect(await given(tarOf([{ ...one, prefix: 'a/b' }]))).toEqual([['a/b/one.txt', 'the first one']]);
  });

  test('what the tar of this machine writes, in each of its forms', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'accession-tar-'));
    try {
      writeFileSync(join(folder, 'é.txt'), 'content');
      for (const format of ['ustar', 'pax', 'gnu']) {
        execFileSync('tar', ['-C', folder, `--format=${format}`, '--exclude=*.tar', '-cf', join(folder, 'x.tar'), '.']);
        expect(await given(new Uint8Array(readFileSync(join(folder, 'x.tar'))))).toEqual([['é.txt', 'content']]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const bad: [string, Uint8Array<ArrayBuffer>, unknown][] = [
    [
      'a way out',
      tarOf([one, { ...two, name: '../../x' }]),
      [
        both[0],
        ['x', 'archive_unsafe_name: "../../x" in "a.tar" was refused: its name points out of the archive ("..").'],
      ],
    ],
    [
      'a link',
      tarOf([{ name: 'l', type: '2', size: 99 }, one]),
      [['l', 'archive_unsafe_name: "l" in "a.tar" was refused: it is a link to another file.'], both[0]],
    ],
    [
      'a device',
      tarOf([{ name: 'd', type: '3' }, one]),
      [['d', 'archive_unsafe_name: "d" in "a.tar" was refused: it is a device, not a file.'], both[0]],
    ],
    [
      'a file with holes',
      tarOf([{ ...two, name: 's', type: 'S' }, one]),
      [['s', 'archive_unsupported: "s" in "a.tar" is stored with holes, which cannot be read here.'], both[0]],
    ],
    [
      'no end mark',
      tarOf([one], { end: false }),
      [
        both[0],
        [
          'a.tar',
          'archive_truncated: "a.tar" is cut off: its end mark is missing: what came behind its 1 files that were found is missing.',
        ],
      ],
    ],
    [
      'cut within a file',
      tarOf([one, two]).slice(0, 1700),
      [
        both[0],
        ['cd/two.txt', 'archive_truncated: "two.txt" in "a.tar" is cut off by the end of the archive.'],
        ['a.tar', expect.stringMatching(/^archive_truncated: "a.tar" is cut off/)],
      ],
    ],
    [
      'a size beyond the end',
      tarOf([{ ...one, size: 8 ** 10 }]),
      [
        ['one.txt', 'archive_truncated: "one.txt" in "a.tar" is cut off by the end of the archive.'],
        ['a.tar', expect.stringMatching(/cut off/)],
      ],
    ],
    [
      'a wrong checksum',
      tarOf([one, { ...two, checksum: 1 }]),
      [
        both[0],
        [
          'a.tar',
          'archive_truncated: "a.tar" is damaged: a header has a wrong checksum: what came behind its 1 files that were found is missing.',
        ],
      ],
    ],
    [
      'a wrong checksum at once',
      tarOf([{ ...one, checksum: 1 }]),
      'archive_corrupt: "a.tar" is damaged: a header has a wrong checksum.',
    ],
    ['nothing in it', tarOf([{ name: 'd/', type: '5' }]), 'archive_empty: "a.tar" has no files in it.'],
    ['the same name twice', tarOf([one, { ...one, data: text('other') }]), [both[0], ['one (2).txt', 'other']]],
  ];
  test.each(bad)('ARCH-6, ARCH-16 %s', async (_, bytes, expected) => {
    expect(await given(bytes)).toEqual(expected);
  });

  test('ARCH-4 limits hold', async () => {
    const strict = { ...limits, maxEntries: 1, maxArchiveBytes: 600 };
    expect(await givenBy(tarOf([one, two]), { name: 'a.tar', limits: strict })).toMatch(/too many files: more than 1/);
    expect(await givenBy(tarOf([two]), { name: 'a.tar', limits: strict })).toMatch(/would expand to 750 bytes/);
    const headers = Array.from({ length: 100 }, () => pax({ path: 'x' }));
    expect(await givenBy(tarOf(headers), { name: 'a.tar', limits: strict })).toMatch(/too many files/);
  });
});

describe('ARCH-9 a gzip is one file, or a TAR', () => {
  test('its content is counted and checked', async () => {
    expect(await given(gzip(text('the sound')), 'x.wav.gz')).toEqual([['x.wav', 'the sound']]);
    const bytes = gzip(new Uint8Array(5000).map((_, i) => (i * i) % 251));
    const damaged = bytes.slice();
    damaged[bytes.length - 6] = (damaged[bytes.length - 6] ?? 0) ^ 1;
    for (const bad of [damaged, bytes.slice(0, bytes.length - 20)])
      expect(await given(bad, 'x.gz')).toEqual([
        ['x', 'archive_entry_crc: "x" in "x.gz" is damaged or cut off: its packed data or its checksum is wrong.'],
      ]);
    expect(await given(bytes.slice(0, 12), 'x.gz')).toBe('archive_truncated: "x.gz" is cut off: its end is missing.');
  });

  test('ARCH-4 a bomb is stopped while it expands', async () => {
    const bomb = gzip(new Uint8Array(80 * 1024 ** 2));
    expect(await given(bomb, 'x.gz')).toEqual([
      ['x', expect.stringMatching(/^archive_limit: "x" in "x.gz" expands \d+ times/)],
    ]);
  });

  test('STAGE-42 .tar.gz, .tgz, .gz of one file, and a ZIP in a .tar.gz; loose files of the same names beside them', async () => {
    const bench = new StageBench();
    const album = tarOf([
      { name: '1.flac', data: flac(1) },
      { name: 'in.zip', data: zipOf([{ name: '2.flac', data: flac(2) }]) },
    ]);
    const batch = await bench.drop([
      dropped('album.tar.gz', gzip(album)),
      dropped('album.tgz', gzip(tarOf([{ name: '3.flac', data: flac(3) }]))),
      dropped('song.flac.gz', gzip(flac(4))),
      dropped('song.flac', flac(5)),
      dropped('album.tar', tarOf([{ name: '6.flac', data: flac(6) }])),
    ]);
    expect(await bench.rows(batch.id)).toEqual(
      ['album (2)/3.flac', 'album (3)/6.flac', 'album/1.flac', 'album/in/2.flac', 'song (2).flac', 'song.flac'].map(
        (path) => `${path}: PENDING queued`,
      ),
    );
    expect(batch).toMatchObject({ state: 'staged', total: 6, taken: 6, notice: null });
    expect((await bench.storedHashes()).size).toBe(6);
    const [job] = (await bench.jobs(batch.id)).slice(4);
    expect(job).toMatchObject({ original_filename: 'song (2).flac', file_size_bytes: flac(4).length });
  });

  test('ARCH-7 three archives deep is too deep, .tar.gz counting as one', async () => {
    const bench = new StageBench();
    const deep = zipOf([{ name: 'in.zip', data: zipOf([{ name: 'x.flac', data: flac(1) }]) }]);
    const batch = await bench.drop([dropped('a.tar.gz', gzip(tarOf([{ name: 'b.zip', data: deep }])))]);
    expect(await bench.rows(batch.id)).toEqual([
      'a/b/in.zip: archive_limit: "in.zip" makes 3 archives in one another; the limit is 2 (Settings, Archives).',
    ]);
  });
});
