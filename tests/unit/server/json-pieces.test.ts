import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePieces, UnreadableJson } from '#server/http/json-pieces.ts';
import { LongText } from '#server/http/long-parts.ts';
import { createTurns } from '#server/turns.ts';

async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield await Promise.resolve(all.subarray(at, at + bytes));
}
const read = (text: string, bytes = 7) => parsePieces(inChunks(text, bytes), createTurns());
const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    return { value: await work() };
  } catch (error) {
    return error instanceof UnreadableJson && error.why !== 'syntax' ? error.why : 'no JSON';
  }
};

describe('API-95 a large body is read in pieces', () => {
  test('API-95 any value is what JSON.parse makes of it, wherever its chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.dictionary(fc.string(), fc.array(fc.jsonValue())).map((value) => JSON.stringify(value)),
        ),
        fc.integer({ min: 1, max: 50 }),
        async (text, bytes) => {
          expect(await read(text, bytes)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('API-95 what is no JSON is none in pieces', async () => {
    const broken = fc
      .json()
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length), fc.constantFrom(',', '[', ']', '{', '}', '"', '\\', '1', ' ', 'x'))
          .map(([at, sign]) => text.slice(0, at) + sign + text.slice(at + 1)),
      );
    await fc.assert(
      fc.asyncProperty(broken, fc.integer({ min: 1, max: 20 }), async (text, bytes) => {
        expect(await outcome(() => read(text, bytes))).toEqual(await outcome(() => JSON.parse(text) as unknown));
      }),

      { numRuns: 600 },
    );
    for (const text of [
      '',
      '{',
      '{"a":[1,]}',
      '{"a":[,1]}',
      '{"a":[1}',
      '{"a":[1]]',
      '{"a":[]}}',
      '[1,]',
      '{"a":[1],}',
    ])
      expect(await outcome(() => read(text)), text).toBe('no JSON');
  });

  const row = (at: number) => ({ id: `tr_${at}`, title: `ö"\\\u0007 ${'x'.repeat(at % 90)}`, list: [at, [at]] });
  const rows = Array.from({ length: 20_000 }, (_, at) => row(at));

  test('API-95 lists and texts of megabytes, with what lies between them', async () => {
    const document = JSON.stringify(rows.slice(0, 8000)) + '\u{1f600}é\\u0041'.repeat(30_000);
    const value = { a: 1, rows, document, nothing: [], 'docu"ment': 'short', __proto: [[]], last: [null] };
    const text = JSON.stringify(value);
    for (const bytes of [1000, 65_536, text.length * 2]) expect(await read(text, bytes)).toEqual(value);
    const escaped = text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    expect(await read(escaped, 65_536)).toEqual(value);
    expect(await read('{"__proto__":[1,2],"rows":[1],"rows":[2,3]}')).toEqual(
      JSON.parse('{"__proto__":[1,2],"rows":[1],"rows":[2,3]}'),
    );
    // A comma too many where a piece ends.
    const list = JSON.stringify(rows);
    const cut = list.indexOf('},{', 140_000) + 1;
    for (const bad of [`${list.slice(0, cut)},${list.slice(cut)}`, `${list.slice(0, -1)},]`])
      expect(await outcome(() => read(`{"rows":${bad}}`, 4096))).toBe('no JSON');
  });

  test('API-106 a long text stays in parts where it is wanted so, however many of its signs are escaped', async () => {
    const document = `"\\ü\u{1f600}\u0001${'\n'.repeat(5)}`.repeat(60_000);
    const text = JSON.stringify({ document, other: document, short: 'a' });
    const escaped = text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')} `);
    for (const [json, like] of [
      [text, document],
      [escaped, (JSON.parse(escaped) as { document: string }).document],
    ] as const) {
      const value = await parsePieces(inChunks(json, 65_536), createTurns(), { texts: ['document', 'short'] });
      expect(value).toMatchObject({ document: expect.any(LongText), other: like, short: 'a' });
      const long = (value as { document: LongText }).document;
      const parts = [...long];
      expect(long.length).toBe(like.length);
      expect(parts.join('') === like).toBe(true);
      expect(parts.length).toBeGreaterThan(5);
      expect(parts.every((part) => part.isWellFormed() === like.isWellFormed())).toBe(true);
    }
  });

  test('API-95 what is nested too deep, or too long in one place, is refused before it is parsed', async () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await outcome(() => read(deep(63)))).toMatchObject({ value: { a: expect.any(Array) } });
    expect(await outcome(() => read(deep(64)))).toBe('deep');
    const one = `{"a":[{"b":"${'x'.repeat(9_000_000)}"}]}`;
    expect(await outcome(() => read(one, 65_536))).toBe('large');
  });

  test('API-95 others have their turn while it is read', async () => {
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await parsePieces(inChunks(JSON.stringify({ rows: [...rows, ...rows] }), 65_536), createTurns(0));
    over = true;
    expect(turns).toBeGreaterThan(20);
  });
});
