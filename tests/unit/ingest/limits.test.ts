import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { describeBytes } from '#core/ingest/file-kinds.ts';
import {
  archiveLimits,
  refuseCount,
  refuseDepth,
  refuseEntry,
  refuseGrowth,
  refuseTotal,
} from '#core/ingest/limits.ts';

const MIB = 1024 ** 2;
const limits = archiveLimits({
  ...DEFAULT_SETTINGS,
  max_entries: 10,
  max_archive_bytes: 1000 * MIB,
  max_entry_bytes: 500 * MIB,
  max_ratio: 100,
  max_archive_depth: 2,
});
const none = { entries: 0, bytes: 0, packed: 1e12 };
const entry = (size: number, packed: number) => ({ name: 'x.wav', size, packed });

describe('ARCH-4 limits', () => {
  test('ARCH-14 of files, ZIPs inside counted with the archive around them', () => {
    expect(refuseCount('a.zip', 10, none, limits)).toBeNull();
    expect(refuseCount('a.zip', 11, none, limits)).toMatchObject({
      code: 'archive_limit',
      message: '"a.zip" has too many files: more than 10 (Settings, Archives).',
    });
    expect(refuseCount('a.zip', 5, { entries: 6, bytes: 0, packed: 1e12 }, limits)?.code).toBe('archive_limit');
  });

  test('ARCH-13 of all bytes, as declared and as counted', () => {
    expect(refuseTotal('a.zip', 1000 * MIB, none, limits)).toBeNull();
    expect(refuseTotal('a.zip', 1001 * MIB, none, limits)?.message).toBe(
      '"a.zip" would expand to 1.0 GB; the limit is 1.0 GB (Settings, Archives).',
    );
    expect(refuseGrowth('a.zip', entry(1, MIB), 1, { entries: 1, bytes: 1001 * MIB, packed: 1e12 }, limits)?.code).toBe(
      'archive_limit',
    );
  });

  test('ARCH-13 of one entry, as declared and as counted', () => {
    expect(refuseEntry('a.zip', entry(500 * MIB, 500 * MIB), limits)).toBeNull();
    expect(refuseEntry('a.zip', entry(501 * MIB, 501 * MIB), limits)?.message).toMatch(
      /"x.wav" in "a.zip" would expand to 525 MB/,
    );
    expect(refuseGrowth('a.zip', entry(1, 500 * MIB), 501 * MIB, none, limits)?.code).toBe('archive_limit');
  });

  test('of the ratio, but only where it matters', () => {
    expect(refuseEntry('a.zip', entry(63 * MIB, 1), limits)).toBeNull();
    expect(refuseEntry('a.zip', entry(64 * MIB, MIB), limits)).toBeNull();
    expect(refuseEntry('a.zip', entry(200 * MIB, MIB), limits)?.message).toBe(
      '"x.wav" in "a.zip" expands 200 times, more than 100 (Settings, Archives): this is how archive bombs look.',
    );
    expect(refuseGrowth('a.zip', entry(1, 100), 65 * MIB, none, limits)?.code).toBe('archive_limit');
  });

  test('of ZIPs in ZIPs', () => {
    expect(refuseDepth('a.zip', 2, limits)).toBeNull();
    expect(refuseDepth('a.zip', 3, { ...limits, maxDepth: 3 })).toBeNull();
    expect(refuseDepth('a.zip', 3, limits)).toMatchObject({
      code: 'archive_limit',
      message: '"a.zip" makes 3 archives in one another; the limit is 2 (Settings, Archives).',
    });
  });
});

test('bytes are said in the units of file managers', () => {
  expect([0, 1, 999, 1000, 8_100_000, 42_000_000, 4_700_000_000].map(describeBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '8.1 MB',
    '42 MB',
    '4.7 GB',
  ]);
});
