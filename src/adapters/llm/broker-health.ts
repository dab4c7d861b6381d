/** The staged check of the server's model: its own words where the server, not the model, is what does not answer. */
import type { CompletionResponse, JsonSchema } from '#core/agent/llm/message.ts';
import type {
  Capabilities,
  CancelSignal,
  HealthReport,
  HealthStage,
  HealthStageName,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import type { ModelsAnswer } from '#core/agent/llm/wire.ts';
import { failure, type Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';

const TIMEOUT_MS = 60_000;
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { choice: { type: 'string', enum: ['A', 'B'] } },
  required: ['choice'],
  additionalProperties: false,
};

interface Parts {
  complete: LlmProvider['complete'];
  models: () => Promise<Result<ModelsAnswer>>;
}

/** Stages in order, up to the first that fails. One question to the server, one to its model. */
export async function checkBroker(
  parts: Parts,
  signal: CancelSignal | undefined,
  onStage: ((stage: HealthStage) => void) | undefined,
): Promise<HealthReport> {
  const stages: HealthStage[] = [];
  let capabilities: Capabilities | null = null;
  let models: string[] = [];
  let since = performance.now();
  const stage = (name: HealthStageName, said: string, wrong: Failure | null = null): void => {
    const now = performance.now();
    const ended = { stage: name, ok: wrong === null, said, failure: wrong, milliseconds: Math.round(now - since) };
    since = now;
    stages.push(ended);
    onStage?.(ended);
  };
  const report = (ms_per_token: number | null = null): HealthReport => ({
    ok: stages.every((one) => one.ok),
    stages,
    capabilities,
    ms_per_token,
    models,
  });

  const answer = await parts.models();
  if (!answer.ok) {
    const at = stageOf(answer.failure);
    if (at !== 'reachable') stage('reachable', 'The catalog server answers.');
    if (at === 'model') stage('permitted', 'The server accepts your token.');
    stage(at, answer.failure.message, answer.failure);
    return report();
  }
  stage('reachable', 'The catalog server answers.');
  stage('permitted', 'The server accepts your token.');
  models = answer.value.models.map((model) => model.id);
  capabilities = answer.value.models[0]?.capabilities ?? null;
  if (capabilities === null) {
    stage('model', 'The server names no model.', failure('model_missing', 'The catalog server names no model.'));
    return report();
  }

  const asked = performance.now();
  const said = await parts.complete([{ role: 'user', content: 'Answer A as JSON: {"choice":"A"}' }], undefined, {
    schema: { name: 'check', schema: SCHEMA },
    maxTokens: 64,
    temperature: 0,
    timeoutMs: TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!said.ok) {
    stage(said.failure.code === 'model_schema' ? 'schema' : 'model', said.failure.message, said.failure);
    return report();
  }
  stage('model', `The server lends ${models[0] ?? ''} (${answer.value.provider}).`);
  if (!obeys(said.value)) {
    const text = 'The model of the server did not keep to the schema that it was given.';
    stage('schema', text, failure('model_schema', text));
    return report();
  }
  stage('schema', 'The model keeps to a schema.');
  const { tokens_out, milliseconds } = said.value.usage;
  if (tokens_out === null || tokens_out === 0) {
    stage('speed', `An answer took ${Math.round(performance.now() - asked)} ms; the server does not count tokens.`);
    return report();
  }
  const ms = milliseconds / tokens_out;
  stage('speed', `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms a token.`);
  return report(ms);
}

function stageOf(failed: Failure): HealthStageName {
  if (failed.code === 'model_unauthorized') return 'permitted';
  return failed.code === 'model_missing' ? 'model' : 'reachable';
}

function obeys(response: CompletionResponse): boolean {
  try {
    const value: unknown = JSON.parse(response.message.content);
    return typeof value === 'object' && value !== null && 'choice' in value && /^[AB]$/.test(String(value.choice));
  } catch {
    return false;
  }
}
