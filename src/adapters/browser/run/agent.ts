import type { Agent } from '#core/run/agent.ts';
import { createModelOpener, type ModelOpenerDeps } from '../llm/model-opener.ts';
import { recordedModel } from '../llm/recorded-model.ts';

/** The model that the settings name; where none is set, *Try it* has recorded answers. `random`: 0 <= x < 1. */
export function createAgent(deps: ModelOpenerDeps & { random(): number }): Agent {
  const models = createModelOpener(deps);
  return {
    seed: () => Math.floor(deps.random() * 2 ** 31),
    model: async (batch) => (await models.model()) ?? (batch.demo ? recordedModel() : null),
  };
}
