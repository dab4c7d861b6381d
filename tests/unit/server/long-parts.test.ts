import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { checkInTurns } from '#server/http/check-in-turns.ts';
import { parsePieces } from '#server/http/json-pieces.ts';
import { LongList, LongText } from '#server/http/long-parts.ts';
import { createTurns } from '#server/turns.ts';

async function* inChunks(text: string, bytes = 65_536): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield await Promise.resolve(all.subarray(at, at + bytes));
}
const read = (value: object, bytes?: number) =>
  parsePieces(inChunks(JSON.stringify(value), bytes), createTurns(), { lists: true, texts: ['document'] });

const RowSchema = v.object({ id: v.string(), size: v.optional(v.number(), 7) });
const BodySchema = v.object({ rows: v.pipe(v.array(RowSchema), v.maxLength(5000)), name: v.string() });
const rows = Array.from({ length: 4000 }, (_, at) => ({ id: `${at} ü\u{1f600}`, more: 'x'.repeat(200) }));

describe('API-114 rows of a large body stay bytes', () => {
  test('API-114 a list gives the same rows each time that it is asked for, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.array(fc.jsonValue(), { maxLength: 20 })),
        fc.integer({ min: 1, max: 50 }),
        async (value, bytes) => {
          const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown[]>;
          const lists = (await read(value, bytes)) as Record<string, LongList>;
          expect(Object.keys(lists)).toEqual(Object.keys(plain));
          for (const [name, list] of Object.entries(lists)) {
            expect(list).toBeInstanceOf(LongList);
            expect([list.length, [...list], [...list]]).toEqual([plain[name]?.length, plain[name], plain[name]]);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('API-114 a long text keeps what is no whole sign, over all of its parts', async () => {
    const document = '\ud800"\\é\u{1f600}'.repeat(100_000);
    const { document: long } = (await read({ document })) as { document: LongText };
    expect([long.length, [...long].join('') === document, [...long].length > 3]).toEqual([document.length, true, true]);
  });

  test('API-114 each row is checked once and made right whenever it is asked for; a bad one is named', async () => {
    const body = { rows, name: 'a' };
    const checked = await checkInTurns(BodySchema, await read(body), createTurns());
    if (!('output' in checked)) throw new Error('it was refused');
    const { output } = checked;
    expect(output.rows).toBeInstanceOf(LongList);
    const right = rows.map(({ id }) => ({ id, size: 7 }));
    expect([output.rows.length, [...output.rows], [...output.rows]]).toEqual([4000, right, right]);

    const bad = rows.map((row, at) => (at === 3210 ? { id: 1 } : row));
    expect(await checkInTurns(BodySchema, await read({ ...body, rows: bad }), createTurns())).toMatchObject({
      path: 'rows.3210',
    });
    const many = await checkInTurns(BodySchema, await read({ ...body, rows: [...rows, ...rows] }), createTurns());
    expect(many).toMatchObject({ issue: { type: 'max_length' } });
    expect(await checkInTurns(BodySchema, await read({ rows }), createTurns())).toHaveProperty('issue');
  });
});
