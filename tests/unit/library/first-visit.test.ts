import { expect, test } from 'vitest';
import { yieldsChunks } from '#core/ingest/agent.ts';
import { laneCores } from '#lanes/browser-lanes.ts';

test('LIBRARY-140 the workers of a first visit load no agent that yields chunks', async () => {
  const agents = [...(await laneCores()).values()].flatMap(({ ingesters }) => ingesters);
  expect(agents.length).toBeGreaterThan(10);
  expect(agents.filter(yieldsChunks).map(({ agentId }) => agentId)).toEqual([]);
});
