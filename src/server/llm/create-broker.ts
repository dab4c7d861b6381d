import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { LlmConfig } from '../config-file.ts';
import type { CatalogDeps } from '../deps.ts';
import { Broker } from './broker.ts';
import { KEY_COMMAND_LIMIT_MS } from './key-command.ts';
import { KeySource } from './key-source.ts';
import { Upstream, type AskKey } from './upstream.ts';
import { UsageLimits } from './usage-limits.ts';

/** How main.ts, which alone knows the adapters, makes the provider; it asks for the key before every request. */
export type MakeProvider = (llm: LlmConfig, key: AskKey) => LlmProvider;

export interface BrokerParts extends Pick<CatalogDeps, 'store' | 'clock' | 'log'> {
  provider: MakeProvider;
  /** Milliseconds; the specification's ten seconds where it is not said. */
  keyCommandLimitMs?: number;
  heartbeatMs?: number;
}

/** The broker of what accession.toml says. */
export function createServerBroker(llm: LlmConfig, parts: BrokerParts): Broker {
  const { store, clock, log } = parts;
  const stop = new AbortController();
  const keys = new KeySource(llm.key, {
    limitMs: parts.keyCommandLimitMs ?? KEY_COMMAND_LIMIT_MS,
    signal: stop.signal,
  });
  return new Broker({
    upstream: new Upstream({ keys, baseUrl: llm.base_url, provider: (key) => parts.provider(llm, key) }),
    limits: new UsageLimits(llm.limits, clock, store),
    provider: llm.provider,
    temperature: llm.temperature,
    timeoutMs: llm.timeout_secs * 1000,
    clock,
    log,
    stop,
    ...(parts.heartbeatMs === undefined ? {} : { heartbeatMs: parts.heartbeatMs }),
  });
}
