/** Servers as programs on databases that were damaged, cut or put back while nothing ran. */
import { cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runProgram, type Program } from '../fixtures/program.ts';
import { SMALL_CATALOG } from '../fixtures/server.ts';

const TIMEOUT = 240_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'accession-history-'));
  ends.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

interface Running extends Program {
  ask(path: string, body?: object, method?: string): Promise<unknown>;
  kill(): Promise<void>;
}

async function started(data: string): Promise<Running> {
  const server = await runProgram('server/main.ts', [], { ACCESSION_DATA: data });
  const kill = async (): Promise<void> => {
    server.child.kill('SIGKILL');
    await server.exited;
  };
  ends.push(kill);
  const token = (await readFile(join(data, 'admin-token'), 'utf8').catch(() => '')).trim();
  const ask = async (path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<unknown> => {
    const answer = await fetch(`${server.ready?.url ?? ''}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return { ...server, ask, kill };
}

const rename = (server: Running, title: string): Promise<unknown> =>
  server.ask('/v1/catalog/tracks/tr_h1', { title }, 'PATCH');

/** A catalog with a copy of its database from before its last changes; killed, so that these are in the log alone. */
async function killedServer(): Promise<{ data: string; copy: string }> {
  const data = await folder();
  const first = await started(data);
  await first.ask('/v1/catalog/import', SMALL_CATALOG);
  first.child.kill('SIGTERM');
  await first.exited;
  const copy = await folder();
  await cp(join(data, 'catalog.db'), join(copy, 'catalog.db'));
  const second = await started(data);
  expect(second.stderr()).not.toContain('older than');
  for (const title of ['One', 'Two', 'Three']) await rename(second, title);
  await second.kill();
  return { data, copy };
}

const DAMAGE: Record<string, (paths: { data: string; copy: string }) => Promise<void>> = {
  'its log was deleted': ({ data }) => rm(join(data, 'catalog.db-wal')),
  'its log was cut in half': async ({ data }) => {
    const log = join(data, 'catalog.db-wal');
    // The last changes lie behind its middle.
    await truncate(log, Math.floor((await stat(log)).size * 0.8));
  },
  'an older copy was put back': async ({ data, copy }) => {
    for (const name of ['catalog.db-wal', 'catalog.db-shm']) await rm(join(data, name), { force: true });
    await cp(join(copy, 'catalog.db'), join(data, 'catalog.db'));
  },
};

test.each(Object.keys(DAMAGE))(
  'OPS-49, OPS-51 where %s while nothing ran, the start says what is missing, and so do Settings and health',
  async (how) => {
    const paths = await killedServer();
    const whole = await folder();
    await cp(paths.data, whole, { recursive: true });
    await DAMAGE[how]?.(paths);
    const server = await started(paths.data);
    // Said before its address, by another pipe.
    await expect.poll(server.stderr).toMatch(/older than what was last answered from it: \d changes of the catalog/);
    expect(await server.ask('/v1/storage')).toMatchObject({
      lost: { sentence: expect.stringContaining('older') as string },
    });
    // Without a token, for whoever watches it; until somebody has looked.
    expect(await server.ask('/health')).toMatchObject({ status: 'ok', lost_changes_at: expect.any(Number) as number });
    if (how === 'its log was deleted') {
      const verify = await runProgram('cli/main.ts', ['verify', '--repair', '--data', paths.data], {});
      expect(await verify.exited, verify.stderr()).toBe(0);
      // What was known is said for a moment while the database is asked anew.
      await expect.poll(() => server.ask('/health')).not.toHaveProperty('lost_changes_at');
    }
    await server.kill();
    // It is said once: from then on this is its history.
    expect((await started(paths.data)).stderr()).not.toContain('older than');
    // The same kill without damage is no alarm.
    const right = await started(whole);
    expect(right.stderr()).not.toContain('older than');
    expect(await right.ask('/v1/catalog/tracks/tr_h1')).toMatchObject({ title: 'Three' });
  },
  TIMEOUT,
);

test(
  'OPS-46 a server reads its files by itself, unless [scrub] is switched off',
  async () => {
    for (const enabled of [true, false]) {
      const data = await folder();
      await writeFile(join(data, 'accession.toml'), `[scrub]\nenabled = ${enabled}`);
      const server = await started(data);
      const scrub = async (): Promise<unknown> => ((await server.ask('/v1/storage')) as { scrub: unknown }).scrub;
      if (enabled) await expect.poll(scrub, { timeout: 120_000 }).toMatchObject({ files: 0, damaged: 0 });
      else expect(await scrub()).toBeNull();
      await server.kill();
    }
  },
  TIMEOUT,
);
