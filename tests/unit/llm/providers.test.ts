import { describe, expect, it } from 'vitest';
import { offeredProviders, providers, serverProviders } from '#adapters/llm/providers/providers.ts';
import { PROVIDER_IDS } from '#core/agent/llm/providers.ts';

describe('the descriptors of model providers', () => {
  it('every provider that settings may hold has one, and is offered', () => {
    expect(offeredProviders.map(({ id }) => id).sort()).toEqual([...PROVIDER_IDS].sort());
    expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length);
  });

  it('each says who it is, and all but none can be opened somewhere', () => {
    for (const { id, label, about, place, open, openInNode } of providers) {
      expect([id, label, about].every((words) => words.length > 0)).toBe(true);
      expect([id, open !== undefined || openInNode !== undefined]).toEqual([id, place !== 'none']);
    }
  });

  it('TRACE-8 each says what leaves this computer, with the place it goes to', () => {
    for (const { place, whatLeaves } of providers) {
      const said = whatLeaves('http://there', 'public');
      expect(said.includes('http://there')).toBe(place === 'server' || place === 'catalog');
      expect(said.endsWith('.')).toBe(true);
    }
  });

  it('LLM-53 the usual address of a server is what an empty one means', () => {
    for (const { server } of serverProviders) expect(server.base('')).toBe(server.usualAddress);
  });

  it('LLM-60 accession.toml may name those with an address, ollama first', () => {
    expect(serverProviders.map(({ id }) => id)).toEqual(['ollama', 'openai']);
  });
});
