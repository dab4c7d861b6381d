import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { llmProviderSuite } from './llm-provider.ts';

const clock = { now: () => Date.now() };
const wires = { ollama: createOllama, openai: createOpenAi };

for (const [name, make] of Object.entries(wires)) {
  for (const [form, stream, fragmentSeed] of [
    ['streamed', true, null],
    ['streamed in fragments', true, 7],
    ['whole', false, null],
    ['whole in fragments', false, 8],
  ] as const) {
    llmProviderSuite({
      name: `${name}, ${form}`,
      faults: true,
      async answering(reply) {
        const server = await startModelServer({
          fragmentSeed,
          reply: () => (typeof reply === 'function' ? reply() : reply),
        });
        const provider = make({ baseUrl: server.url, model: 'tiny:latest', contextLength: 4096, clock, stream });
        return { provider, close: () => server.close() };
      },
    });
  }
}
