import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import type { CaseResult } from './support/blob-store-cases.worker.ts';

const ORIGIN = 'http://localhost';

/** The worker with all it imports, as one script. */
async function bundle(): Promise<string> {
  const input = fileURLToPath(new URL('support/blob-store-cases.worker.ts', import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rollupOptions: { input, output: { codeSplitting: false } },
    },
  });
  const chunks = (Array.isArray(output) ? output : [output]).flatMap((one) => ('output' in one ? one.output : []));
  const entry = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry?.type !== 'chunk') throw new Error('nothing was bundled');
  return entry.code;
}

test('OPFS keeps the BlobStore contract, in each of its ways of writing', async ({ page }) => {
  const script = await bundle();
  // Answered by the test itself: OPFS needs a secure origin, and localhost is one.
  await page.route(`${ORIGIN}/**`, (route) =>
    route.request().url().endsWith('/worker.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>blobs</title>' }),
  );
  await page.goto(`${ORIGIN}/`);
  const results = await page.evaluate(
    () =>
      new Promise<CaseResult[]>((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = (event: MessageEvent<CaseResult[]>) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
      }),
  );
  expect(results.length).toBeGreaterThan(35);
  expect(results.filter((one) => one.error !== null)).toEqual([]);
});
