import { expect, test } from '@playwright/test';
import type { CaseResult } from './support/blob-store-cases.worker.ts';
import { bundle } from './support/bundle.ts';

const ORIGIN = 'http://localhost';

test('OPFS keeps the BlobStore contract, in each of its ways of writing', async ({ page }) => {
  const script = await bundle('blob-store-cases.worker.ts');
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
