import { ok } from '#core/result.ts';
import { inBrowser } from './kinds.ts';

export const wllama = inBrowser({
  id: 'wllama',
  label: 'This browser, on the processor',
  about: 'wllama. Runs everywhere, slowly; for small models, or a GGUF file of your own.',
  takesContextLength: true,
  /** In a headless browser, with the GGUF at that path. Throws AccessionError. */
  async openInNode({ llm_model: gguf, llm_context_length: contextLength }) {
    const { openHeadlessWllama } = await import('#in-node/headless-wllama.ts');
    return ok(await openHeadlessWllama({ gguf, contextLength }));
  },
});
