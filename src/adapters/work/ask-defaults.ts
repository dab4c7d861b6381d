/** A worker's first question: what the server says of itself, as soon as it is there. */
import * as v from 'valibot';
import { ServerDefaultsSchema, type ServerDefaults } from '#core/agent/llm/wire.ts';
import { AccessionError } from '#core/errors.ts';
import type { ServerClient } from '../http/server-client.ts';
import { isFinal } from './run-worker.ts';
import type { WorkUsing } from './work-on.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';

/** A server that is away is asked again after this, milliseconds. */
const AGAIN_MS = 5_000;

/** FAULT-14. Answers null when it was stopped before; throws AccessionError with what waiting does not mend. */
export async function askDefaults(
  client: Pick<ServerClient, 'config'>,
  { wait, say }: Pick<WorkUsing, 'wait' | 'say'>,
  stop: AbortSignal,
): Promise<ServerDefaults | null> {
  let away = false;
  while (!stop.aborted) {
    const answer = await client.config();
    if (answer.ok) return v.parse(ServerDefaultsSchema, answer.value);
    const { message, retryAfterMs } = answer.failure;
    if (isFinal(answer.failure)) throw new AccessionError(answer.failure);
    if (!away) say(`waiting for the server: ${message}`);
    away = true;
    await wait(retryAfterMs ?? AGAIN_MS, stop);
  }
  return null;
}

/** Uploads are worked on by the server's settings, whoever does it (WORK-13). The model is the worker's own matter. */
export function workSettings(defaults: ServerDefaults): Settings {
  return {
    ...DEFAULT_SETTINGS,
    auto_approve_threshold: defaults.auto_approve_threshold,
    output_bitrate: defaults.output_bitrate,
    llm_max_iterations: defaults.max_iterations,
    llm_strategy: defaults.strategy,
    llm_temperature: defaults.temperature,
    llm_timeout_secs: defaults.timeout_secs,
  };
}
