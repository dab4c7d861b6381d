import { defineConfig } from '@playwright/test';
import type { Options } from './browsers/support/test.ts';

// Uploads are worked on by the page that a test is about.
process.env['ACCESSION_INSIDE_WORKERS'] ??= '0';

/**
 * WebKit, and PDFs in Firefox on a first visit, fail now and then, and it is not known why: run by hand, with ACCESSION_SOAK=1
 * (docs/decisions/106-one-browser-for-all-scenarios.md).
 */
const isByHand = process.env['ACCESSION_SOAK'] !== undefined;
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
  // They are side by side, as much of it is waiting.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 300_000,
  projects: [
    {
      name: 'Firefox',
      use: { id: 'firefox', program: process.env['ACCESSION_FIREFOX'] ?? '' },
      ...(isByHand ? {} : { grepInvert: /\bDOCUMENT-105\b/ }),
    },
    ...(isByHand ? [webkit] : []),
  ],
});
