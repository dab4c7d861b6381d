/** Models that run in this browser: their list, their weights, their answers. The engines load when they are asked. */
import { expose } from 'comlink';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { browserPorts, providerOfDraft } from '#adapters/browser/llm/model-world.ts';
import type { InferenceApi, ModelApi } from '#adapters/models/model-api.ts';
import { ModelService } from '#adapters/models/model-service.ts';
import { openDatabase } from '#lanes/database.ts';

const db = openDatabase();
endWithPage(db, self);

expose(
  new ModelService({
    ...browserPorts(db),
    openGguf: async (model) => (await import('#adapters/models/wllama.ts')).openWllama(model),
    openWebllm: async (model) => (await import('#adapters/models/webllm.ts')).openWebllm(model),
    provider: (draft, session) => providerOfDraft(db, draft, session),
  }) satisfies ModelApi & InferenceApi,
);
