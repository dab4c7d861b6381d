/** Servers of one protocol differ in what they take. What one refuses by name is left out from then on. */
import type { Failure } from '#core/errors.ts';
import { SCHEMA_MODES, type OpenAiSettings } from './openai-wire.ts';

/** In the order in which they are given up. */
const OPTIONAL = ['stream_options', 'top_logprobs', 'logprobs', 'seed', 'temperature'] as const;

/**
 * The settings to try again with, or null where the failure is about something else. `body`: what was sent. Only a
 * refusal (400, 422, 501) is looked at: nothing was answered, so nothing is asked twice.
 */
export function concede(
  settings: OpenAiSettings,
  body: Readonly<Record<string, unknown>>,
  wrong: Failure,
): OpenAiSettings | null {
  if (wrong.code !== 'model_error' || !/ \((?:400|422|501)\)/.test(wrong.message)) return null;
  const said = wrong.message;
  if ('max_tokens' in body && /max_completion_tokens/.test(said)) return { ...settings, completionTokens: true };
  for (const name of OPTIONAL) {
    if (!(name in body) || !said.includes(name)) continue;
    const fields = name.includes('logprobs') ? ['logprobs', 'top_logprobs'] : [name];
    return { ...settings, without: new Set([...settings.without, ...fields]) };
  }
  if ('response_format' in body && /response_?format|json_?schema|json_?object|structured|schema|grammar/i.test(said)) {
    const next = SCHEMA_MODES[SCHEMA_MODES.indexOf(settings.schemaMode) + 1];
    return next === undefined ? null : { ...settings, schemaMode: next };
  }
  return null;
}
