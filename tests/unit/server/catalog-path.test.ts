import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogPath, safeName } from '#lanes/music/server/publish/place.ts';

const source = {
  artist: 'Radiohead',
  album: 'OK Computer',
  year: 1997,
  disc: 1,
  position: 2,
  title: 'Paranoid Android',
};

describe('catalogPath', () => {
  test('PLACE-1: reads like the catalog', () => {
    expect(catalogPath(source)).toBe('Radiohead/OK Computer (1997)/1-02 Paranoid Android.ogg');
    expect(catalogPath({ ...source, year: null, disc: 2, position: 103 })).toBe(
      'Radiohead/OK Computer/2-103 Paranoid Android.ogg',
    );
    expect(catalogPath(source, 'tr_1')).toBe('Radiohead/OK Computer (1997)/1-02 Paranoid Android [tr_1].ogg');
    expect(catalogPath({ ...source, artist: 'AC/DC', title: 'What?  "Yes"' })).toBe(
      'AC_DC/OK Computer (1997)/1-02 What_ _Yes_.ogg',
    );
  });

  test.each([
    ['..', '_'],
    ['.', '_'],
    ['...And Justice', '_And Justice'],
    ['R.E.M.', 'R.E.M'],
    ['con', '_con'],
    ['COM1.txt', '_COM1.txt'],
    ['CONSOLE', 'CONSOLE'],
    ['a\u202eb\u0000c', 'a_b_c'],
    ['  x  ', 'x'],
    ['', '_'],
    ['e\u0301', 'é'],
  ])('PLACE-1: the name "%s" becomes "%s"', (text, name) => {
    expect(safeName(text)).toBe(name);
  });

  test('PLACE-1: whatever the catalog says, there are three harmless names of bearable length', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('.', '/', '\\', ' ', '𝄞', 'é', ':', '\0') }),
    );
    fc.assert(
      fc.property(text, text, text, fc.option(text), (artist, album, title, suffix) => {
        const parts = catalogPath({ ...source, artist, album, title }, suffix).split('/');
        expect(parts).toHaveLength(3);
        for (const part of parts) {
          expect(part).not.toMatch(/^\.|[. ]$|[<>:"\\|?*]|\p{Cc}|^$/u);
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(250);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(parts[2]).toMatch(/^1-02.*\.ogg$/u);
      }),
    );
  });
});
