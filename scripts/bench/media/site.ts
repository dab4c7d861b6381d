/** Builds the bench's page with the app's own workers in it, and serves it. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';
import { noPages } from '../../lib/lane-parts.ts';
import { inRoot } from '../../lib/paths.mjs';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

export interface MediaSite {
  url: string;
  close(): void;
}

/** The page at `/`, the files of `folder` at `/files/`. */
export async function openMediaSite(folder: string): Promise<MediaSite> {
  const built = join(folder, '.page');
  await build({
    root: inRoot('scripts/bench/media/page'),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    /** For state classes with runes, which what starts the workers uses. */
    plugins: [svelte({ configFile: false })],
    worker: { format: 'es', plugins: () => [noPages()] },
    build: { outDir: built, target: 'es2022', assetsInlineLimit: 0, emptyOutDir: true, chunkSizeWarningLimit: 2000 },
  });
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://bench').pathname));
    const file = path.startsWith('/files/')
      ? join(folder, path.slice(7))
      : join(built, path === '/' ? 'index.html' : path);
    stat(file).then(
      ({ size }) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'content-length': size });
        createReadStream(file).pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the benchmark has no port.');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
