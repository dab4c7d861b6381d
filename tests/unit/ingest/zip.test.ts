import { BlobReader, BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import type { ArchiveOptions } from '#core/ingest/archive.types.ts';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { AccessionError, type Failure } from '#core/errors.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { text } from '../../fixtures/heads.ts';
import { joined, zipOf } from '../../fixtures/zip.ts';

const limits = archiveLimits(DEFAULT_SETTINGS);
const options: ArchiveOptions = { name: 'a.zip', limits };
const open = (bytes: Uint8Array<ArrayBuffer>, extra: Partial<ArchiveOptions> = {}) =>
  openArchive(new Blob([bytes]), { ...options, ...extra });

async function failureOf(act: Promise<unknown>): Promise<Failure> {
  const error: unknown = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AccessionError) return error.failure;
  throw new Error(`expected a failure, got ${String(error)}`);
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return joined(parts);
}

/** Every item as `path -> text` or `path -> code: message`. */
async function contentsOf(
  bytes: Uint8Array<ArrayBuffer>,
  extra: Partial<ArchiveOptions> = {},
): Promise<[string, string][]> {
  const opened = await open(bytes, extra);
  const out: [string, string][] = [];
  for (const item of opened.items) {
    if (!item.ok) out.push([item.path, `${item.failure.code}: ${item.failure.message}`]);
    else {
      const read = readAll(item.chunks()).then(
        (content) => new TextDecoder().decode(content),
        (error: unknown) =>
          error instanceof AccessionError ? `${error.failure.code}: ${error.failure.message}` : String(error),
      );
      out.push([item.path, await read]);
    }
  }
  await opened.close();
  return out;
}

const one = { name: 'one.txt', data: text('the first one') };
const two = { name: 'two.txt', data: text('the second one '.repeat(50)), deflate: true };
const three = { name: 'cd/three.txt', data: text('the third') };
const rest: [string, string][] = [
  ['one.txt', 'the first one'],
  ['cd/three.txt', 'the third'],
];

describe('ARCH-1 an archive is read entry by entry', () => {
  test('stored and deflated entries, folders left out', async () => {
    const folder = { name: 'cd/', data: new Uint8Array(0), unixMode: 0o40755 };
    expect(await contentsOf(zipOf([one, folder, two, three]))).toEqual([
      ['one.txt', 'the first one'],
      ['two.txt', 'the second one '.repeat(50)],
      ['cd/three.txt', 'the third'],
    ]);
  });

  test('a streamed archive (sizes behind the data), ZIP64, and a stub in front', async () => {
    const writer = new ZipWriter(new BlobWriter(), { zip64: true, dataDescriptor: true, useWebWorkers: false });
    await writer.add('a/b.txt', new Uint8ArrayReader(text('streamed')));
    const zip64 = new Uint8Array(await (await writer.close()).arrayBuffer());
    expect(await contentsOf(zip64)).toEqual([['a/b.txt', 'streamed']]);
    expect(await contentsOf(joined([text('#!/bin/sh\nexit\n'), zipOf([one])]))).toEqual([['one.txt', 'the first one']]);
  });

  test('a large entry comes in chunks, not as a whole', async () => {
    const big = new Uint8Array(5_000_000).map((_, i) => (i * i) % 251);
    const opened = await open(zipOf([{ name: 'big', data: big, deflate: true }]));
    const [item] = opened.items;
    let largest = 0;
    let size = 0;
    if (item?.ok) {
      for await (const chunk of item.chunks()) {
        largest = Math.max(largest, chunk.length);
        size += chunk.length;
      }
    }
    expect([size, largest < 1_500_000]).toEqual([5_000_000, true]);
  });

  test('a reader may stop in the middle of an entry and read the next one', async () => {
    const opened = await open(zipOf([{ ...two, data: new Uint8Array(3_000_000) }, one]));
    const [first, second] = opened.items;
    if (!first?.ok || !second?.ok) throw new Error('both can be read');
    for await (const chunk of first.chunks()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await readAll(second.chunks())).toEqual(one.data);
  });

  test('cancelling ends it within an entry', async () => {
    const opened = await open(zipOf([{ name: 'x', data: new Uint8Array(3_000_000) }]));
    const cancel = { aborted: false };
    const [item] = opened.items;
    const reading = (async () => {
      if (!item?.ok) return;
      for await (const chunk of item.chunks(cancel)) cancel.aborted = chunk.length > 0;
    })();
    expect((await failureOf(reading)).code).toBe('cancelled');
  });
});

