/** The same questions as offline (tests/unit/music/search.test.ts), to the server, on both stores. */
import { expect, onTestFinished, test } from 'vitest';
import { begunQuestions, catalogOfWords, holeIn } from '../fixtures/begun-questions.ts';
import { testServer } from '../fixtures/server.ts';

/** Of all questions: each costs a request. */
const EVERY = 13;

test('SYNC-71 what is typed has no holes on the server either: every beginning of a question finds what the whole finds', async () => {
  const server = await testServer();
  onTestFinished(() => server.end());
  const catalog = catalogOfWords(7, 20);
  expect((await server.api('POST', '/v1/catalog/import', catalog)).status).toBe(200);
  const questions = begunQuestions(catalog, EVERY);
  expect(questions.length).toBeGreaterThan(250);
  const holes: string[] = [];
  for (const one of questions) {
    const { body } = await server.api<Record<'albums' | 'tracks', { id: string }[]>>(
      'GET',
      `/v1/catalog/search?limit=20&q=${encodeURIComponent(one.question)}`,
    );
    const hole = holeIn(one, body, 20);
    if (hole !== null) holes.push(hole);
  }
  expect(holes).toEqual([]);
});
