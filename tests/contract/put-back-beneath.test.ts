/** A database that is put back while servers are connected to it: PostgreSQL alone, an SQLite's file is its process's own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { appendChanges } from '#server/store/feed.ts';
import type { Position } from '#server/store/history.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { Copies } from '../fixtures/faults/copies.ts';
import { createDice } from '../fixtures/faults/dice.ts';
import { LANES } from '../fixtures/server.ts';
import { onPostgres } from '../fixtures/stores.ts';
import { releaseDatabase, testDatabase, testSource } from '../fixtures/test-store.ts';

onPostgres('a database that is put back beneath a running server', () => {
  let data = '';
  let store: Store;
  let copies: Copies;
  const positions: Position[] = [];
  const lost: string[] = [];
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'accession-beneath-'));
    const last = { write: (at: Position) => void positions.push(at), lost: (said: string) => void lost.push(said) };
    store = await openStore(await testSource(data), randomUUID, LANES, last);
    copies = new Copies({ data, databaseUrl: () => testDatabase(data), postgres: null });
  });
  afterEach(async () => {
    await store.close();
    await copies.forget();
    await releaseDatabase(data);
    await rm(data, { recursive: true, force: true });
    for (const list of [positions, lost]) list.splice(0);
  });

  const change = (id: string): Promise<void> =>
    store.write((tx) => appendChanges(tx, [{ kind: 'artist', entity_id: id }]));

  test('OPS-56 is said with the next write, once, whether or not its numbers are as many again', async () => {
    await change('one');
    await copies.keep('copy');
    await change('two');
    await change('three');
    expect(lost).toEqual([]);
    await copies.putBack('copy', createDice(1));
    await change('four');
    expect(lost).toEqual([
      expect.stringMatching(/older than what was last answered from it: 1 changes of the catalog/),
    ]);
    await change('five');
    expect(lost).toHaveLength(1);

    await copies.keep('copy');
    await change('six');
    await copies.putBack('copy', createDice(1));
    await change('seven');
    expect(lost).toHaveLength(2);
    expect(lost[1]).toMatch(/another history/);
  });
});
