import { defineConfig } from '@playwright/test';
import type { Options } from './browsers/support/test.ts';

// Uploads are worked on by the page that a test is about.
process.env['ACCESSION_INSIDE_WORKERS'] ??= '0';

/**
 * WebKit is for a run by hand, `ACCESSION_SOAK=1 npm test browsers`: it takes too long beside Firefox, and its scenarios in
 * one session were run too seldom yet (docs/decisions/106-one-browser-for-all-scenarios.md).
 */
const webkit = {
  name: 'WebKit',
  use: { id: 'webkit', program: process.env['ACCESSION_WEBKIT_DRIVER'] ?? '' },
} as const;

/**
 * The app in the other browsers that people have, against the real server: `npm test browsers` finds them and builds
 * first. Playwright runs the tests and drives none of these browsers (docs/decisions/035-other-browsers.md).
 */
export default defineConfig<object, Options>({
  testDir: 'browsers',
  outputDir: '../.cache/browsers-results',
  // A test that fails now and then is wrong: no retries.
  retries: 0,
  // The two are side by side, as much of it is waiting.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 300_000,
  projects: [
    { name: 'Firefox', use: { id: 'firefox', program: process.env['ACCESSION_FIREFOX'] ?? '' } },
    ...(process.env['ACCESSION_SOAK'] === undefined ? [] : [webkit]),
  ],
});
