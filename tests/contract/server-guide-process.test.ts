/** A server of its own process with `[ai_agent]` on: an import begins a run, which is there after a kill, and is undone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '#lanes/guide/core/run/run.types.ts';
import { FAULTY, guideXml, programme, SOUND } from '../fixtures/guide-server.ts';
import { programFile } from '../fixtures/program-file.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { testDatabase } from '../fixtures/test-store.ts';

const TOKEN = 'token-of-this-test';
const GUIDE = guideXml([
  ...[1, 2].map((n) => programme(n, FAULTY(n))),
  ...[4, 5, 6, 7].map((n) => programme(n, SOUND)),
]);

async function start(data: string) {
  const database = await testDatabase(data);
  const own = { ACCESSION_DATA: data, ACCESSION_TOKEN: TOKEN, PORT: '0', ACCESSION_DEMO: '0' };
  const child = spawn(process.execPath, [programFile('server/main.ts')], {
    env: {
      ...process.env,
      ...own,
      ACCESSION_INSIDE_WORKERS: '0',
      ...(database === null ? {} : { DATABASE_URL: database }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString('utf8')));
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /^(\S+)\/#token/.exec(line.toString('utf8'))?.[1] ?? '';
  const ask = (method: string, path: string, body: string | null = null, type = 'application/json') =>
    fetch(`${url}${path}`, { method, body, headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': type } });
  return {
    ask,
    log: () => log,
    runs: async (): Promise<RunRecord[]> =>
      ((await (await ask('GET', '/v1/guide/runs?skipped=true')).json()) as { items: RunRecord[] }).items,
    exported: async () => (await ask('GET', '/v1/guide/guides/g/xmltv')).text(),
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

onBothStores('a server with guarded runs', () => {
  test('GUIDE-175 switched on in accession.toml an import begins a run, the next process knows it, and undo takes it back', async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-guide-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    await writeFile(join(data, 'accession.toml'), '[ai_agent]\nmetadata_self_resolution_enabled = true\n');
    const first = await start(data);
    expect((await first.ask('PUT', '/v1/guide/guides/g', GUIDE, 'application/xml')).status, first.log()).toBe(200);
    await expect.poll(first.runs, { timeout: 120_000 }).toMatchObject([{ how: 'import', outcome: 'success' }]);
    // The line of the end is written after the run itself.
    await expect
      .poll(() => first.log().match(/AI metadata remediation[^"]*/g))
      .toEqual(['AI metadata remediation started for channel global', 'AI metadata remediation completed — success']);
    expect(await first.exported()).toContain('1.1.');
    await first.end('SIGKILL');

    const next = await start(data);
    const [run] = await next.runs();
    const again = await next.ask('POST', '/v1/guide/runs', '{}');
    expect(await again.json()).toEqual({ begun: false, reason: 'cooldown' });
    const metrics = await (await next.ask('GET', '/metrics')).text();
    expect(metrics).toContain('ai_metadata_resolution_attempt_total 1');
    const undone = await next.ask('POST', '/v1/guide/undo', JSON.stringify({ run: run?.id }));
    expect(await undone.json()).toEqual({ undone: 2, refused: [] });
    expect(await next.exported()).toBe(await (await next.ask('GET', '/v1/guide/guides/g/xmltv?mended=false')).text());
    await next.end('SIGTERM');
  });
});
