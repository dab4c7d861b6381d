import { expect, test } from 'vitest';
import fc from 'fast-check';
import { Zone } from '#lanes/guide/core/times/local-time.ts';
import { readTime } from '#lanes/guide/core/times/read-time.ts';

const said = (raw: string, zone: string | null = null): string => {
  const { instant, code } = readTime(raw, zone === null ? null : new Zone(zone));
  return `${instant === null ? 'none' : new Date(instant).toISOString().slice(0, 19)} ${code ?? 'well'}`;
};

test.each([
  ['20240229235959 +0000', '2024-02-29T23:59:59 well'],
  ['20230229000000 +0000', 'none bad'],
  ['202401011200+0530', '2024-01-01T06:30:00 well'],
  ['20240101120000  -0930', '2024-01-01T21:30:00 well'],
  ['19700101000000 Z', '1970-01-01T00:00:00 well'],
  ['21010101000000 Z', 'none bad'],
  ['20240101246000 Z', 'none bad'],
  ['2024010112 +0000', 'none bad'],
  ['2024-01-01T12:00:00Z', 'none bad'],
  ['202401011200000 +0000', 'none bad'],
  ['20240001120000 +0000', 'none bad'],
  ['20240100120000 +0000', 'none bad'],
  ['tomorrow', 'none bad'],
])('GUIDE-1 %s is %s', (raw, expected) => {
  expect(said(raw)).toBe(expected);
});

test.each([
  ['20240701120000 +1400', '2024-06-30T22:00:00 well'],
  ['20240701120000 +1401', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000 +0160', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000 -03:30', '2024-07-01T15:30:00 invalidtimezone'],
  ['20240701120000 +15:00', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000 WEST', '2024-07-01T11:00:00 well'],
  ['20240701120000EEST', '2024-07-01T09:00:00 well'],
  ['20240701120000 PDT', '2024-07-01T19:00:00 well'],
  ['20240701120000 utc', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000 constructor', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000 Europe/Paris', '2024-07-01T12:00:00 invalidtimezone'],
  ['20240701120000', '2024-07-01T12:00:00 missingtimezone'],
])('GUIDE-2 %s is %s', (raw, expected) => {
  expect(said(raw)).toBe(expected);
});

test.each([
  ['20240701120000', 'Asia/Kathmandu', '2024-07-01T06:15:00 missingtimezone'],
  ['20240701120000 nowhere', 'America/Sao_Paulo', '2024-07-01T15:00:00 invalidtimezone'],
  // Lord Howe Island moves its clocks by half an hour.
  ['20241006021500', 'Australia/Lord_Howe', '2024-10-05T15:45:00 missingtimezone'],
  ['20240407014500', 'Australia/Lord_Howe', '2024-04-06T14:45:00 missingtimezone'],
  // Samoa left out a whole day.
  ['20111230120000', 'Pacific/Apia', '2011-12-30T22:00:00 missingtimezone'],
  // Newfoundland moved its clocks one minute after midnight.
  ['20100314000130', 'America/St_Johns', '2010-03-14T03:31:30 missingtimezone'],
])('GUIDE-3 %s in %s is %s', (raw, zone, expected) => {
  expect(said(raw, zone)).toBe(expected);
});

test('GUIDE-3 what a clock shows is read as the instant it shows it at, or as the first of two', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tehran', 'Africa/Casablanca', 'Pacific/Chatham'];
  const known = new Map(zones.map((name) => [name, new Zone(name)] as const));
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 60 * 366 * 24 * 60 }), (name, minute) => {
      const zone = known.get(name) ?? new Zone(name);
      const instant = minute * 60_000;
      const again = zone.instantOf(zone.wallAt(instant));
      const shown = (at: number): number => at + zone.offsetAt(at);
      expect(again <= instant && shown(again) === shown(instant)).toBe(true);
    }),
    { seed: 23, numRuns: 400 },
  );
});
