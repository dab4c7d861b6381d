import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createUploader } from '#adapters/http/upload.ts';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { createCatalogApp } from '#server/app.ts';
import { recover } from '#server/ingest/recover.ts';
import { USUAL_UPLOAD_LIMITS, type UploadLimits } from '#server/work/upload-limits.ts';
import { testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';
import { curlForm } from '../fixtures/worker.ts';

const ADA = { Authorization: 'Bearer the-token-of-ada' };

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

  test('OPS-20, OPS-27 an upload that is larger in all is 413, said at once or as it comes', async () => {
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

  describe('resumable ones', () => {
    const TUS = { 'Tus-Resumable': '1.0.0' };
    const MB = 1_048_576;
    /** Answers status, what was said, and Retry-After. */
    async function announce(name: string, size: number, token?: string): Promise<[number, string, string | null]> {
      const sha256 = name.repeat(64);
      const response = await server.raw('POST', '/v1/uploads', null, {
        ...TUS,
        'Upload-Length': String(size),
        'Upload-Metadata': `sha256 ${Buffer.from(sha256).toString('base64')},user_id ${Buffer.from('bob').toString('base64')}`,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      });
      const said = response.ok ? '' : ((await response.json()) as ErrorAnswer).error.message;
      return [response.status, said, response.headers.get('retry-after')];
    }
    const uploads = async () => (await readdir(join(server.data, 'uploads'))).filter((name) => !name.includes('.'));
    const uploader = (bytes: Uint8Array<ArrayBuffer>) =>
      createUploader({
        baseUrl: server.url,
        token: () => Promise.resolve('the-token-of-ada'),
        blobs: {
          size: () => Promise.resolve(bytes.length),
          read: async function* (_sha, start = 0, end = bytes.length) {
            yield await Promise.resolve(bytes.subarray(start, end));
          },
        },
      });

    test('UPLOAD-6, UPLOAD-12 what one person has begun and not published has a bound, another one’s does not count', async () => {
      await begin({ unfinishedBytes: 5 * MB });
      expect((await announce('a', 3 * MB, 'the-token-of-ada'))[0]).toBe(201);
      const said =
        'Your uploads that are begun and not published may have 5 MB here in all. Send this one when some of them are done.';
      expect(await announce('b', 3 * MB, 'the-token-of-ada')).toEqual([429, said, '30']);
      // Begun again it takes no more; one that there is never room for is said at once.
      expect((await announce('a', 3 * MB, 'the-token-of-ada'))[0]).toBe(201);
      expect((await announce('b', 6 * MB, 'the-token-of-ada')).slice(0, 2)).toEqual([
        413,
        'An upload may have 5 MB here.',
      ]);
      expect((await announce('b', 3 * MB))[0]).toBe(201);
      // Each is one of at least a megabyte, so that nobody fills the disk with names.
      expect((await announce('c', 1, 'the-token-of-ada'))[0]).toBe(201);
      expect((await announce('d', 1, 'the-token-of-ada'))[0]).toBe(201);
      expect((await announce('e', 1, 'the-token-of-ada'))[0]).toBe(429);
      // Given up, the room is there again.
      await server.raw('DELETE', `/v1/uploads/${'a'.repeat(64)}`, null, { ...TUS, ...ADA });
      expect((await announce('e', 3 * MB, 'the-token-of-ada'))[0]).toBe(201);
    });

    test('UPLOAD-6 all people’s together have a bound, also when they begin at once', async () => {
      await begin({ unfinishedTotalBytes: 5 * MB });
      const tokens = [undefined, 'the-token-of-ada'];
      const asked = Array.from('01234567', (name, at) => announce(name, 2 * MB, tokens[at % 2]));
      const answers = await Promise.all(asked);
      expect(answers.map(([status]) => status).sort()).toEqual([201, 201, 429, 429, 429, 429, 429, 429]);
      const refused = answers.find(([status]) => status === 429);
      expect(refused?.[1]).toContain('Uploads that are begun and not published may have 5 MB here in all.');
      expect(await uploads()).toHaveLength(2);
    });

    test('UPLOAD-7 what got no byte for its days makes room, and is gone after a start', async () => {
      await begin({ unfinishedBytes: 5 * MB, unfinishedMs: 7 * 86_400_000 });
      server.time.now = Date.now();
      for (const size of [4 * MB, 1]) expect((await announce(size === 1 ? 'b' : 'a', size))[0]).toBe(201);
      const silent = new Date(server.time.now - 8 * 86_400_000);
      await utimes(join(server.data, 'uploads', 'a'.repeat(64)), silent, silent);
      expect((await announce('c', 4 * MB))[0]).toBe(201);
      expect((await uploads()).map((name) => name[0])).toEqual(['b', 'c']);
      for (const name of ['b', 'c']) await utimes(join(server.data, 'uploads', name.repeat(64)), silent, silent);
      await recover(server.deps);
      expect(await uploads()).toEqual([]);
    });

    test('UPLOAD-8 bytes that trickle are 408 in words, and what came is kept', async () => {
      await begin({});
      await announce('a', 1000);
      const app = createCatalogApp(server.deps);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        const body = new ReadableStream({ start: (line) => line.enqueue(new Uint8Array(10)) });
        const bytes = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
        const init = { method: 'PATCH', headers: { ...bytes, Authorization: `Bearer ${TOKEN}` }, body, duplex: 'half' };
        const asked = app.request(`/v1/uploads/${'a'.repeat(64)}`, init, {});
        let answer: Response | null = null;
        void Promise.resolve(asked).then((given) => (answer = given));
        const arrived = async () => (await stat(join(server.data, 'uploads', 'a'.repeat(64)))).size;
        while ((await arrived()) < 10) await new Promise((resolve) => setImmediate(resolve));
        while (answer === null) {
          await vi.advanceTimersByTimeAsync(1000);
          await new Promise((resolve) => setImmediate(resolve));
        }
        const { error } = (await (await asked).json()) as ErrorAnswer;
        expect([(await asked).status, (await asked).headers.get('connection')]).toEqual([408, 'close']);
        expect(error.message).toContain('What came is kept; send the rest over a better line.');
      } finally {
        vi.useRealTimers();
      }
      const told = await server.raw('HEAD', `/v1/uploads/${'a'.repeat(64)}`, null, TUS);
      expect([told.status, told.headers.get('upload-offset')]).toEqual([200, '10']);
      // Who began it is nobody's business.
      expect(told.headers.get('upload-metadata')).toBeNull();
    });

    test('UPLOAD-9 the app waits for room as long as it is told, and asks a person about what there is never room for', async () => {
      await begin({ unfinishedBytes: 2 * MB });
      await announce('a', 2 * MB, 'the-token-of-ada');
      const { bytes, sha256, size } = vorbisFile({ durationMs: 1000 });
      const item = { sha256, size, name: 'a.flac' };
      const full = await uploader(bytes)(item);
      expect(full).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfterMs: 30_000 } });
      const large = await uploader(new Uint8Array(3 * MB))({ ...item, size: 3 * MB });
      expect(large).toMatchObject({ ok: false, failure: { code: 'too_large' } });
      await server.raw('DELETE', `/v1/uploads/${'a'.repeat(64)}`, null, { ...TUS, ...ADA });
      expect(await uploader(bytes)(item)).toMatchObject({ ok: true });
    });
  });
});

describe('several uploads of one person at once', () => {
  test('OPS-20 have one bound together', async () => {
    const { Receiving } = await import('#server/work/upload-limits.ts');
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
