import { defineConfig } from '@playwright/test';
import type { Options } from './browsers/support/test.ts';

// Uploads are worked on by the page that a test is about.
process.env['ACCESSION_INSIDE_WORKERS'] ??= '0';

/**
 * With ACCESSION_SOAK=1 all there is; else without what costs most, and without PDFs in Firefox on a first visit, which
 * failed now and then (docs/decisions/106-one-browser-for-all-scenarios.md).
 */
const isWhole = process.env['ACCESSION_SOAK'] !== undefined;
const without = (tests: RegExp): object => (isWhole ? {} : { grepInvert: tests });

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
  timeout: 900_000,
  projects: [
    {
      name: 'Firefox',
      use: { id: 'firefox', program: process.env['ACCESSION_FIREFOX'] ?? '', isPrivate: false },
      ...without(/\b(DOCUMENT-105|TOOLBOX-92|TOOLBOX-96|TOOLBOX-97)\b/),
    },
    {
      name: 'WebKit',
      use: { id: 'webkit', program: process.env['ACCESSION_WEBKIT_DRIVER'] ?? '', isPrivate: false },
      ...without(/\b(DOCUMENT-105|GUIDE-174|TOOLBOX-92|TOOLBOX-96|TOOLBOX-97)\b/),
    },
    {
      name: 'WebKit, private',
      use: { id: 'webkit', program: process.env['ACCESSION_WEBKIT_DRIVER'] ?? '', isPrivate: true },
      grep: /\bJOB-59\b/,
    },
  ],
});
