/** A server with folders in its accession.toml: it reads them in a process of its own, and goes on after that was killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LibraryAnswer, ServerFileRow, ServerFolder } from '#lanes/library/core/server-library.ts';
import { childOf, isRunning } from '../fixtures/processes.ts';
import { programFile } from '../fixtures/program-file.ts';

const TIMEOUT = 240_000;
const MAIN = programFile('server/main.ts');
const WAIT = { timeout: 120_000, interval: 200 };

const AGENT = (text: string): string =>
  `---\nagentId: pascal-ingester\nname: Pascal Ingester\ncapabilities:\n  - ingest:pas\npriority: 15\n---\n\n## System Prompt\n\n${text}\n`;

async function start(data: string) {
  const own = { ACCESSION_DATA: data, ACCESSION_TOKEN: 'token-of-this-test', PORT: '0', ACCESSION_DEMO: '0' };
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...own, ACCESSION_INSIDE_WORKERS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString('utf8')));
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /^(\S+)\/#token/.exec(line.toString('utf8'))?.[1] ?? '';
  const headers = { Authorization: 'Bearer token-of-this-test', 'Content-Type': 'application/json' };
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    return (await (await fetch(`${url}/v1/library${path}`, init)).json()) as T;
  };
  return {
    child,
    log: () => log,
    ask,
    folders: async () => (await ask<{ items: ServerFolder[] }>('GET', '/folders')).items,
    found: async (query: string) =>
      (await ask<LibraryAnswer>('POST', '/search', { query })).items.map(({ path }) => path),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

test(
  'LIBRARY-78 a server reads its folders by itself, in a process that is followed when it is killed; agents count within seconds, and folders that are no longer named are gone',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'accession-library-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const [data, folder] = [join(root, 'data'), join(root, 'handbook')];
    await mkdir(data);
    await mkdir(folder);
    for (let at = 0; at < 300; at += 1)
      await writeFile(join(folder, `note-${at}.md`), `# Note ${at}\n\nThe word of this note is w${at}q.\n`);
    await writeFile(join(folder, 'unit.pas'), 'unit kettle;\n');
    const toml = `[library]\n\n[[library.folders]]\nname = "Handbook"\npath = "${folder}"\n`;
    await writeFile(join(data, 'accession.toml'), toml, { mode: 0o600 });
    const first = await start(data);
    await expect.poll(async () => (await first.folders())[0]?.files ?? 0, WAIT).toBeGreaterThan(0);
    const pid = await childOf(first.child.pid ?? 0);
    process.kill(pid, 'SIGKILL');
    // It is started again after its rest, and goes on.
    await expect.poll(async () => (await first.folders())[0]?.state, WAIT).toBe('ready');
    expect((await first.folders())[0]).toMatchObject({ files: 301, done: 301, found: 301, error: null });
    expect((await first.found('w299q'))[0]).toBe('note-299.md');
    expect(await childOf(first.child.pid ?? 0)).not.toBe(pid);

    const { id } = (await first.folders())[0] ?? { id: '' };
    const reader = async () =>
      (await first.ask<{ items: ServerFileRow[] }>('GET', `/folders/${id}/files?q=unit.pas`)).items[0]?.warnings.join(
        ' ',
      );
    expect(await reader()).not.toContain('pascal');
    await mkdir(join(data, 'agents'));
    await writeFile(join(data, 'agents', 'pascal.md'), AGENT('Read units.'));
    await expect.poll(reader, WAIT).toContain('pascal-ingester');
    await stop(first.child);

    await writeFile(join(data, 'accession.toml'), '[library]\n', { mode: 0o600 });
    const second = await start(data);
    expect(await second.folders()).toEqual([]);
    expect(await second.found('w299q')).toEqual([]);
    const indexer = await childOf(second.child.pid ?? 0);
    second.child.kill('SIGKILL');
    await expect.poll(() => isRunning(indexer), WAIT).toBe(false);
  },
  TIMEOUT,
);
