import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { USUAL_UPLOAD_LIMITS, type UploadLimits } from '#server/work/upload-limits.ts';
import { testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { curlForm } from '../fixtures/worker.ts';

/** The first bytes of a FLAC file, and something behind them: `size` bytes. */
const flac = (size = 200): Uint8Array =>
  Buffer.concat([Buffer.from('fLaC'), Buffer.from([0, 0, 0, 34]), Buffer.alloc(size - 8, 1)]);

onBothStores('uploads that are too much', () => {
  let server: TestServer;
  afterEach(() => server.end());

  async function begin(limits: Partial<UploadLimits>): Promise<void> {
    server = await testServer({ deps: { uploadLimits: { ...USUAL_UPLOAD_LIMITS, ...limits } } });
    await server.addToken('the-token-of-ada', 'ada', 'EditCatalog');
  }

  async function send(form: ReturnType<typeof curlForm>, token?: string) {
    const as: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const response = await server.raw('POST', '/v1/ingestion/upload', form.body, { ...form.headers, ...as });
    const body = (await response.json()) as UploadAnswer & ErrorAnswer;
    return { status: response.status, said: response.ok ? '' : body.error.message, body };
  }

  const kept = () => readdir(join(server.data, 'ingestion_uploads'));
  const files = (count: number, size?: number) =>
    curlForm(Array.from({ length: count }, (_, at) => ({ name: `${at}.flac`, bytes: flac(size) })));

  test('OPS-20 more files or fields than an upload may have are 413, and nothing of it stays', async () => {
    await begin({ files: 3, fields: 4 });
    expect((await send(files(3))).status).toBe(201);
    const before = (await kept()).length;
    const many = await send(files(4));
    expect([many.status, many.said]).toEqual([413, 'An upload may have 3 files; send the rest as another one.']);
    const fields = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}`, 'x']));
    const chatty = await send(curlForm([{ name: 'a.flac', bytes: flac() }], fields));
    expect([chatty.status, chatty.said]).toEqual([413, 'An upload may have 4 fields beside its files.']);
    expect(await kept()).toHaveLength(before);
  });

  test('OPS-20 an upload that is larger in all is 413, said at once or as it comes', async () => {
    await begin({ totalBytes: 1_048_576 });
    const form = files(3, 400_000);
    const told = await send(form);
    expect([told.status, told.said]).toEqual([413, 'One upload may have 1 MB in all; send its files as several ones.']);
    // Without Content-Length.
    const init: RequestInit & { duplex: string } = {
      method: 'POST',
      headers: { ...form.headers, Authorization: 'Bearer the-token-of-ada' },
      body: new Blob([form.body]).stream(),
      duplex: 'half',
    };
    const streamed = await fetch(`${server.url}/v1/ingestion/upload`, init);
    expect(streamed.status).toBe(413);
    await streamed.body?.cancel();
    expect(await kept()).toEqual([]);
  });

  test('OPS-20 an upload whose answer was lost is answered again, though its own files fill the bound', async () => {
    await begin({ waitingBytes: 1000 });
    const form = files(1, 600);
    const headers = { ...form.headers, 'Idempotency-Key': 'once' };
    const first = await send({ ...form, headers });
    const again = await send({ ...form, headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(await kept()).toHaveLength(1);
  });

  test('OPS-20 what waits of one person has a bound, another one’s does not count, and room comes back', async () => {
    await begin({ waitingBytes: 1000 });
    expect((await send(files(2, 400))).status).toBe(413);
    expect((await send(files(1, 600), 'the-token-of-ada')).status).toBe(201);
    const more = await send(files(1, 400), 'the-token-of-ada');
    expect(more.status).toBe(413);
    expect(more.said).toContain('not worked on yet');
    expect((await send(files(1, 600))).status).toBe(201);
    expect(await kept()).toHaveLength(2);
    await server.store.write((tx) => tx.deleteFrom('work_files').execute());
    expect((await send(files(1, 400), 'the-token-of-ada')).status).toBe(201);
  });
});

describe('several uploads of one person at once', () => {
  test('OPS-20 have one bound together', async () => {
    const { Receiving } = await import('#server/work/waiting-bytes.ts');
    const receiving = new Receiving();
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 10; at += 1) yield new Uint8Array(10);
    }
    const first = receiving.counted('ada', bytes(), 0, 100);
    await first.next();
    const rest = async (chunks: AsyncIterable<Uint8Array>): Promise<number> => {
      let size = 0;
      for await (const chunk of chunks) size += chunk.length;
      return size;
    };
    await expect(rest(receiving.counted('ada', bytes(), 0, 100))).rejects.toThrow('not worked on yet');
    expect(await rest(receiving.counted('bob', bytes(), 0, 100))).toBe(100);
    await first.return(undefined);
    expect(await rest(receiving.counted('ada', bytes(), 0, 100))).toBe(100);
  });
});
