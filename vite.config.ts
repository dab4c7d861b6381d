import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { appFiles } from './scripts/lib/app-files.ts';
import { fewChunks, workerGroups } from './scripts/lib/chunks.ts';
import { noPages, noWorkers } from './scripts/lib/lane-parts.ts';
import { noteOnDemand } from './scripts/lib/on-demand.ts';
import { toolboxPacks } from './scripts/lib/toolbox-packs.ts';
import { workersRunOnce } from './scripts/lib/worker-entries.ts';

/**
 * The version of the build. Explicit, because Kit's default is the time of the build and then two
 * builds of one source would look like an update to every open page.
 */
function versionName(): string {
  const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  try {
    const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return `${version}+${commit.toString().trim()}`;
  } catch {
    // A tarball without .git is a release: its version is enough.
    return version;
  }
}

/** The inline styles that libraries carry, by their hashes; everything else of the kind is refused. */
const INLINE_STYLES = [
  // Kit's route announcer, in its root component.
  'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo=',
  // The hidden label of bits-ui's Command (the palette).
  'sha256-iaOezIDcQIoxCULa6FBKKuLUu09R7kG+Mlu+JVfU3Rw=',
] as const;

export default defineConfig({
  plugins: [
    appFiles(),
    noWorkers(),
    fewChunks(),
    noteOnDemand(),
    toolboxPacks(),
    sveltekit({
      adapter: adapter({ pages: 'build', assets: 'build', fallback: '200.html', precompress: false, strict: true }),
      // The page registers src/service-worker itself (src/ui/pwa.ts), so that an update waits for the person.
      serviceWorker: { register: false },
      version: { name: versionName(), pollInterval: 0 },
      csp: {
        mode: 'hash',
        directives: {
          'default-src': ['self'],
          'script-src': ['self', 'wasm-unsafe-eval'],
          'style-src': ['self'],
          'style-src-attr': ['unsafe-hashes', ...INLINE_STYLES],
          'img-src': ['self', 'data:', 'blob:'],
          // A server elsewhere may be set: its API, its socket and its audio.
          'media-src': ['self', 'blob:', 'http:', 'https:'],
          'connect-src': ['self', 'http:', 'https:', 'ws:', 'wss:', 'blob:'],
          'worker-src': ['self', 'blob:'],
          'manifest-src': ['self'],
          'object-src': ['none'],
          'base-uri': ['none'],
          'form-action': ['self'],
          // A header only; the server sends it, the meta tag cannot.
          'frame-ancestors': ['none'],
        },
      },
    }),
  ],
  worker: {
    format: 'es',
    plugins: () => [noPages(), noteOnDemand(), workersRunOnce()],
    rolldownOptions: { output: { codeSplitting: { groups: [...workerGroups] } } },
  },
  build: {
    // Workers, wasm and images stay files of their own: cacheable, and the CSP needs no data: scripts.
    assetsInlineLimit: 0,
    target: 'es2022',
    chunkSizeWarningLimit: 700,
  },
  optimizeDeps: { exclude: ['@ffmpeg/core', '@wllama/wllama'] },
  server: { host: '127.0.0.1', port: 5173 },
});
