import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openArchive } from '#adapters/media/archive/open.ts';
import { openDiskBlobs } from '#adapters/node/disk-blob-store.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { licences } from '#ui/settings/licences.ts';
import { OURS, OWN, RESULT } from '../../../scripts/lib/packed-build.ts';
import { givenBy, readAll } from '../../fixtures/archive.ts';
import { flac, text } from '../../fixtures/heads.ts';
import { rar4Of, rar5Of, SEVEN_ZIP, sevenZipOf, type PackedFile } from '../../fixtures/packed.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { joined } from '../../fixtures/zip.ts';

const limits = archiveLimits(DEFAULT_SETTINGS);
const one = { name: 'one.txt', data: text('the first one') };
const two = { name: 'cd/two.txt', data: text('the second one '.repeat(50)) };
const both = [
  ['one.txt', 'the first one'],
  ['cd/two.txt', 'the second one '.repeat(50)],
];
const [first, second] = both;

/** By its ending, what makes it of files. */
const MAKERS: readonly (readonly [name: string, make: (files: readonly PackedFile[]) => Uint8Array<ArrayBuffer>])[] = [
  ['a.7z', sevenZipOf],
  ['b.rar', rar5Of],
  ['old.rar', rar4Of],
];

describe('STAGE-112 a 7z and a RAR are read entry by entry, as a ZIP is', () => {
  test.each(MAKERS)('%s: its files in their order, and again, from any place on', async (name, make) => {
    const bytes = make([one, two, { name: 'sub/é東.txt', data: text('content') }]);
    expect(await givenBy(bytes, { name })).toEqual([...both, ['sub/é東.txt', 'content']]);
    const opened = await openArchive(new Blob([bytes]), { name, limits });
    const read = async (at: number): Promise<string> => {
      const item = opened.items[at];
      return item?.ok ? new TextDecoder().decode(await readAll(item.chunks())) : 'refused';
    };
    expect([await read(2), await read(0), await read(1), await read(1)]).toEqual([
      'content',
      'the first one',
      second?.[1],
      second?.[1],
    ]);
    await opened.close();
  });

  test('what 7-Zip writes: all packed together, with PPMd, names beyond ASCII, and an empty file', async () => {
    expect(await givenBy(SEVEN_ZIP.solid, { name: 'a.7z' })).toEqual([
      ['empty.txt', ''],
      second,
      first,
      ['é東.txt', 'content'],
    ]);
    expect(await givenBy(SEVEN_ZIP.ppmd, { name: 'a.7z' })).toEqual([second, first]);
    const opened = await openArchive(new Blob([SEVEN_ZIP.solid]), { name: 'a.7z', limits });
    const last = opened.items[3];
    // What is packed before it is passed over.
    expect(last?.ok === true && new TextDecoder().decode(await readAll(last.chunks()))).toBe('content');
    await opened.close();
  });

  test('names of an old RAR that says nothing of their encoding', async () => {
    const name = Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0x2e, 0x74, 0x78, 0x74]);
    expect(await givenBy(rar4Of([{ name, data: text('x') }]), { name: 'a.rar' })).toEqual([['Привет мир.txt', 'x']]);
  });

  test.each(MAKERS)(
    'STAGE-42 %s in a drop: jobs in a folder of its name, links and ways out refused alone',
    async (name, make) => {
      const bench = new StageBench();
      const files = [
        { name: '1.flac', data: flac(1) },
        { name: '../../x', data: flac(2) },
        { name: 'C:\\2.flac', data: flac(3) },
        { name: '1.flac', data: flac(4) },
      ];
      const batch = await bench.drop([dropped(name, make(files))]);
      const stem = name.replace(/\..*/, '');
      expect(await bench.rows(batch.id)).toEqual([
        `${stem}/1 (2).flac: PENDING queued`,
        `${stem}/1.flac: PENDING queued`,
        `${stem}/2.flac: PENDING queued`,
        `${stem}/x: archive_unsafe_name: "../../x" in "${name}" was refused: its name points out of the archive ("..").`,
      ]);
      expect(batch).toMatchObject({ state: 'staged', total: 4, taken: 4, label: stem });
      // The archive's own copy is gone.
      expect((await bench.storedHashes()).size).toBe(3);
    },
  );

  test.each(MAKERS.slice(0, 2))('%s: a link is refused', async (name, make) => {
    expect(await givenBy(make([{ ...one, data: text(''), link: '/etc/passwd' }, two]), { name })).toEqual([
      ['one.txt', `archive_unsafe_name: "one.txt" in "${name}" was refused: it is a link to another file.`],
      second,
    ]);
  });

  test('ARCH-7 one in a ZIP in a 7z is too deep, and a 7z in a RAR is not', async () => {
    const bench = new StageBench();
    const inner = sevenZipOf([{ name: '1.flac', data: flac(1) }]);
    const middle = rar5Of([{ name: 'in.7z', data: inner }]);
    const batch = await bench.drop([
      dropped('a.rar', middle),
      dropped('b.7z', sevenZipOf([{ name: 'c.rar', data: middle }])),
    ]);
    expect(await bench.rows(batch.id)).toEqual([
      'a/in/1.flac: PENDING queued',
      'b/c/in.7z: archive_limit: "in.7z" makes 3 archives in one another; the limit is 2 (Settings, Archives).',
    ]);
  });
});

