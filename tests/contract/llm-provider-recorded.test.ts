import { createOllama } from '#adapters/llm/ollama.ts';
import { createRecorded, emptyCassette, recordInto } from '#adapters/llm/recorded.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { asked, llmProviderSuite, QUESTION, SCHEMA, TOOLS } from './llm-provider.ts';

llmProviderSuite({
  name: 'recorded',
  faults: false,
  async answering(reply) {
    const server = await startModelServer({ reply: () => (typeof reply === 'function' ? reply() : reply) });
    const clock = { now: () => Date.now() };
    const cassette = emptyCassette('tiny:latest');
    const live = recordInto(
      createOllama({ baseUrl: server.url, model: 'tiny:latest', contextLength: 4096, clock }),
      cassette,
    );
    await live.complete(QUESTION, TOOLS, asked());
    await live.complete(QUESTION, undefined, asked({ schema: SCHEMA }));
    await server.close();
    return { provider: createRecorded({ cassette }), close: () => Promise.resolve() };
  },
});
