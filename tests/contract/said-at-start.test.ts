/** What keeps the server, as a program, from starting: one sentence with what to do, and nothing is changed. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../fixtures/program.ts';
import { onPostgres } from '../fixtures/stores.ts';
import { testDatabase } from '../fixtures/test-store.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-said-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

/** What a server that does not start says: a line. */
async function refused(env: Record<string, string>): Promise<string> {
  const program = await runProgram('server/main.ts', [], { ACCESSION_DATA: data, ...env });
  expect([await program.exited, program.ready]).toEqual([1, null]);
  expect(program.stderr().trim().split('\n')).toHaveLength(1);
  expect(program.stderr()).not.toMatch(/\n\s+at |Error:/);
  return program.stderr();
}

test('SERVE-1, SERVE-3 a token of fewer than 16 characters is refused, without saying it, before anything is made', async () => {
  const said = await refused({ ACCESSION_TOKEN: 'fifteen-letters' });
  expect(said).toMatch(/ACCESSION_TOKEN must be 16 to 512 printable characters/);
  expect(said).not.toContain('fifteen');
  expect(await readdir(data)).toEqual([]);
});

onPostgres('what keeps a server from starting', () => {
  async function onDatabase(work: (client: pg.Client) => Promise<void>): Promise<{ DATABASE_URL: string }> {
    const url = (await testDatabase(data)) ?? '';
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
    return { DATABASE_URL: url };
  }

  test('OPS-72 a database of a newer version is not touched', async () => {
    const count = async (): Promise<number> => {
      let tables = 0;
      await onDatabase(async (client) => {
        const { rows } = await client.query<{ n: string }>('select count(*) n from kysely_migration');
        tables = Number(rows[0]?.n);
      });
      return tables;
    };
    const env = await onDatabase(async (client) => {
      await client.query(`insert into kysely_migration values ('9999-of-the-future', '2030-01-01T00:00:00.000Z')`);
    });
    const before = await count();
    expect(await refused(env)).toContain('newer version of Accession (9999-of-the-future)');
    expect(await count()).toBe(before);
  });

  test('OPS-72 a database that takes no writes, is not there or is nowhere is named, with what to do', async () => {
    const env = await onDatabase(async (client) => {
      await client.query(`alter database "${client.database ?? ''}" set default_transaction_read_only = on`);
    });
    expect(await refused(env)).toMatch(/takes no writes|read-only/);
    const elsewhere = new URL(env.DATABASE_URL);
    elsewhere.pathname = '/nowhere';
    expect(await refused({ DATABASE_URL: elsewhere.href })).toContain('DATABASE_URL');
    expect(await refused({ DATABASE_URL: 'postgresql://127.0.0.1:1/accession' })).toContain('cannot be reached');
    await onDatabase(async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query(`alter database "${client.database ?? ''}" reset default_transaction_read_only`);
    });
  });
});