describe('ARCH-6, ARCH-11 a damaged entry is one failure, the others are read', () => {
  const cases: [name: string, entry: Parameters<typeof zipOf>[0][number], told: string][] = [
    [
      'wrong CRC, stored',
      { name: 'bad', data: text('bad'), crc: 1 },
      'archive_entry_crc: "bad" in "a.zip" is damaged: its checksum is wrong.',
    ],
    [
      'wrong CRC, deflated',
      { ...two, name: 'bad', crc: 1 },
      'archive_entry_crc: "bad" in "a.zip" is damaged: its checksum is wrong.',
    ],
    [
      'more bytes than declared',
      { ...two, name: 'bad', size: 10 },
      'archive_corrupt: "bad" in "a.zip" has another size than the archive says.',
    ],
    [
      'an offset beyond the end',
      { name: 'bad', data: text('bad'), offset: 1_000_000 },
      'archive_corrupt: "bad" in "a.zip" is not where the archive says.',
    ],
    [
      'an offset into other data',
      { name: 'bad', data: text('bad'), offset: 3 },
      'archive_corrupt: "bad" in "a.zip" is not where the archive says.',
    ],
    [
      'a password',
      { name: 'bad', data: text('bad'), flags: 1 },
      'archive_encrypted: "bad" in "a.zip" needs a password.',
    ],
    [
      'an unknown method',
      { name: 'bad', data: text('bad'), method: 98 },
      'archive_unsupported: "bad" in "a.zip" is packed with a method that cannot be read here.',
    ],
    [
      'a link',
      { name: 'bad', data: text('/etc/passwd'), unixMode: 0o120777 },
      'archive_unsafe_name: "bad" in "a.zip" was refused: it is a link to another file.',
    ],
  ];
  test.each(cases)('%s', async (_, entry, told) => {
    expect(await contentsOf(zipOf([one, entry, three]))).toEqual([rest[0], ['bad', told], rest[1]]);
  });

  test('packed data that is broken', async () => {
    const told = await contentsOf(
      zipOf([one, { name: 'bad', data: new Uint8Array(100).fill(0xff), method: 8 }, three]),
    );
    // Engines differ in which of the two they notice first.
    expect(told[1]?.[1]).toMatch(
      /^archive_entry_crc: "bad" in "a.zip" is damaged: its (packed data is broken|checksum is wrong)\.$/,
    );
    expect([told[0], told[2]]).toEqual(rest);
  });

  test('fewer bytes than declared', async () => {
    const told = await contentsOf(zipOf([one, { ...two, name: 'bad', size: 5000 }, three]));
    expect(told[1]?.[1]).toMatch(/^archive_(entry_crc|corrupt): "bad" in "a.zip" /);
    expect([told[0], told[2]]).toEqual(rest);
  });

  test('two entries over the same data: the second is refused', async () => {
    const told = await contentsOf(zipOf([one, { ...one, name: 'again.txt', offset: 0 }, three]));
    expect(told).toEqual([
      rest[0],
      [
        'again.txt',
        'archive_corrupt: "again.txt" in "a.zip" shares its data with another entry, which no honest archive does.',
      ],
      rest[1],
    ]);
  });

  test('a real password', async () => {
    const writer = new ZipWriter(new BlobWriter(), { password: 'secret', useWebWorkers: false });
    await writer.add('locked.mp3', new Uint8ArrayReader(text('x')));
    const bytes = new Uint8Array(await (await writer.close()).arrayBuffer());
    expect(await contentsOf(bytes)).toEqual([
      ['locked.mp3', 'archive_encrypted: "locked.mp3" in "a.zip" needs a password.'],
    ]);
  });
});

