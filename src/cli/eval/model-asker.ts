/** Doubts put to a model by the same executor and the same workflow as in the app. */
import { createHash } from 'node:crypto';
import type { CancelSignal, LlmProvider } from '#core/agent/llm/provider.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { Strategy, Workflow } from '#core/agent/workflow/workflow.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { musicContext } from '#core/music/agent/context.ts';
import { musicWorkflowFor } from '#core/music/agent/definition.ts';
import type { AgentAction, Doubt } from '#core/music/agent/doubt.ts';
import { findingOf } from '#core/music/agent/finding.ts';
import type { DownloadRequest } from '#core/music/catalog.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import { seeded } from './random.ts';
import type { Asker } from './run-case.ts';

export interface ModelAskerOptions {
  provider: LlmProvider;
  index: CatalogIndex;
  strategy: 'auto' | Strategy;
  seed: number;
  signal?: AbortSignal;
  /** Hears of every workflow that ended, for tests. */
  onEnd?: (workflow: Workflow<Doubt, AgentAction>) => void;
}

export function modelAsker(options: ModelAskerOptions): Asker {
  const { provider, index, signal } = options;
  let asked = 0;
  return {
    async ask(doubt) {
      const definition = musicWorkflowFor(provider.capabilities.contextLength);
      const workflow = startWorkflow(definition, doubt, {
        id: `eval-${++asked}`,
        now: Date.now(),
        strategy: pickStrategy(options.strategy, provider),
        model: `${provider.name}/${provider.model}`,
        recorded: provider.name === 'recorded',
        seed: Math.floor(seeded(options.seed, doubt.key)() * 2 ** 31),
      });
      const context = musicContext({
        index,
        files: doubt.files,
        requests: () => Promise.resolve(requestsOf(doubt)),
        cursor: () => 'eval',
      });
      const ended = await runUntilBlocked(workflow, {
        definition,
        registry: new AgentToolRegistry(definition.tools),
        options: {
          temperature: DEFAULT_SETTINGS.llm_temperature,
          timeoutMs: DEFAULT_SETTINGS.llm_timeout_secs * 1000,
          limits: DEFAULT_LIMITS,
          price: { in: 0, out: 0 },
        },
        ports: {
          provider,
          context,
          clock: { now: () => Date.now() },
          sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
          wait: rest,
          save: () => Promise.resolve(),
          perform: () => Promise.resolve(),
          ...(signal ? { signal } : {}),
        },
      });
      options.onEnd?.(ended);
      const { iterations, tokens_in, tokens_out } = ended.spent;
      return { finding: findingOf(ended), spent: { calls: iterations, tokens: tokens_in + tokens_out } };
    },
  };
}

/** The request that the case's files were sent for; what it wants is the matcher's to know. */
function requestsOf(doubt: Doubt): DownloadRequest[] {
  if (doubt.context.request_id === null) return [];
  return [
    {
      id: doubt.context.request_id,
      status: 'pending',
      album_id: null,
      track_id: null,
      requested_by: 'eval',
      created_at: 0,
      fulfilled_at: null,
    },
  ];
}

/** Resolves after that time, or as soon as it is not wanted any more. */
function rest(milliseconds: number, signal: CancelSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
