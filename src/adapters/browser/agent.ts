/** The agent of this workstation: its engine over the replica, and the model that the settings name. */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { Result } from '#core/result.ts';
import type { HttpOptions } from '../http/request.ts';
import type { Timers } from '../http/socket.ts';
import type { ModelSession } from '../models/inference.ts';
import { modelOfSettings } from './llm/agent-model.ts';
import { createMusicAgent } from './llm/music-agent.ts';
import { openProvider } from './llm/provider-from-settings.ts';
import { recordedModel } from './llm/recorded-model.ts';
import type { AgentStageDeps } from './pipeline/agent-stage.ts';
import type { PipelineContext } from './pipeline/apply.ts';
import { readSettings } from './settings.ts';
import { createModelKeyStore } from './token.ts';

export interface AgentDeps extends PipelineContext {
  timers: Timers;
  /** The catalog server, for its broker. */
  server: HttpOptions;
  index(): Promise<CatalogIndex | null>;
  openModel(): ModelSession;
  /** 0 <= x < 1. */
  random(): number;
}

/** The settings are read again for each doubt; a provider is kept while they stay the same (its model is loaded). */
export function createAgent(deps: AgentDeps): AgentStageDeps['agent'] {
  const { db, clock, timers, server, openModel } = deps;
  const key = (origin: string): Promise<string | null> => createModelKeyStore(db, origin).get();
  let opened: { fingerprint: string; provider: LlmProvider } | null = null;

  async function open(settings: Settings, fingerprint: string): Promise<Result<LlmProvider>> {
    if (opened?.fingerprint === fingerprint) return { ok: true, value: opened.provider };
    const result = await openProvider(settings, { clock, timers, server, openModel, key });
    opened = result.ok ? { fingerprint, provider: result.value } : null;
    return result;
  }

  return {
    engine: createMusicAgent(deps),
    seed: () => Math.floor(deps.random() * 2 ** 31),
    async model(batch) {
      const settings = await readSettings(db);
      const model = modelOfSettings(settings, (fingerprint) => open(settings, fingerprint));
      return model ?? (batch.demo ? recordedModel() : null);
    },
  };
}
