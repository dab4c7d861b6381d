/** Doubts put to a model by the same engine as in the app. */
import { DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { ok } from '#core/result.ts';
import type { DoubtWorkflow } from '#core/run/agent.ts';
import { createMusicEngine } from '#lanes/music/agent/music-engine.ts';
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { seeded } from './random.ts';
import type { Asker } from './run-case.ts';

export interface ModelAskerOptions {
  provider: LlmProvider;
  index: CatalogIndex;
  strategy: 'auto' | Strategy;
  seed: number;
  /** Stops the case in hand. */
  signal?: AbortSignal;
  /** Called with every workflow that ended, for tests. */
  onEnd?: (workflow: DoubtWorkflow) => void;
}

const timers = {
  set: (run: () => void, ms: number) => setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
};

export function modelAsker({ provider, index, strategy, seed, signal, onEnd }: ModelAskerOptions): Asker {
  return {
    ...(signal ? { signal } : {}),
    model: {
      ...{ provider: provider.name, model: provider.model, recorded: provider.name === RECORDED, hosted: false },
      ...{ strategy, fingerprint: `${provider.name}/${provider.model}`, seed: null },
      options: {
        temperature: DEFAULT_SETTINGS.llm_temperature,
        timeoutMs: DEFAULT_SETTINGS.llm_timeout_secs * 1000,
        limits: DEFAULT_LIMITS,
        price: { in: 0, out: 0 },
      },
      open: () => Promise.resolve(ok(provider)),
    },
    engine({ case_id, context }, spend) {
      // What it wants is the matcher's to know.
      const request: DownloadRequest = {
        ...{ id: `request of ${case_id}`, status: 'pending', album_id: null, track_id: null },
        ...{ requested_by: 'eval', created_at: 0, fulfilled_at: null },
      };
      const engine = createMusicEngine({
        ...{ clock: { now: () => Date.now() }, timers },
        index: () => Promise.resolve(index),
        requests: () => Promise.resolve(context.type === 'download_request' ? [request] : []),
        cursor: () => Promise.resolve('eval'),
      });
      return {
        ...engine,
        begin: (doubt, options) =>
          engine.begin(doubt, { ...options, seed: Math.floor(seeded(seed, doubt.key)() * 2 ** 31) }),
        async run(workflow, ports) {
          const ended = await engine.run(workflow, ports);
          const { iterations, tokens_in, tokens_out } = ended.spent;
          spend({ calls: iterations, tokens: tokens_in + tokens_out });
          onEnd?.(ended);
          return ended;
        },
      };
    },
  };
}
