import type { CompletionResponse, JsonSchema } from '#core/agent/llm/message.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { HealthReport, HealthStage, HealthStageName, LlmProvider } from '#core/agent/llm/provider.ts';
import { failure, type Failure } from '#core/errors.ts';
import { isRecord } from '#core/agent/tools/canonical.ts';
import { parseJson } from '../llm/json.ts';

const CHOICES = ['A', 'B', 'none'];
/** The smallest answer that shows whether a schema holds. */
const PROBE: { name: string; schema: JsonSchema } = {
  name: 'probe',
  schema: {
    type: 'object',
    properties: { choice: { enum: CHOICES } },
    required: ['choice'],
    additionalProperties: false,
  },
};

/** `title`: how the model is called in a sentence. One short bound answer; nothing is reached over a network, so those stages pass by what they are. */
export async function checkLocalModel(
  provider: LlmProvider,
  title: string,
  signal?: CancelSignal,
  onStage?: (stage: HealthStage) => void,
): Promise<HealthReport> {
  const stages: HealthStage[] = [];
  const add = (stage: HealthStageName, said: string, milliseconds: number, failure: Failure | null = null): void => {
    const entry: HealthStage = { stage, ok: failure === null, said, failure, milliseconds };
    stages.push(entry);
    onStage?.(entry);
  };
  const report = (msPerToken: number | null): HealthReport => {
    const ok = stages.every((stage) => stage.ok);
    return {
      ok,
      stages,
      capabilities: ok ? provider.capabilities : null,
      ms_per_token: msPerToken,
      models: [provider.model],
    };
  };

  add('reachable', 'The model runs in this browser.', 0);
  add('permitted', 'No key and no permission is needed.', 0);
  const answer = await provider.complete(
    [{ role: 'user', content: 'Which letter comes first in the alphabet? Answer in JSON.' }],
    undefined,
    { schema: PROBE, maxTokens: 32, temperature: 0, timeoutMs: 120_000, signal },
  );
  if (!answer.ok) {
    add('model', answer.failure.message, 0, answer.failure);
    return report(null);
  }
  const { message, usage } = answer.value;
  add('model', `The model "${title}" is loaded.`, 0);
  if (!fits(answer.value)) {
    const words = `"${title}" was asked for JSON of a schema and answered something else.`;
    add('schema', words, usage.milliseconds, failure('model_schema', words));
    return report(null);
  }
  add('schema', `An answer bound to a schema fits it: ${message.content}`, usage.milliseconds);
  const each = usage.tokens_out === null || usage.tokens_out === 0 ? null : usage.milliseconds / usage.tokens_out;
  add('speed', each === null ? 'The model answers.' : `${each.toFixed(0)} ms a token.`, usage.milliseconds);
  return report(each);
}

function fits({ message, finish_reason }: CompletionResponse): boolean {
  const value = parseJson(message.content);
  if (finish_reason !== 'stop' || !isRecord(value)) return false;
  const { choice, ...more } = value;
  return typeof choice === 'string' && CHOICES.includes(choice) && Object.keys(more).length === 0;
}
