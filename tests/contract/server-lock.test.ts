/** One server on a data directory, whatever is done to the files that say so. */
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runProgram, type Program } from '../fixtures/program.ts';

const TIMEOUT = 300_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'accession-lock-'));
  ends.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function started(data: string): Promise<Program> {
  const server = await runProgram('server/main.ts', [], { ACCESSION_DATA: data });
  ends.push(async () => {
    server.child.kill('SIGKILL');
    await server.exited;
  });
  return server;
}

async function refused(data: string): Promise<string> {
  const second = await started(data);
  expect([second.ready, await second.exited]).toEqual([null, 1]);
  return second.stderr();
}

test(
  'OPS-41 a second server is kept out though the lock file is deleted, by another path and after the directory was renamed; one after a kill is not',
  async () => {
    const above = await folder();
    const data = join(above, 'data');
    const first = await started(data);
    expect(first.ready).not.toBeNull();
    await rm(join(data, 'server.lock'));
    expect(await refused(data)).toContain(`Another Accession server works on ${data}`);
    await symlink(data, join(above, 'link'));
    expect(await refused(join(above, 'link'))).toContain('Another Accession server works on');
    await rename(data, join(above, 'moved'));
    expect(await refused(join(above, 'moved'))).toContain('Another Accession server works on');
    first.child.kill('SIGKILL');
    await first.exited;
    expect((await started(join(above, 'moved'))).ready).not.toBeNull();
  },
  TIMEOUT,
);
