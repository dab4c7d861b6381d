import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilityOf } from '#core/ingest/ingester.ts';
import { baseName, extensionOf, labelOfUnsafe, safePath, uniquePaths, withoutArchive } from '#core/ingest/paths.ts';

describe('ARCH-3 names from outside are repaired or refused one by one', () => {
  const repaired: [raw: string, path: string, repairs: string[]][] = [
    ['a/b.mp3', 'a/b.mp3', []],
    ['a\\b.mp3', 'a/b.mp3', ['backslashes']],
    ['./a//b.mp3', 'a/b.mp3', []],
    ['/etc/a.mp3', 'etc/a.mp3', ['absolute path']],
    ['C:\\Music\\a.mp3', 'Music/a.mp3', ['backslashes', 'drive letter']],
    ['\\\\server\\share\\a.mp3', 'server/share/a.mp3', ['backslashes', 'absolute path']],
    ['\\\\?\\C:\\a.mp3', 'a.mp3', ['backslashes', 'drive letter']],
    ['a\u0000b\r\n.mp3', 'ab.mp3', ['control characters']],
    ['\u202e3pm.a.exe', '3pm.a.exe', ['control characters']],
    ['Bjo\u0308rk/a.mp3', 'Bj\u00f6rk/a.mp3', []],
    ['a\ud800b.mp3', 'a\ufffdb.mp3', ['broken characters']],
    ['music/aux.mp3', 'music/_aux.mp3', ['reserved name']],
    ['Con Te Partiro.mp3', 'Con Te Partiro.mp3', []],
    ['...And Justice for All/..a.mp3', '...And Justice for All/..a.mp3', []],
    ['./C:/x.mp3', 'x.mp3', ['drive letter']],
    [' /D:x.mp3', 'x.mp3', ['drive letter']],
  ];
  for (const [raw, path, repairs] of repaired) {
    test(`${JSON.stringify(raw)} becomes ${path}`, () => expect(safePath(raw)).toEqual({ ok: true, path, repairs }));
  }

  const refused: [raw: string, reason: RegExp][] = [
    ['../../x', /points out of the archive/],
    ['a/../../x', /points out of the archive/],
    ['..\\x', /points out of the archive/],
    ['a/ .. /x', /points out of the archive/],
    ['', /empty/],
    ['///', /empty/],
    ['\u0001', /empty/],
    [`${'x'.repeat(300)}.mp3`, /longer than 255/],
    ['abc/'.repeat(300) + 'x', /longer than 1024/],
  ];
  for (const [raw, reason] of refused) {
    test(`ARCH-12 ${JSON.stringify(raw.slice(0, 20))} is refused`, () => {
      const made = safePath(raw);
      expect(made.ok ? made.path : made.reason).toMatch(reason);
    });
  }

  test('no name leads out of the batch, and a safe name is safe already', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'C:',
      '\\',
      '/',
      '\u0000',
      '\u202e',
      'con',
      'é',
      ' ',
      '~',
      'x.mp3',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(part, fc.string({ unit: 'grapheme' })), { maxLength: 8 }),
        fc.constantFrom('/', '\\', ''),
        (parts, joint) => {
          const made = safePath(parts.join(joint));
          if (!made.ok) return;
          const inner = made.path.split('/');
          expect(inner.every((one) => one.trim() !== '' && one.trim() !== '.' && one.trim() !== '..')).toBe(true);
          expect(made.path).not.toMatch(/\\/);
          expect(safePath(made.path)).toEqual({ ok: true, path: made.path, repairs: [] });
        },
      ),
    );
  });
});

test('ARCH-5 equal names are told apart, each time in the same way', () => {
  const list = ['a/x.mp3', 'a/x.mp3', 'b/x.mp3', 'a/x.mp3', 'a/x (2).mp3', '.nfo', '.nfo'];
  const expected = ['a/x.mp3', 'a/x (2).mp3', 'b/x.mp3', 'a/x (3).mp3', 'a/x (2) (2).mp3', '.nfo', '.nfo (2)'];
  expect(list.map(uniquePaths())).toEqual(expected);
  expect(list.map(uniquePaths())).toEqual(expected);
});

test('parts of a name', () => {
  expect(baseName('a/b.mp3')).toBe('b.mp3');
  expect(['a/B.MP3', 'README', '.nfo', 'a.tar.gz', 'x.'].map(extensionOf)).toEqual(['mp3', '', '', 'gz', '']);
  expect(['x/album.ZIP', 'album.rar', '.zip'].map(withoutArchive)).toEqual(['x/album', 'album', '.zip']);
  expect(['../../x', '..', 'a\\..\\b\u0000.mp3'].map(labelOfUnsafe)).toEqual(['x', 'unnamed', 'b.mp3']);
});

test('files that systems leave behind want a capability of their own', () => {
  const names = ['a/Thumbs.db', 'desktop.ini', '.DS_Store', '__MACOSX/album/x.mp3', 'a/._x.mp3', 'a/x.mp3', 'README'];
  const system = 'ingest:os-metadata';
  expect(names.map(capabilityOf)).toEqual([system, system, system, system, system, 'ingest:mp3', 'ingest:']);
});
