import { OLLAMA_ADDRESS, ollamaBase } from '../address.ts';
import { behindAddress } from './kinds.ts';

const EXAMPLE = 'llama3.1:8b';

export const ollama = behindAddress({
  id: 'ollama',
  label: 'Ollama',
  about: 'On this computer or in your network.',
  server: {
    usualAddress: OLLAMA_ADDRESS,
    usualModel: EXAMPLE,
    exampleModel: EXAMPLE,
    takesKey: true,
    base: ollamaBase,
    load: async () => (await import('../ollama.ts')).createOllama,
    loadEmbedder: async () => (await import('../embed-wires.ts')).embedByOllama,
  },
  async open(options, forCheck) {
    const { createOllama, openOllama } = await import('../ollama.ts');
    // A check asks by itself what the model can do.
    return forCheck ? createOllama(options) : openOllama(options);
  },
});
