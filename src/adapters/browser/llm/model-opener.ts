import type { AgentModel } from '#core/agent/workflow/ports.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { ProviderId } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { HttpOptions } from '../../http/request.ts';
import type { Timers } from '../../http/socket.ts';
import { modelOfSettings } from '../../llm/agent-model.ts';
import { openProvider } from '../../llm/providers/providers.ts';
import type { ModelSession } from '../../models/model-api.ts';
import type { AccessionDb } from '../db.ts';
import { readSettings } from '../settings.ts';
import { createModelKeyStore } from '../token.ts';
import { titleOfModel } from './model-rows.ts';

export interface ModelOpenerDeps {
  db: AccessionDb;
  clock: Clock;
  timers: Timers;
  /** The catalog server, for its broker. */
  server: HttpOptions;
  openModel(): ModelSession;
}

export interface ModelOpener {
  /** The model that the settings name now; null where none is set. Nothing of it is loaded before it is opened. */
  model(): Promise<AgentModel | null>;
  /** Lets go of what an opened model holds. */
  close(): Promise<void>;
}

export interface NamedModelOpener extends ModelOpener {
  /** Another than they name, with what they say beside: at their address, or the usual one where theirs is another provider's. */
  modelNamed(named: Pick<AgentModel, 'model'> & { provider: ProviderId }): Promise<AgentModel | null>;
}

/** The settings are read again for each question; a provider is kept while they stay the same (its model is loaded). */
export function createModelOpener({ db, clock, timers, server, openModel }: ModelOpenerDeps): NamedModelOpener {
  const key = (origin: string): Promise<string | null> => createModelKeyStore(db, origin).get();
  let opened: { fingerprint: string; provider: Promise<Result<LlmProvider>> } | null = null;

  async function end(before: typeof opened): Promise<void> {
    const other = await before?.provider.catch(() => null);
    if (other?.ok) other.value.close?.();
  }

  async function make(settings: Settings, before: typeof opened): Promise<Result<LlmProvider>> {
    // Two models at once may be more than the machine has memory for.
    await end(before);
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

  const of = (settings: Settings): AgentModel | null =>
    modelOfSettings(settings, (fingerprint, signal) => open(settings, fingerprint, signal));

  return {
    model: async () => of(await readSettings(db)),
    async modelNamed({ provider, model }) {
      const settings = await readSettings(db);
      const address = settings.llm_provider === provider ? settings.llm_base_url : '';
      return of({ ...settings, llm_provider: provider, llm_model: model, llm_base_url: address });
    },
    async close() {
      const last = opened;
      opened = null;
      await end(last);
    },
  };
}
