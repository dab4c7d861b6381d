import type { ServerDefaults } from '#core/agent/llm/wire.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';

/** Uploads are worked on by the server's settings, whoever does it (WORK-13). The model is the worker's own matter. */
export function workSettings(defaults: ServerDefaults): Settings {
  return {
    ...DEFAULT_SETTINGS,
    auto_approve_threshold: defaults.auto_approve_threshold,
    output_bitrate: defaults.output_bitrate,
    llm_max_iterations: defaults.max_iterations,
    llm_temperature: defaults.temperature,
    llm_timeout_secs: defaults.timeout_secs,
  };
}
