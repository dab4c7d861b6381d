/** The model behind the broker: any LlmProvider, with the key that is good now, and nothing secret in what it says. */
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { CompletionResponse, HealthStage, LlmProvider } from '#core/agent/llm/provider.ts';
import { failure, type Failure, type FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { LlmConfig } from '../config-file.ts';
import type { KeySource } from './key-source.ts';
import { Mask } from '#core/agent/llm/mask.ts';
import { askKey, withRenewedKey, type AskKey } from './renewed-key.ts';

/** What the person at the workstation cannot repair in their own settings. */
const SERVER_SIDE: readonly FailureCode[] = [
  'model_unreachable',
  'model_unauthorized',
  'model_missing',
  'model_timeout',
  'model_context_full',
  'model_schema',
  'model_error',
  'offline',
];
const REMEDY = 'Ask the administrator to look at the model server and at [agent.llm] in accession.toml.';
const LOOK_MS = 5_000;

/** The same for the model that makes vectors: the key that is good now, and nothing secret in a failure. */
export function upstreamOfVectors(
  keys: KeySource,
  baseUrl: string,
  make: (key: AskKey) => Embedder,
): Pick<Embedder, 'embed'> {
  const embedder = make(askKey(keys));
  return {
    async embed(texts, signal) {
      const key = await keys.get();
      if (!key.ok) return key;
      let result = await embedder.embed(texts, signal);
      if (!result.ok && result.failure.code === 'model_unauthorized' && keys.renewable) {
        const next = await keys.after(key.value);
        if (!next.ok) return next;
        result = await embedder.embed(texts, signal);
      }
      return result.ok ? result : fail(hideIn(keys, addressesOf(baseUrl), result.failure));
    },
  };
}

/** The name under which vectors of this model are kept. */
export const embedderName = ({ provider, embedding_model: model }: LlmConfig): string => `${provider}/${model ?? ''}`;

const addressesOf = (baseUrl: string): string[] => {
  const { href, origin, host } = new URL(baseUrl);
  return [baseUrl, href, href.replace(/\/+$/, ''), origin, host];
};

function hideIn(keys: KeySource, addresses: string[], wrong: Failure): Failure {
  const hidden = new Mask(keys.known, addresses).failure(wrong);
  return SERVER_SIDE.includes(hidden.code) ? { ...hidden, remedy: REMEDY } : hidden;
}

interface UpstreamOptions {
  keys: KeySource;
  /** Address of the model's server, to be kept out of failures. */
  baseUrl: string;
  provider: (key: AskKey) => LlmProvider;
  /** Milliseconds for a look at the model. */
  lookMs?: number;
}

export function createUpstream({ keys, baseUrl, provider: make, lookMs = LOOK_MS }: UpstreamOptions) {
  const provider = withRenewedKey(keys, make(askKey(keys)));
  const addresses = addressesOf(baseUrl);
  const mask = (): Mask => new Mask(keys.known, addresses);
  /** The model was found once, and what it can do is known. */
  let seen = false;
  let looking: Promise<Failure | null> | null = null;

  const explain = (wrong: Failure): Failure => hideIn(keys, addresses, wrong);

  async function lookNow(): Promise<Failure | null> {
    const key = await keys.get();
    if (!key.ok) return key.failure;
    let wrong = await find();
    if (wrong?.code === 'model_unauthorized' && keys.renewable) {
      const next = await keys.after(key.value);
      if (!next.ok) return next.failure;
      wrong = await find();
    }
    seen = wrong === null;
    return wrong === null ? null : explain(wrong);
  }

  /** The provider's own check, stopped as soon as it has found the model: no question is asked, no token spent. */
  async function find(): Promise<Failure | null> {
    const enough = new AbortController();
    const late = AbortSignal.timeout(lookMs);
    const stages: HealthStage[] = [];
    await provider.healthCheck(AbortSignal.any([enough.signal, late]), (stage) => {
      stages.push(stage);
      if (stage.stage === 'model') enough.abort();
    });
    if (enough.signal.aborted) return stages.find((stage) => stage.stage === 'model')?.failure ?? null;
    if (late.aborted) return failure('model_timeout', `The model server did not answer within ${lookMs / 1000} s.`);
    return stages.find((stage) => stage.failure !== null)?.failure ?? null;
  }

  return {
    get model() {
      return provider.model;
    },
    get capabilities() {
      return provider.capabilities;
    },

    /** Asks the model's server, until it has answered once, what the model can do. Null, or why it cannot be used now. */
    async look(): Promise<Failure | null> {
      if (seen) return null;
      looking ??= lookNow().finally(() => {
        looking = null;
      });
      return looking;
    },

    /** Like LlmProvider.complete, with nothing secret in it. */
    async complete(
      ...[messages, tools, options]: Parameters<LlmProvider['complete']>
    ): Promise<Result<CompletionResponse>> {
      const key = await keys.get();
      if (!key.ok) return key;
      // Made when the answer begins: the key may be renewed before.
      let pieces: ReturnType<Mask['stream']> | undefined;
      const give = (delta = ''): void => {
        if (delta !== '') options.onText?.(delta);
      };
      const result = await provider.complete(messages, tools, {
        ...options,
        onText: (delta) => give((pieces ??= mask().stream()).push(delta)),
      });
      if (!result.ok) return fail(explain(result.failure));
      give(pieces?.end());
      return ok(mask().response(result.value));
    },
  };
}