describe('STAGE-113 the limits of ARCH-4 hold for a 7z and a RAR', () => {
  test.each(MAKERS)('%s: files, bytes of one and of all, expansion', async (name, make) => {
    const bytes = make([one, two]);
    const given = (strict: Partial<typeof limits>) => givenBy(bytes, { name, limits: { ...limits, ...strict } });
    expect(await given({ maxEntries: 1 })).toMatch(/^archive_limit: .* has too many files: more than 1/);
    expect(await given({ maxArchiveBytes: 700 })).toMatch(/^archive_limit: .* would expand to 763 bytes/);
    expect(await given({ maxEntryBytes: 100 })).toEqual([
      first,
      ['cd/two.txt', expect.stringMatching(/^archive_limit: .* the limit for one file is 100 bytes/)],
    ]);
    expect(await given({ maxRatio: 0.5, ratioFromBytes: 700 })).toEqual([
      first,
      ['cd/two.txt', expect.stringMatching(/^archive_limit: .* this is how archive bombs look/)],
    ]);
  });

  test('a 7z of zeros is stopped while it expands, where it lies about its size', async () => {
    const lying = { name: 'zeros', data: new Uint8Array(1000), dictionary: 10, size: 10 };
    expect(await givenBy(sevenZipOf([lying, one]), { name: 'a.7z' })).toEqual([
      ['zeros', expect.stringMatching(/^archive_(corrupt|entry_crc): "zeros" in "a.7z"/)],
      first,
    ]);
  });

  test('a dictionary beyond the memory that is given is refused in words, and the other files are read', async () => {
    expect(await givenBy(sevenZipOf([{ ...two, dictionary: 40 }, one]), { name: 'a.7z' })).toEqual([
      [
        'cd/two.txt',
        'archive_unsupported: "two.txt" in "a.7z" wants more memory to be unpacked than is given here (512 MB).',
      ],
      first,
    ]);
    expect(await givenBy(sevenZipOf([{ ...two, dictionary: 24 }]), { name: 'a.7z' })).toEqual([second]);
  });

  test('cancelled between two pieces', async () => {
    const large = { name: 'large', data: new Uint8Array(3_000_000).map((_, i) => i % 251) };
    const opened = await openArchive(new Blob([sevenZipOf([large])]), { name: 'a.7z', limits });
    const [item] = opened.items;
    const cancel = { aborted: false };
    const read = async (): Promise<void> => {
      if (item?.ok) for await (const piece of item.chunks(cancel)) cancel.aborted = piece.length > 0;
    };
    await expect(read()).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await opened.close();
  });
});

