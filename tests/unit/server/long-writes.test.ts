import { copyFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { randomIds } from '#core/ids.ts';
import { openStore } from '#server/store/store.ts';

test('API-100 a long transaction gives others their turn, and its log is in the database soon after it, in another thread', async ({
  onTestFinished,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'accession-long-'));
  const path = join(directory, 'catalog.db');
  const store = await openStore(sqliteFile(path), () => randomIds.next());
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  let turns = 0;
  let over = false;
  const others = (async () => {
    while (!over) {
      turns += 1;
      await setImmediate();
    }
  })();
  await store.write(async (tx) => {
    await sql`create table heap (id integer primary key, text text)`.execute(tx);
    const began = performance.now();
    for (let at = 0; performance.now() - began < 400 || at < 200; at += 1) {
      const rows = sql.join(Array.from({ length: 200 }, (_, row) => sql`(${at * 200 + row}, ${'x'.repeat(900)})`));
      await sql`insert into heap values ${rows}`.execute(tx);
    }
  });
  over = true;
  await others;
  expect(turns).toBeGreaterThan(10);
  const bytes = async (name: string): Promise<number> => (await stat(name)).size;
  // Its pages are in the database when the thread is done; the commit alone would have left them in the log.
  await expect.poll(() => bytes(path), { timeout: 120_000 }).toBeGreaterThan(30_000_000);
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from heap`.execute(store.db);
  expect(rows[0]?.rows).toBeGreaterThanOrEqual(40_000);
  // Small ones go on as ever.
  await store.write((tx) => sql`insert into heap values (-1, 'one more')`.execute(tx));
  const one = await sql<{ text: string }>`select text from heap where id = -1`.execute(store.db);
  expect(one.rows).toEqual([{ text: 'one more' }]);
});

test('API-111 the log that a killed server left is in the database soon after the next start', async ({
  onTestFinished,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'accession-long-'));
  const path = join(directory, 'catalog.db');
  const killed = new DatabaseSync(join(directory, 'killed.db'));
  killed.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table heap (text text)');
  for (let row = 0; row < 2000; row += 1) killed.exec(`insert into heap values ('${'x'.repeat(900)}')`);
  for (const end of ['', '-wal']) copyFileSync(join(directory, `killed.db${end}`), `${path}${end}`);
  killed.close();
  expect((await stat(path)).size).toBeLessThan(10_000);
  const store = await openStore(sqliteFile(path), () => randomIds.next());
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  await expect.poll(async () => (await stat(path)).size, { timeout: 120_000 }).toBeGreaterThan(1_800_000);
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from heap`.execute(store.db);
  expect(rows).toEqual([{ rows: 2000 }]);
});
