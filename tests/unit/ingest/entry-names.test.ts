import { describe, expect, test } from 'vitest';
import { decodeLegacy, decodeTextFile } from '#adapters/media/legacy-text.ts';
import { decodeEntryNames } from '#core/ingest/paths.ts';
import { encodeLegacy } from '../../fixtures/legacy.ts';

/** Accented letters of code page 437, as old archivers wrote them. */
const CP437 = new Map(
  [...'çüéâäàåÇêëèïîìÄÅÉæÆôöòûùÿÖÜ'].map(
    (letter, i) => [letter, i === 0 ? 0x87 : i < 7 ? 0x80 + i : 0x81 + i] as const,
  ),
);
CP437.set('Ç', 0x80).set('ñ', 0xa4).set('ó', 0xa2).set('á', 0xa0).set('í', 0xa1);

function cp437(text: string): Uint8Array {
  return Uint8Array.from([...text], (letter) => CP437.get(letter) ?? letter.charCodeAt(0));
}

/** Shift-JIS of 「残酷な天使のテーゼ.mp3」, 「東京.mp3」, 「あい.mp3」, 「表.mp3」 (its second byte is a backslash). */
const SHIFT_JIS = {
  'sentence.mp3': [
    0x8e, 0x63, 0x8d, 0x93, 0x82, 0xc8, 0x93, 0x56, 0x8e, 0x67, 0x82, 0xcc, 0x83, 0x65, 0x81, 0x5b, 0x83, 0x5b,
  ],
  tokyo: [0x93, 0x8c, 0x8b, 0x9e],
  ai: [0x82, 0xa0, 0x82, 0xa2],
  omote: [0x95, 0x5c],
};

const read = (...raws: Uint8Array[]): string[] =>
  decodeEntryNames(
    raws.map((raw) => ({ raw, unicode: false, fallback: 'as CP437' })),
    decodeLegacy,
  );
const sjis = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, ...new TextEncoder().encode('.mp3')]);

describe('ARCH-2 names that do not say how they are written', () => {
  test('Japanese names are read as Shift-JIS', () => {
    expect(read(sjis(...SHIFT_JIS['sentence.mp3']))).toEqual(['残酷な天使のテーゼ.mp3']);
    expect(read(sjis(...SHIFT_JIS.tokyo))).toEqual(['東京.mp3']);
    expect(read(sjis(...SHIFT_JIS.ai))).toEqual(['あい.mp3']);
  });

  test('STAGE-109 one name of an archive may settle the others: one maker wrote them all', () => {
    expect(read(sjis(...SHIFT_JIS.omote))).toEqual(['as CP437']);
    expect(read(sjis(...SHIFT_JIS.omote), sjis(...SHIFT_JIS.ai))).toEqual(['表.mp3', 'あい.mp3']);
  });

  const western = [
    'Björk.mp3',
    'Café Tacvba.mp3',
    'Motörhead.mp3',
    'Mötley Crüe.mp3',
    'Für Elise.mp3',
    'Beyoncé',
    'Hoppípolla.mp3',
  ];
  test.each([
    ...western,
    'Blåbärsoppa.mp3',
    'Ágætis byrjun.mp3',
    'naïveté.mp3',
    'Sigur Rós.mp3',
    'Señorita.mp3',
    'À la pêche.mp3',
  ])('%s is not taken for Japanese', (name) => expect(read(cp437(name))).toEqual(['as CP437']));
  test('a whole archive of them neither', () => {
    expect(new Set(read(...western.map(cp437)))).toEqual(new Set(['as CP437']));
  });

  test('STAGE-66 Cyrillic names as DOS and Windows wrote them', () => {
    const names = ['Кино/01 Группа крови.mp3', 'Кино/02 Би-2.mp3', 'cover.jpg'];
    for (const encoding of ['ibm866', 'windows-1251', 'koi8-r'])
      expect(read(...names.map((name) => encodeLegacy(name, encoding)))).toEqual([...names.slice(0, 2), 'as CP437']);
  });

  test('names that are Unicode stay, and have no say about the others', () => {
    const names = [
      { raw: new TextEncoder().encode('Rós.mp3'), unicode: true, fallback: 'Rós.mp3' },
      { raw: sjis(...SHIFT_JIS.tokyo), unicode: false, fallback: 'as CP437' },
    ];
    expect(decodeEntryNames(names, decodeLegacy)).toEqual(['Rós.mp3', '東京.mp3']);
  });
});

test('text files are read by their mark, as UTF-8, as Shift-JIS, as Windows-1252', () => {
  expect(decodeTextFile(new TextEncoder().encode('\ufeffTITLE "é"'))).toBe('TITLE "é"');
  expect(decodeTextFile(Uint8Array.from([0xff, 0xfe, 0x41, 0, 0xe9, 0]))).toBe('Aé');
  expect(decodeTextFile(Uint8Array.from([0xfe, 0xff, 0, 0x41]))).toBe('A');
  expect(decodeTextFile(Uint8Array.from([0x54, 0x20, ...SHIFT_JIS.tokyo]))).toBe('T 東京');
  expect(decodeTextFile(Uint8Array.from([0x42, 0x6a, 0xf6, 0x72, 0x6b]))).toBe('Björk');
});