describe('STAGE-114 what cannot be opened of a 7z or RAR is said, with what opens it, and the rest is read', () => {
  const locked = 'is protected by a password, which in a 7z or RAR cannot be opened here.';
  const split = 'is one part of an archive in several files, which cannot be put together here.';
  const cases: [what: string, name: string, bytes: Uint8Array<ArrayBuffer>, expected: unknown][] = [
    ['a password', 'a.7z', SEVEN_ZIP.locked, [['one.txt', `archive_unsupported: "one.txt" in "a.7z" ${locked}`]]],
    ['a protected list', 'a.7z', SEVEN_ZIP.lockedList, `archive_unsupported: "a.7z" ${locked}`],
    [
      'one of two protected',
      'a.7z',
      sevenZipOf([{ ...one, encrypted: true }, two]),
      [['one.txt', `archive_unsupported: "one.txt" in "a.7z" ${locked}`], second],
    ],
    [
      'one of two protected',
      'a.rar',
      rar5Of([{ ...one, encrypted: true }, two]),
      [['one.txt', `archive_unsupported: "one.txt" in "a.rar" ${locked}`], second],
    ],
    [
      'one of two protected',
      'old.rar',
      rar4Of([{ ...one, encrypted: true }, two]),
      [['one.txt', `archive_unsupported: "one.txt" in "old.rar" ${locked}`], second],
    ],
    ['a protected list', 'old.rar', rar4Of([one], { archive: 0x80 }), `archive_unsupported: "old.rar" ${locked}`],
    ['one part of many', 'a.part1.rar', rar5Of([one], { archive: 1 }), `archive_unsupported: "a.part1.rar" ${split}`],
    ['one part of many', 'old.rar', rar4Of([one], { archive: 1 }), `archive_unsupported: "old.rar" ${split}`],
    ['one part of many', 'a.7z.001', sevenZipOf([one]).slice(0, 40), `archive_unsupported: "a.7z.001" ${split}`],
    [
      'another method',
      'a.7z',
      SEVEN_ZIP.bzip2,
      ['two.txt', 'one.txt'].map((name) => [
        name === 'two.txt' ? 'cd/two.txt' : name,
        `archive_unsupported: "${name}" in "a.7z" is packed with a method that cannot be read here.`,
      ]),
    ],
    [
      'a solid RAR of version 4',
      'old.rar',
      rar4Of([one, two], { archive: 8 }),
      [
        first,
        [
          'old.rar',
          'archive_unsupported: "old.rar" is a solid RAR of version 4 or older, whose files cannot be read here: what comes behind its 1 files that were found is missing.',
        ],
      ],
    ],
  ];
  test.each(cases)('%s: %s', async (_, name, bytes, expected) => {
    expect(await givenBy(bytes, { name })).toEqual(expected);
  });

  test('the row says what to unpack it with', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([dropped('a.7z', SEVEN_ZIP.lockedList), dropped('b.flac', flac(1))]);
    const [failed, good] = await bench.jobs(batch.id);
    expect(failed?.failure?.remedy).toBe(
      'Unpack it with a program for such archives (7-Zip, The Unarchiver, unar), then drop the files or a ZIP of them.',
    );
    expect(good?.status).toBe('PENDING');
  });
});

