import { expect, it } from 'vitest';
import { ragRetrieve } from '#lanes/library/core/ask/tools/rag-retrieve.ts';
import { libraryOf } from '../ask-world.ts';
import { STATION } from '../run-world.ts';
import { called } from './tool-world.ts';

it('ASK-72 rag_retrieve takes query, k, retriever_profile and rerank, and gives docs as the specification names them', async () => {
  const index = await libraryOf(STATION);
  const look = (input: Record<string, unknown>) => called({ tool: ragRetrieve }, input, { index });
  const found = (await look({ query: 'winter hours', k: 2, retriever_profile: 'bm25', rerank: true })) as {
    docs: object[];
  };
  expect(found.docs.length).toBeGreaterThan(0);
  expect(found.docs.length).toBeLessThanOrEqual(2);
  for (const doc of found.docs) {
    // Pages where it has some.
    expect(Object.keys(doc).sort()).toEqual(['metadata', 'score', 'source_id', 'text', 'title']);
    expect(doc).toMatchObject({
      source_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      score: expect.any(Number) as number,
    });
  }
  for (const wrong of [
    { query: '', k: 2 },
    { query: 'x' },
    { query: 'x', k: 0 },
    { query: 'x', k: 101 },
    { query: 'x', k: 1.5 },
    { query: 'x', k: 2, retriever_profile: 'fast' },
    { query: 'x', k: 2, rerank: 'yes' },
    { query: 'x', k: 2, path: '/etc' },
    { query: 7, k: 2 },
  ])
    expect(await look(wrong), JSON.stringify(wrong)).toHaveProperty('refused');
});
