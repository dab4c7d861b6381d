import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOG, SHORT_WAVES } from './catalog.ts';
import { Api } from './support/api.ts';
import { freePort } from './support/catalog-server.ts';
import { expect, test } from './support/test.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('START-1, START-4: npm start prints the link alone on stdout, serves app and demo catalog, takes an import beside it, and stops cleanly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-start-'));
  const port = await freePort();
  // As a person's shell has it, not as the npm that runs these tests left it.
  const env = { ...process.env, INIT_CWD: undefined, PORT: String(port), ACCESSION_DATA: 'data' };
  const npm = ['--prefix', ROOT, 'run', '-s'];
  const server = spawn('npm', [...npm, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  try {
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output, { timeout: 300_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);
    const token = output.trim().split('#token=')[1] ?? '';
    const api = new Api(`http://127.0.0.1:${port}`, token);

    const page = await fetch(`http://127.0.0.1:${port}/review`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const demo = await api.get<{ albums: { title: string }[] }>('/v1/catalog/search?q=ok%20computer');
    expect(demo.albums[0]?.title).toBe('OK Computer');

    await writeFile(join(folder, 'mine.json'), JSON.stringify(CATALOG));
    const command = [...npm, 'accession', '--', 'catalog', 'import', 'mine.json'];
    const importing = spawn('npm', command, { cwd: folder, env, stdio: 'ignore' });
    expect((await once(importing, 'exit'))[0]).toBe(0);
    expect((await api.album(SHORT_WAVES.id)).tracks).toHaveLength(4);

    // To npm alone, as a supervisor does; a terminal's Ctrl-C reaches all of them.
    server.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await readdir(folder)).toContain('data');
  } finally {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
