/** Models that run in this browser: their list, their weights, their answers. The engines load when they are asked. */
import { expose } from 'comlink';
import type { ModelApi } from '#adapters/browser/api.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { browserPorts } from '#adapters/models/browser-ports.ts';
import type { InferenceApi } from '#adapters/models/inference.ts';
import { ModelService } from '#adapters/models/model-service.ts';
import { providerOfDraft } from '#adapters/models/provider-of-draft.ts';

const db = new AccessionDb();

expose(
  new ModelService({
    ...browserPorts(db),
    openGguf: async (model) => (await import('#adapters/models/wllama.ts')).openWllama(model),
    openWebllm: async (model) => (await import('#adapters/models/webllm.ts')).openWebllm(model),
    provider: (draft, session) => providerOfDraft(db, draft, session),
  }) satisfies ModelApi & InferenceApi,
);
