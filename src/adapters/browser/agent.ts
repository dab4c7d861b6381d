/** The agent of this workstation: its engine over the replica, and the model that the settings name. */
import type { CatalogIndex } from '#core/music/search.ts';
import { createModelOpener, type ModelOpenerDeps } from './llm/model-opener.ts';
import { recordedModel } from './llm/recorded-model.ts';
import type { AgentEngine } from './pipeline/agent-engine.ts';
import type { AgentStageDeps } from './pipeline/agent-stage.ts';
import type { PipelineContext } from './pipeline/apply.ts';

export interface AgentDeps extends PipelineContext, Pick<ModelOpenerDeps, 'timers' | 'server' | 'openModel'> {
  index(): Promise<CatalogIndex | null>;
  /** 0 <= x < 1. */
  random(): number;
}

/** The agent's own code is fetched when a doubt is first put to it: who has no model pays nothing for it. */
export function createAgent(deps: AgentDeps): AgentStageDeps['agent'] {
  const models = createModelOpener(deps);

  let engine: Promise<AgentEngine> | null = null;
  async function load(): Promise<AgentEngine> {
    const { createMusicAgent } = await import('./llm/music-agent.ts');
    return createMusicAgent(deps);
  }
  async function loaded(): Promise<AgentEngine> {
    engine ??= load();
    try {
      return await engine;
    } catch (error) {
      // Not there now (offline before the app was kept whole): tried again at the next need.
      engine = null;
      throw error;
    }
  }

  return {
    engine: loaded,
    seed: () => Math.floor(deps.random() * 2 ** 31),
    async model(batch) {
      return (await models.model()) ?? (batch.demo ? recordedModel() : null);
    },
  };
}
