import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS } from './e2e/support/chromium-args.ts';

const browser = process.env['ACCESSION_BROWSER'];
// Chromium lets no page into a folder below /dev, where other tests write (TEST-5): folders are given to pages here.
if (process.env['TMPDIR']?.startsWith('/dev/')) delete process.env['TMPDIR'];
// Uploads are worked on by the page that a test is about.
process.env['ACCESSION_INSIDE_WORKERS'] ??= '0';

/**
 * The app in a real Chromium against the real server. `npm test e2e` finds the browser and builds first;
 * every test has a server, a data folder and a browser profile of its own.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: '../.cache/e2e-results',
  // A test that fails now and then is wrong: no retries.
  retries: 0,
  // No two tests share a server, a folder or a profile, and much of each is waiting.
  workers: Math.max(3, Math.floor(availableParallelism() / 2)),
  fullyParallel: true,
  forbidOnly: true,
  // All bounds say that a test hangs; none of them is for a machine that is slow or shared.
  timeout: 900_000,
  expect: { timeout: 90_000 },
  use: {
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [...CHROMIUM_ARGS],
    },
  },
});