describe('STAGE-115 damage in a 7z or RAR loses what it touches and no more', () => {
  test.each(MAKERS)('%s: a wrong checksum', async (name, make) => {
    expect(await givenBy(make([{ ...one, crc: 1 }, two]), { name })).toEqual([
      ['one.txt', `archive_entry_crc: "one.txt" in "${name}" is damaged: its checksum is wrong.`],
      second,
    ]);
  });

  test('what is packed behind damage is named, too, and what is not packed with it is read', async () => {
    const damaged = SEVEN_ZIP.solid.slice();
    damaged.fill(0xff, 40, 60);
    const lost = (name: string, why: string) => [name, expect.stringMatching(`^archive_entry_crc: .* ${why}`)];
    expect(await givenBy(damaged, { name: 'a.7z' })).toEqual([
      ['empty.txt', ''],
      lost('cd/two.txt', 'is damaged: its packed data is broken'),
      lost('one.txt', 'cannot be reached: a file before it, packed together with it, is damaged'),
      lost('é東.txt', 'cannot be reached: a file before it, packed together with it, is damaged'),
    ]);
  });

  test('cut off: a 7z has its list at its end, a RAR gives what comes before', async () => {
    const cut = 'is cut off: its end is missing';
    expect(await givenBy(sevenZipOf([one, two]).slice(0, 500), { name: 'a.7z' })).toBe(
      `archive_truncated: "a.7z" ${cut}.`,
    );
    for (const [name, make] of MAKERS.slice(1))
      expect(await givenBy(make([one, two]).slice(0, 300), { name })).toEqual([
        first,
        ['cd/two.txt', expect.stringMatching(/^archive_(truncated|entry_crc|corrupt): "two.txt"/)],
        [name, expect.stringMatching(/^archive_truncated: .* is cut off/)],
      ]);
  });

  test.each(MAKERS)('%s: broken anywhere, it ends in words', async (name, make) => {
    const whole = make([one, two]);
    for (let at = 7; at < whole.length; at += 3) {
      const broken = whole.slice();
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      const given = await givenBy(broken, { name });
      const words = typeof given === 'string' ? [given] : given.map(([, content]) => content);
      for (const said of words) expect(said).not.toMatch(/not in our words|internal/);
    }
  });
});

test('STAGE-116 the headless worker reads a 7z from its disk piece by piece, and not as a whole', async () => {
  await using folder = await temporaryFolder();
  const blobs = await openDiskBlobs(join(folder.base, 'blobs'));
  const noise = new Uint8Array(20_000_000).map((_, i) => (i * 2_654_435_761) >>> 13);
  const bytes = sevenZipOf([{ name: 'noise', data: noise, dictionary: 20 }, one]);
  const kept = await blobs.keep(
    (async function* () {
      yield bytes;
    })(),
  );
  const file = await blobs.file(kept.sha256);
  file.arrayBuffer = () => Promise.reject(new Error('it was read as a whole'));
  const opened = await openArchive(file, { name: 'a.7z', limits });
  const [large, small] = opened.items;
  if (!large?.ok || !small?.ok) throw new Error('refused');
  const hash = createHash('sha256');
  for await (const piece of large.chunks()) {
    expect(piece.length).toBeLessThanOrEqual(1024 ** 2);
    hash.update(piece);
  }
  expect(hash.digest('hex')).toBe(createHash('sha256').update(noise).digest('hex'));
  await opened.close();
  // Removed under its hands.
  const again = await openArchive(file, { name: 'a.7z', limits });
  await again.close();
  await rm(join(folder.base, 'blobs', kept.sha256));
  await expect(openArchive(file, { name: 'a.7z', limits })).rejects.toMatchObject({
    failure: { code: 'file_unreadable' },
  });
});

describe('STAGE-117 packed.wasm is what the build script names', () => {
  const read = (path: string): Buffer => readFileSync(new URL(`../../../${path}`, import.meta.url));
  const room = 'src/adapters/media/archive/packed';
  test.each([
    ['packed.wasm', ['packed.wasm'], RESULT],
    ['our sources', OWN, OURS],
  ])('%s', (_, names, sha256) => {
    const bytes = joined(names.map((name) => read(`${room}/${name}`)));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  });

  test('the words that its parts ask for come with the app', () => {
    const notice = read('docs/PACKED_NOTICES.txt').toString();
    expect(licences).toContain(notice.trim());
    for (const part of [
      'Tim Kientzle',
      'Andres Mejia',
      'Grzegorz Antoniak',
      'Igor Pavlov',
      'Samuel Neves',
      'Rich Felker',
    ])
      expect(notice).toContain(part);
  });
});
