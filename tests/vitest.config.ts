import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Rooms whose tests replace what all share (IndexedDB, timers, fetch, a worker's globals): each file of theirs gets
 * modules and globals of its own. The other rooms' files share them, which halves their time: most of it was loading.
 */
const APART = [
  ...['docs', 'media', 'models', 'sync'].map((room) => `tests/unit/${room}/**/*.test.ts`),
  'tests/unit/server/commit-flush.test.ts',
  'tests/unit/pipeline/{end-with-page,no-space,provider,storage}.test.ts',
  'tests/unit/ui/{batch-steps,job-rows,replace-rows,table-changes}.test.ts',
];

/** Contract suites that read other test files in, want IndexedDB in place before anything is loaded, or put a module in another's place. */
const CONTRACT_APART = [
  'tests/contract/server-postgres*.test.ts',
  'tests/contract/{blob-store,guide-service,guide-store,old-version,plan-store}-browser.test.ts',
  'tests/contract/{job-store,music-rows,rename-journal,server-bundles,server-plan-kinds,server-snapshot}.test.ts',
];

/** Those that take longest, the longest first: begun last, one of them would end alone on an idle machine. */
const FIRST = [
  'server-postgres-work',
  'server-postgres-load',
  'server-postgres',
  'verify',
  'server-turns',
  'server-process',
  'worker',
  'old-version-browser',
  'server-old-version',
  'disk-faults',
  'server-load',
  'server-history',
].map((name) => `/contract/${name}.test.ts`);

/** In this order, whatever ran here before; the others by their size, as Vitest has it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = FIRST.findIndex((end) => moduleId.endsWith(end));
      return at < 0 ? FIRST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const project = (name: string, include: string[], isolate: boolean, exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude, isolate },
});

/** Unit tests and contract suites: in Node, no browser, no network, nothing that sleeps. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  /** For state classes with runes (`*.svelte.ts`). */
  plugins: [svelte({ configFile: false })],
  test: {
    environment: 'node',
    // Servers that tests start have no worker of their own, unless the test is about it.
    env: { ACCESSION_INSIDE_WORKERS: '0' },
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    // Where a test hangs, not where a machine is busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What is polled for comes when it comes; a busy machine is no failure.
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    setupFiles: ['tests/setup.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/global-setup.ts'],
    projects: [
      project('unit', ['tests/unit/**/*.test.ts'], false, APART),
      project('unit-apart', APART, true),
      project('contract', ['tests/contract/**/*.test.ts'], false, CONTRACT_APART),
      project('contract-apart', CONTRACT_APART, true),
    ],
  },
});
