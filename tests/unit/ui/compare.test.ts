import { describe, expect, it } from 'vitest';
import { offTone, offWord, placeNumber, signed, titlePieces } from '#lanes/music/ui/compare/compare.ts';

const marked = (title: string, own: string | null, likeness?: number): string =>
  titlePieces(title, own, likeness ?? null)
    .map((piece) => (piece.differs ? `[${piece.text}]` : piece.text))
    .join('');

describe('titlePieces', () => {
  it('UI-41 marks the words of the track that the file does not say', () => {
    expect(marked('Her Majesty', 'Hr Majesty')).toBe('[Her] Majesty');
    expect(marked('Angel (Live)', 'angel')).toBe('Angel ([Live])');
  });

  it('UI-41 marks nothing where there is nothing to compare, or the titles say the same', () => {
    expect(marked('Her Majesty', null)).toBe('Her Majesty');
    expect(marked('Her Majesty', '--')).toBe('Her Majesty');
    expect(marked('Café del Mar', 'CAFE DEL MAR')).toBe('Café del Mar');
    expect(marked('Her Majesty', 'hermajesty')).toBe('Her Majesty');
    expect(marked('さくら', 'Sakura', 0.97)).toBe('さくら');
  });

  it('UI-41 lets each word of the file answer one of the track, and keeps the title whole', () => {
    expect(marked('Bye Bye Baby', 'bye baby')).toBe('Bye [Bye] Baby');
    const title = '  A / B -- (c) ';
    expect(
      titlePieces(title, 'x')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(title);
    expect(titlePieces('', 'x')).toEqual([]);
  });

  it('UI-41 compares combining marks with the letter they stand on', () => {
    expect(marked('Cafe\u0301 Noir', 'café')).toBe('Cafe\u0301 [Noir]');
  });
});

describe('lengths, places and weights in words', () => {
  it('UI-42 takes 3 s as a fit and 5 s as near, whichever is longer', () => {
    expect([0, 3, -3, 3.1, -5, 5.1, -60].map(offTone)).toEqual([
      'good',
      'good',
      'good',
      'attention',
      'attention',
      'bad',
      'bad',
    ]);
    expect([0.4, -4, 9].map(offWord)).toEqual(['fits', 'near', 'off']);
  });

  it('names the disc only where there is more than one', () => {
    expect(placeNumber({ disc: 1, position: 7 })).toBe('7');
    expect(placeNumber({ disc: null, position: 7 })).toBe('7');
    expect(placeNumber({ disc: 2, position: 7 })).toBe('2-7');
  });

  it('signs a weight', () => {
    expect([2.14, -0.4, 0.01, -0.01].map(signed)).toEqual(['+2.1', '\u22120.4', '0.0', '0.0']);
  });
});
