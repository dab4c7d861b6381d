/** Texts of an index, decoded run by run. */
import { expect, test } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '#core/utf8.ts';

test('LIBRARY-141 a text is read back as it was written, however long a run of plain letters is', () => {
  const long = 'a'.repeat(4_095);
  for (const text of [
    '',
    'a',
    long,
    `${long}é`,
    `${long}a€`,
    `${long}${long}🜚${long}`,
    'ü'.repeat(5_000),
    '\0\u007f\u0080',
  ])
    expect(decodeUtf8(encodeUtf8(text)) === text, text.slice(0, 20)).toBe(true);
});

test('LIBRARY-141 what is not well-formed is a replacement, as the platform reads it, and what follows stays', () => {
  const decoder = new TextDecoder();
  for (const bytes of [
    [0x61, 0xc3],
    [0xff, 0x61],
    [0xe2, 0x82, 0x61],
    [0xf0, 0x9f, 0x9c, 0x9a, 0x80, 0x62],
    [0xed, 0xa0, 0x80],
  ])
    expect(decodeUtf8(new Uint8Array(bytes)).replace(/\ufffd+/g, '?')).toBe(
      decoder.decode(new Uint8Array(bytes)).replace(/\ufffd+/g, '?'),
    );
});