describe('ARCH-6 an archive that cannot be listed is one failure', () => {
  const whole = zipOf([one, two, three]);

  test('cut anywhere, it is cut off and said so, never an empty or smaller archive', async () => {
    for (let length = 30; length < whole.length; length += 7) {
      const told = await failureOf(open(whole.slice(0, length)));
      expect([length, told.code, told.subject]).toEqual([length, 'archive_truncated', 'a.zip']);
    }
    expect((await failureOf(open(whole.slice(0, 200)))).message).toBe(
      '"a.zip" is cut off: its end, where a ZIP lists its files, is missing.',
    );
  });

  test('ARCH-15 cut behind a ZIP stored inside it: the inner list is not taken for the outer one', async () => {
    const outer = zipOf([one, { name: 'inner.zip', data: zipOf([two]) }, three]);
    const inner = zipOf([one, { name: 'inner.zip', data: zipOf([two]) }]);
    // Everything up to the third entry; what follows the inner archive there is the outer list.
    const listAt = inner.length - 22 - (46 + 'one.txt'.length) - (46 + 'inner.zip'.length);
    expect((await failureOf(open(outer.slice(0, listAt)))).code).toBe('archive_truncated');
  });

  test('a middle that is missing: what is still there is read, the rest is told', async () => {
    const told = await contentsOf(joined([whole.slice(0, 60), whole.slice(90)]));
    expect(told.map(([path]) => path)).toEqual(['one.txt', 'two.txt', 'cd/three.txt']);
    for (const [path, content] of told)
      if (!content.startsWith('archive_')) expect(rest).toContainEqual([path, content]);
    expect(told.filter(([, content]) => content.startsWith('archive_'))).not.toEqual([]);
  });

  test('no ZIP at all, nothing in it', async () => {
    expect((await failureOf(open(text('hello')))).message).toBe('"a.zip" is damaged: it has no list of files.');
    expect(await failureOf(open(zipOf([])))).toMatchObject({
      code: 'archive_empty',
      message: '"a.zip" has no files in it.',
    });
    expect((await failureOf(open(zipOf([{ name: 'd/', data: new Uint8Array(0) }])))).code).toBe('archive_empty');
  });

  test('every byte of its structure may be wrong: it lists or it is a failure with our words', async () => {
    const small = zipOf([one, two]);
    const from = small.length - 22 - 2 * 46 - 14;
    for (let at = from; at < small.length; at++) {
      const bytes = small.slice();
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const told = await contentsOf(bytes).catch((error: unknown) => error);
      if (told instanceof Error)
        expect([at, told instanceof AccessionError && told.failure.code]).toEqual([
          at,
          expect.stringMatching(/^archive_/),
        ]);
      else expect(JSON.stringify(told)).not.toContain('internal');
    }
  });
});

