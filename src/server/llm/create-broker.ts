import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { LlmConfig } from '../config-file.ts';
import type { CatalogDeps } from '../deps.ts';
import { Broker } from './broker.ts';
import { KEY_COMMAND_LIMIT_MS } from './key-command.ts';
import { KeySource } from './key-source.ts';
import { Upstream } from './upstream.ts';
import { UsageLimits } from './usage-limits.ts';

/** How main.ts, which alone knows the adapters, makes the provider that sends this key. */
export type MakeProvider = (llm: LlmConfig, key: string | null) => LlmProvider;

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
