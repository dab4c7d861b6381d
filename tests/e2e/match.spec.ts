import { expect, test } from '@playwright/test';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { matchedByCli, sameCases } from '../fixtures/match-everywhere.ts';
import { bundle } from './support/bundle.ts';

const ORIGIN = 'http://localhost';

test('MATCH-35: a worker in Chromium says all that the CLI says, confidences to the last digit', async ({ page }) => {
  const { catalog, cases } = sameCases();
  const [script, expected] = await Promise.all([bundle('match.worker.ts'), matchedByCli(catalog, cases)]);
  await page.route(`${ORIGIN}/**`, (route) =>
    route.request().url().endsWith('/worker.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>match</title>' }),
  );
  await page.goto(`${ORIGIN}/`);
  const requests = cases.map((one) => ({ files: one.files.map(evidenceOf), context: contextOf(one.context) }));
  const text = await page.evaluate(
    (message) =>
      new Promise<string>((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = (event: MessageEvent<string>) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage(message);
      }),
    { catalog, requests },
  );
  expect(expected.length).toBeGreaterThan(15);
  expect(JSON.parse(text)).toEqual(expected);
});