describe('ARCH-3 and ARCH-5 names', () => {
  test('ARCH-12 an unsafe name is refused and named, the others are read', async () => {
    expect(await contentsOf(zipOf([one, { name: '../../x', data: text('out') }, three]))).toEqual([
      rest[0],
      ['x', 'archive_unsafe_name: "../../x" in "a.zip" was refused: its name points out of the archive ("..").'],
      rest[1],
    ]);
  });

  test('absolute, drive and backslash names are repaired, and that is told', async () => {
    const opened = await open(
      zipOf([
        { name: '/a/x.txt', data: text('1') },
        { name: 'C:\\b\\y.txt', data: text('2') },
      ]),
    );
    expect(opened.items.map((item) => [item.path, item.ok && item.repairs])).toEqual([
      ['a/x.txt', ['absolute path']],
      ['b/y.txt', ['backslashes', 'drive letter']],
    ]);
  });

  test('duplicate names are both kept', async () => {
    expect(await contentsOf(zipOf([one, { ...one, data: text('other') }]))).toEqual([
      ['one.txt', 'the first one'],
      ['one (2).txt', 'other'],
    ]);
  });

  test('ARCH-2 UTF-8 with and without its flag, CP437, Shift-JIS', async () => {
    const names = async (...raws: Uint8Array[]): Promise<string[]> =>
      (await open(zipOf(raws.map((name, i) => ({ name, data: text(String(i)) }))))).items.map((item) => item.path);
    expect((await open(zipOf([{ name: 'Rós.mp3', data: text('x') }]))).items[0]?.path).toBe('Rós.mp3');
    expect(await names(text('Rós.mp3'))).toEqual(['Rós.mp3']);
    expect(await names(Uint8Array.from([0x42, 0x6a, 0x94, 0x72, 0x6b]))).toEqual(['Björk']);
    expect(await names(Uint8Array.from([0x93, 0x8c, 0x8b, 0x9e, 0x2f, 0x95, 0x5c]))).toEqual(['東京/表']);
  });
});

describe('ARCH-4 limits hold while it is read', () => {
  const strict = { ...limits, maxEntries: 2, maxEntryBytes: 1000, maxArchiveBytes: 1500 };

  test('entries and declared bytes are looked at before anything is read', async () => {
    expect((await failureOf(open(zipOf([one, two, three]), { limits: strict }))).message).toMatch(
      'has too many files: more than 2',
    );
    const large = { name: 'x', data: new Uint8Array(900), deflate: true };
    expect((await failureOf(open(zipOf([large, { ...large, name: 'y' }]), { limits: strict }))).message).toMatch(
      'would expand to 1.8 kB',
    );
    expect(
      await contentsOf(zipOf([{ name: 'x', data: new Uint8Array(1200), deflate: true }, one]), { limits: strict }),
    ).toEqual([
      [
        'x',
        'archive_limit: "x" in "a.zip" would expand to 1.2 kB; the limit for one file is 1.0 kB (Settings, Archives).',
      ],
      rest[0],
    ]);
  });

  test('a bomb that packs well is refused, a small one is not looked at', async () => {
    const bomb = { name: 'bomb', data: new Uint8Array(70 * 1024 ** 2), deflate: true };
    expect((await contentsOf(zipOf([bomb, one])))[0]?.[1]).toMatch(
      /^archive_limit: "bomb" in "a.zip" expands \d+ times/,
    );
  });

  test('ARCH-7 what a ZIP inside expands to counts for the archive around it; three deep is too deep', async () => {
    const used = { entries: 0, bytes: 0, packed: 1000 };
    await contentsOf(zipOf([one]), { used, limits: strict });
    expect(used).toEqual({ entries: 1, bytes: 13, packed: 1000 });
    used.bytes = 1495;
    expect((await failureOf(open(zipOf([one]), { used, limits: strict, depth: 2 }))).code).toBe('archive_limit');
    expect((await failureOf(open(zipOf([one]), { depth: 3 }))).message).toBe(
      '"a.zip" makes 3 archives in one another; the limit is 2 (Settings, Archives).',
    );
  });
});

test('a file that can no longer be read is told as such', async () => {
  const gone = new Blob([zipOf([one])]);
  const reader = new BlobReader(gone);
  expect(reader.size).toBe(gone.size);
  Object.defineProperty(gone, 'slice', {
    value: () => {
      throw new DOMException('moved', 'NotReadableError');
    },
  });
  expect(await failureOf(openArchive(gone, options))).toMatchObject({
    code: 'file_unreadable',
    message: '"a.zip" could not be read any more.',
  });
});
