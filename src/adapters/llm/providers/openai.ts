import { OPENAI_ADDRESS, openAiBase } from '../address.ts';
import { behindAddress } from './kinds.ts';

export const openai = behindAddress({
  id: 'openai',
  label: 'OpenAI-compatible server',
  about: 'Hosted services, and llama.cpp, LM Studio, vLLM and their like.',
  server: {
    usualAddress: OPENAI_ADDRESS,
    usualModel: null,
    exampleModel: 'Name as the server knows it',
    takesKey: true,
    base: openAiBase,
    load: async () => (await import('../openai.ts')).createOpenAi,
    loadEmbedder: async () => (await import('../embed-wires.ts')).embedByOpenAi,
  },
});
