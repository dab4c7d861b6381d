import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Env } from '#server/deps.ts';
import { answerError } from '#server/http/http-error.ts';
import { securityHeaders } from '#server/http/middleware.ts';
import { staticApp } from '#server/app.ts';
import { createLog } from '#server/log.ts';

let folder: string;
let app: Hono<Env>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accession-app-'));
  const build = join(folder, 'build');
  await mkdir(join(build, '_app/immutable'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(build, '200.html'), '<html>app</html>');
  await writeFile(join(build, 'service-worker.js'), 'worker');
  await writeFile(join(build, '_app/immutable/x.abc.js'), 'code');
  await writeFile(join(build, 'core.wasm'), 'wasm');
  app = new Hono<Env>();
  app.onError(answerError(createLog(() => undefined)));
  app.use(securityHeaders());
  app.route('/', staticApp(build));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the static app', () => {
  test('APP-1: every address of the app gets its page, asked for again each time', async () => {
    for (const path of ['/', '/review', '/catalog/al_x', '/history?x=1']) {
      const answer = await app.request(path);
      expect([answer.status, await answer.text()], path).toEqual([200, '<html>app</html>']);
      expect(answer.headers.get('content-type'), path).toContain('text/html');
      expect(answer.headers.get('cache-control'), path).toBe('no-cache');
    }
  });

  test('APP-1: hashed files are kept, the service worker is not, wasm says what it is', async () => {
    expect((await app.request('/_app/immutable/x.abc.js')).headers.get('cache-control')).toContain('immutable');
    expect((await app.request('/service-worker.js')).headers.get('cache-control')).toBe('no-cache');
    expect((await app.request('/core.wasm')).headers.get('content-type')).toBe('application/wasm');
  });

  test('APP-2: a missing file is 404 and no page; nothing outside the folder is served', async () => {
    for (const path of [
      '/_app/immutable/gone.js',
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/..\\secret.txt',
    ]) {
      const answer = await app.request(path);
      expect([answer.status, (await answer.text()).includes('secret')], path).toEqual([404, false]);
    }
  });

  test('APP-3: the page cannot be framed, sniffed or watched', async () => {
    const { headers } = await app.request('/');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('APP-4: a browser gets the compressed form that it takes and that is there, else the file as it is', async () => {
    const path = '/_app/immutable/x.abc.js';
    await writeFile(join(folder, 'build', `${path}.br`), 'brotli');
    await writeFile(join(folder, 'build', `${path}.gz`), 'gzip');
    const ask = async (at: string, accepts?: string) => {
      const { headers } = await app.request(at, accepts ? { headers: { 'Accept-Encoding': accepts } } : {});
      return ['content-encoding', 'vary', 'content-length', 'content-type', 'cache-control'].map((n) => headers.get(n));
    };
    const rest = ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'];
    expect(await ask(path, 'gzip, deflate, br, zstd')).toEqual(['br', 'Accept-Encoding', '6', ...rest]);
    expect(await ask(path, 'gzip')).toEqual(['gzip', 'Accept-Encoding', '4', ...rest]);
    expect(await ask(path)).toEqual([null, null, '4', ...rest]);
    expect((await ask('/core.wasm', 'gzip, br'))[0]).toBe(null);
    await writeFile(join(folder, 'build', '200.html.br'), 'page');
    expect((await ask('/review', 'br')).slice(0, 4)).toEqual([
      ...['br', 'Accept-Encoding', '4', 'text/html; charset=utf-8'],
    ]);
  });
});
