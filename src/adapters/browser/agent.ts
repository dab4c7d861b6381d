/** The agent of this workstation: its engine over the replica, and the model that the settings name. */
import type { CancelSignal, LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { Result } from '#core/result.ts';
import type { HttpOptions } from '../http/request.ts';
import type { Timers } from '../http/socket.ts';
import type { ModelSession } from '../models/inference.ts';
import { titleOfModel } from '../models/rows.ts';
import { modelOfSettings } from './llm/agent-model.ts';
import { recordedModel } from './llm/recorded-model.ts';
import type { AgentEngine } from './pipeline/agent-engine.ts';
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

/**
 * The settings are read again for each doubt; a provider is kept while they stay the same (its model is loaded). The
 * agent's own code is fetched when a doubt is first put to it: who has no model pays nothing for it.
 */
export function createAgent(deps: AgentDeps): AgentStageDeps['agent'] {
  const { db, clock, timers, server, openModel } = deps;
  const key = (origin: string): Promise<string | null> => createModelKeyStore(db, origin).get();
  let opened: { fingerprint: string; provider: Promise<Result<LlmProvider>> } | null = null;

  async function make(settings: Settings, before: typeof opened): Promise<Result<LlmProvider>> {
    // Two models at once may be more than the machine has memory for.
    const other = await before?.provider.catch(() => null);
    if (other?.ok) other.value.close?.();
    const { openProvider } = await import('./llm/provider-from-settings.ts');
    const titleOf = (id: string): Promise<string | null> => titleOfModel(db, id);
    return openProvider(settings, { clock, timers, server, openModel, key, titleOf });
  }

  async function open(settings: Settings, fingerprint: string, signal?: CancelSignal): Promise<Result<LlmProvider>> {
    if (opened?.fingerprint !== fingerprint) opened = { fingerprint, provider: make(settings, opened) };
    const mine = opened;
    let result: Result<LlmProvider> | null = null;
    try {
      result = await mine.provider;
    } finally {
      // Tried anew the next time.
      if (result?.ok !== true && opened === mine) opened = null;
    }
    if (!result.ok) return result;
    const ready = await result.value.prepare?.(signal);
    return ready === undefined || ready.ok ? result : ready;
  }

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
      const settings = await readSettings(db);
      const model = modelOfSettings(settings, (fingerprint, signal) => open(settings, fingerprint, signal));
      return model ?? (batch.demo ? recordedModel() : null);
    },
  };
}
