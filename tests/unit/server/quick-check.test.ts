import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { openLastCommit } from '#adapters/node/last-commit.ts';
import { databaseFailure } from '#server/store/database-failure.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'accession-check-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('OPS-48 a database is read whole beside other work, and its damage is told in words', async () => {
  const path = join(directory, 'catalog.db');
  const database = new DatabaseSync(path);
  database.exec('create table words (word text primary key)');
  const insert = database.prepare('insert into words values (?)');
  database.exec('begin');
  for (let at = 0; at < 5000; at += 1) insert.run(`word ${at}`);
  database.exec('commit');
  database.close();
  expect(await sqliteFile(path).quickCheck()).toBeNull();
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(7, 4096));
  expect(await sqliteFile(path).quickCheck()).toEqual(expect.any(String));
  let met: unknown = null;
  try {
    const damaged = new DatabaseSync(path);
    damaged.prepare('select * from words').all();
  } catch (error) {
    met = error;
  }
  expect(databaseFailure(met)).toMatchObject({ kind: 'damaged', message: "The server's database is damaged." });
});

test('OPS-62 a check under way ends with its store, and no file comes into being after that', async () => {
  const path = join(directory, 'catalog.db');
  new DatabaseSync(path).close();
  await writeFile(path, Buffer.alloc(100_000, 7));
  const source = sqliteFile(path);
  const checking = source.quickCheck();
  await source.close();
  // What it would have said of this file is a sentence.
  expect(await checking).toBeNull();
  await rm(path);
  await source.close();
  expect(await readdir(directory)).toEqual([]);
});

test('OPS-49 the note of the last commit is read back, also a shorter one, and half of it is none', async () => {
  const path = join(directory, 'last-commit');
  const long = { catalog_id: 'c'.repeat(36), seq: 123_456, mark: 'a1b2', updates: 77 };
  const first = openLastCommit(path);
  expect(first.before).toBeNull();
  first.write(long);
  expect(openLastCommit(path).before).toEqual(long);
  const short = { catalog_id: 'c', seq: 1, mark: null, updates: 0 };
  first.write(short);
  expect(openLastCommit(path).before).toEqual(short);
  const text = await readFile(path, 'utf8');
  for (const spoilt of [text.slice(0, 40), text.replace('"seq":1', '"seq":2'), '']) {
    await writeFile(path, spoilt);
    expect(openLastCommit(path).before).toBeNull();
  }
});
