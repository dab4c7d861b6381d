import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryOf, readMultipart } from '#server/http/multipart.ts';
import { curlForm } from '../../fixtures/worker.ts';
import { runs } from '../../fixtures/runs.ts';

const BOUNDARY = '------------------------6a9f1c0d2b7e4835';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(body: AsyncIterable<Uint8Array>) {
  const parts: { name: string; filename: string | null; content: string }[] = [];
  for await (const { name, filename, chunks } of readMultipart(body, BOUNDARY)) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk.slice());
    parts.push({ name, filename, content: Buffer.concat(pieces).toString('latin1') });
  }
  return parts;
}

describe('multipart/form-data', () => {
  test('API-32 comes out whole however it is cut, with what looks like a boundary inside', async () => {
    const contents = [
      '',
      'plain',
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      '--\r\n\r\n--',
      `${'x'.repeat(300)}\r\n--${BOUNDARY.slice(0, 9)}`,
    ];
    const files = contents.map((content, n) => ({ name: `${n}.flac`, bytes: Buffer.from(content, 'latin1') }));
    const { body } = curlForm(files, { context_type: 'spontaneous' });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
        const parts = await read(cut(body, sizes));
        expect(parts.map((part) => part.content)).toEqual([...contents, 'spontaneous']);
        expect(parts.at(-1)).toMatchObject({ name: 'context_type', filename: null });
      }),
      { numRuns: runs(40, 2000) },
    );
  });

  test('API-32 cut off anywhere it is refused', async () => {
    const { body } = curlForm([{ name: 'a.flac', bytes: Buffer.from('fLaC and more') }]);
    for (let end = 0; end < body.length - 4; end += 7)
      await expect(read(cut(body.subarray(0, end), [16]))).rejects.toThrow('ended before');
  });

  test('API-30, API-70 names as curl and browsers write them; the boundary of the header', async () => {
    const { body } = curlForm([
      { name: 'a \\"b\\".mp3', bytes: Buffer.from('1') },
      { name: 'c %22d%22.mp3', bytes: Buffer.from('2') },
      { name: 'ü 東京.mp3', bytes: Buffer.from('3') },
    ]);
    expect((await read(cut(body, [50]))).map((part) => part.filename)).toEqual([
      'a "b".mp3',
      'c "d".mp3',
      'ü 東京.mp3',
    ]);
    expect(boundaryOf('multipart/form-data; boundary="a b"')).toBe('a b');
    expect(boundaryOf('multipart/form-data; charset=utf-8; boundary=abc')).toBe('abc');
    expect(() => boundaryOf('application/json')).toThrow('multipart/form-data');
  });

  test('API-30 what is not read of a part is skipped', async () => {
    const { body } = curlForm([
      { name: 'a.flac', bytes: Buffer.from('first') },
      { name: 'b.flac', bytes: Buffer.from('second') },
    ]);
    const names: (string | null)[] = [];
    for await (const part of readMultipart(cut(body, [9]), BOUNDARY)) names.push(part.filename);
    expect(names).toEqual(['a.flac', 'b.flac']);
  });
});
