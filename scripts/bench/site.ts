import { createServer } from 'node:http';
import { build } from 'vite';
import { inRoot } from '../lib/paths.mjs';

/** What stands at a path. */
export type Answers = Record<string, (query: URLSearchParams) => string | Uint8Array>;

export interface Site {
  url: string;
  close(): void;
}

/** A page that starts the benchmark's worker; isolated, so that its memory can be measured. */
export async function openSite(catalog: readonly Uint8Array[], answers: Answers): Promise<Site> {
  const worker = await bundle();
  const page = '<!doctype html><title>bench</title>';
  const server = createServer((request, response) => {
    const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    const send = (type: string, parts: readonly (string | Uint8Array)[]): void => {
      response.writeHead(200, { ...headers, 'content-type': type });
      for (const part of parts) response.write(part);
      response.end();
    };
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
    const answer = answers[pathname];
    if (answer !== undefined) send('application/octet-stream', [answer(searchParams)]);
    else if (request.url === '/worker.js') send('text/javascript', [worker]);
    else if (request.url === '/catalog') send('application/octet-stream', catalog);
    else send('text/html', [page]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the benchmark has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

async function bundle(): Promise<string> {
  const made = await build({
    root: inRoot(),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'esnext',
      lib: { entry: inRoot('scripts/bench/browser-worker.ts'), formats: ['es'], fileName: 'worker' },
    },
  });
  const outputs = Array.isArray(made) ? made : [made];
  for (const output of outputs) {
    if (!('output' in output)) continue;
    for (const chunk of output.output) if (chunk.type === 'chunk' && chunk.isEntry) return chunk.code;
  }
  throw new Error('The worker of the benchmark was not built.');
}
