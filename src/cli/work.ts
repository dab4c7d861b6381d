/** `accession work`: the flags, what accession.toml and the server say, and the line to whoever watches. */
import { hostname } from 'node:os';
import { broker } from '#adapters/llm/providers/broker.ts';
import { none } from '#adapters/llm/providers/none.ts';
import type { ServerDefaults } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import type { FileConfig } from '#server/config-file.ts';

export interface WorkFlags {
  server: string;
  tokenFile?: string;
  once?: boolean;
  /** Of what is in hand; a temporary one when absent. */
  dir?: string;
  ffmpeg?: string;
  name?: string;
  /** commander's `--no-model`. */
  model: boolean;
}

/**
 * The worker's own accession.toml names the model, else the server's broker.
 * @param settings what the server's defaults say of everything else
 */
export function withModel(
  settings: Settings,
  defaults: ServerDefaults,
  { llm, defaults: own }: Pick<FileConfig, 'llm' | 'defaults'>,
  wantsModel: boolean,
): Settings {
  return {
    ...settings,
    ...(llm === null ? {} : { llm_max_iterations: own.max_iterations, llm_strategy: own.strategy }),
    llm_temperature: llm?.temperature ?? settings.llm_temperature,
    llm_timeout_secs: llm?.timeout_secs ?? settings.llm_timeout_secs,
    llm_provider: !wantsModel ? 'none' : (llm?.provider ?? (defaults.broker ? broker : none).id),
    llm_base_url: llm?.base_url ?? '',
    llm_model: llm?.model ?? defaults.model ?? '',
    llm_context_length: llm?.context_length ?? settings.llm_context_length,
  };
}

/** How the server's list calls this worker. */
export function workerName(flags: WorkFlags): string {
  return (flags.name ?? `${hostname()} ${process.pid}`).slice(0, 100);
}
