import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Unit tests and contract suites: in Node, no browser, no network, nothing that sleeps. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  /** For state classes with runes (`*.svelte.ts`). */
  plugins: [svelte({ configFile: false })],
  test: {
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 20_000,
    // What is polled for comes when it comes; a busy machine is no failure.
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    setupFiles: ['tests/setup.ts'],
    projects: ['unit', 'contract'].map((name) => ({
      extends: true,
      test: { name, include: [`tests/${name}/**/*.test.ts`] },
    })),
  },
});
