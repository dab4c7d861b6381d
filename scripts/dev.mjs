/**
 * `npm run dev`: the app with hot reload on PORT (default 8787) and the catalog server, restarted on change,
 * on the port after it. The sign-in link that is printed is the app's.
 */
import { createInterface } from 'node:readline';
import { dataDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { serve } from './lib/serve.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  const port = Number(process.env['PORT'] ?? 8787);
  const app = `http://127.0.0.1:${port}`;
  const api = `http://127.0.0.1:${port + 1}`;

  const server = serve(node, {
    nodeArgs: ['--watch', '--watch-preserve-output'],
    env: { PORT: String(port + 1), ACCESSION_DATA: dataDirectory() },
    stdout: 'pipe',
  });
  if (server.child.stdout) {
    createInterface(server.child.stdout).on('line', (line) => process.stdout.write(`${line.replaceAll(api, app)}\n`));
  }
  const vite = replaceWith(node, [inRoot('scripts/lib/vite-dev.mjs'), String(port), api]);

  const first = await Promise.race([server.ended, vite.ended]);
  server.child.kill('SIGTERM');
  vite.child.kill('SIGTERM');
  await Promise.all([server.ended, vite.ended]);
  return first;
});
