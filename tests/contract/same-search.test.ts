/** The same questions to the server's tables and to the index in columns, on both stores. `npm run soak -- search` asks more. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { syntheticCatalog } from '../../scripts/eval/catalog.ts';
import { changedPart, differences, indexAfter, indexOf, putIn, searchQuestions } from '../fixtures/search-questions.ts';
import { onPostgres } from '../fixtures/stores.ts';
import { openTestStore, releaseDatabase } from '../fixtures/test-store.ts';

const TRACKS = 1200;

const answersAlike = (questions: number): void =>
  test('SYNC-80 the index answers as the tables do, before and after changes', async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-same-'));
    const store = await openTestStore(data);
    onTestFinished(async () => {
      await store.close();
      await releaseDatabase(data);
      await rm(data, { recursive: true, force: true });
    });
    const catalog = syntheticCatalog({ seed: 3, tracks: TRACKS });
    await putIn(store, catalog);
    const before = searchQuestions(catalog, questions, 4);
    const asked = await differences(store.db, [await indexOf(store.db)], before);
    expect(asked.different).toEqual([]);
    expect(asked.answered).toBeGreaterThan(questions / 2);

    const part = changedPart(catalog, 5);
    const laid = await indexAfter(store.db, () => putIn(store, part));
    const after = [
      ...before.slice(0, questions / 5),
      ...searchQuestions(part, questions / 2, 6),
      'zwisch',
      'zwishenzug3',
    ];
    expect((await differences(store.db, [laid, await indexOf(store.db)], after)).different).toEqual([]);
  });

describe('the same search (node:sqlite)', () => answersAlike(120));
onPostgres('the same search', () => answersAlike(40));
