import { defineConfig } from '@playwright/test';
import type { Options } from './browsers/support/test.ts';

// Uploads are worked on by the page that a test is about.
process.env['ACCESSION_INSIDE_WORKERS'] ??= '0';

/** Once in seventeen runs on a machine under load no tab worked in WebKit after Back (docs/decisions/106): by hand, until it is known why. */
const BY_HAND = /\bJOB-37\b/;

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
    { name: 'Firefox', use: { id: 'firefox', program: process.env['ACCESSION_FIREFOX'] ?? '' } },
    {
      name: 'WebKit',
      use: { id: 'webkit', program: process.env['ACCESSION_WEBKIT_DRIVER'] ?? '' },
      ...(process.env['ACCESSION_SOAK'] === undefined ? { grepInvert: BY_HAND } : {}),
    },
  ],
});
