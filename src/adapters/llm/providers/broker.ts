import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import { inNode, leaves } from './kinds.ts';
import type { CatalogProvider, OpenOptions } from './provider.ts';

async function open({ server }: OpenOptions): Promise<Result<LlmProvider>> {
  if (server === null) return fail(failure('model_missing', 'There is no catalog server to ask.'));
  return (await import('../broker.ts')).openBroker(server);
}

/** The model that the catalog server lends (POST /v1/llm/chat). */
export const broker: CatalogProvider = {
  id: 'broker',
  label: 'The catalog server',
  about: 'The model that its operator has set up; keys stay there.',
  place: 'catalog',
  takesContextLength: false,
  whatLeaves: (to) => leaves(`${to}, which passes them on to the model that its operator chose`),
  open: (_settings, options) => open(options),
  openInNode: (_settings, options) => inNode(open(options)),
};
