/**
 * The staged check that every provider shares. One run, in order, ended by the first stage that fails:
 *
 *   list the models -> reachable, permitted      look for ours -> model
 *   one question bound to a schema -> schema      its tokens and time -> speed
 *   one question with one tool -> tools: no call is an answer, too
 */
import type {
  CompletionResponse,
  Message,
  Capabilities,
  CompletionOptions,
  HealthReport,
  HealthStage,
  HealthStageName,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure, type Failure, type FailureCode } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { probeTools } from '#core/agent/llm/tool-probe.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { parseJson } from './json.ts';

export interface HealthParts {
  clock: Clock;
  /** How the other side is called in a sentence: `Ollama at http://localhost:11434`. */
  where: string;
  model: string;
  /** The models that are there; empty where the other side has no list. */
  list(signal: CancelSignal | undefined): Promise<Result<string[]>>;
  /** What our model can do; the failure is that it is not there. */
  look(models: readonly string[], signal: CancelSignal | undefined): Promise<Result<Capabilities>>;
  complete: LlmProvider['complete'];
  /** What was learned of the model while it answered. */
  capabilities(): Capabilities;
  /** Milliseconds for one answer of the check; a model may have to be loaded first. */
  timeoutMs?: number;
}

const CHECK_MS = 180_000;
const PERMITTED: readonly FailureCode[] = ['model_cors', 'model_permission', 'model_unauthorized'];
/** No sooner known than asked: a probe of ours finds which of these it is. */
const UNREACHABLE: readonly FailureCode[] = ['model_unreachable', 'offline', 'model_timeout', 'model_cut', 'cancelled'];

const QUESTION: readonly Message[] = [
  {
    role: 'system',
    content: 'You answer with one JSON object and nothing else: {"choice": a letter, "why": a short sentence}.',
  },
  { role: 'user', content: 'Which of these is a fruit?\nA) a stone\nB) an apple\nC) a river\nAnswer as JSON.' },
];
const SCHEMA = {
  type: 'object',
  properties: { choice: { type: 'string', enum: ['A', 'B', 'C'] }, why: { type: 'string', maxLength: 100 } },
  required: ['choice', 'why'],
  additionalProperties: false,
};
const OPTIONS: Omit<CompletionOptions, 'timeoutMs'> = {
  schema: { name: 'check', schema: SCHEMA },
  maxTokens: 120,
  temperature: 0,
  seed: 1,
};

/** Never throws. A cancelled check ends in a failed stage with the code `cancelled`. */
export async function runHealthCheck(
  parts: HealthParts,
  signal?: CancelSignal,
  onStage?: (stage: HealthStage) => void,
): Promise<HealthReport> {
  const report: HealthReport = { ok: false, stages: [], capabilities: null, ms_per_token: null, models: [] };
  let since = parts.clock.now();
  const stage = (name: HealthStageName, said: string, wrong: Failure | null = null): void => {
    const now = parts.clock.now();
    const done = { stage: name, ok: wrong === null, said: wrong?.message ?? said, failure: wrong };
    const entry: HealthStage = { ...done, milliseconds: Math.max(0, now - since) };
    since = now;
    report.stages.push(entry);
    onStage?.(entry);
  };

  const listed = await parts.list(signal);
  if (!listed.ok) {
    const { code } = listed.failure;
    const at: HealthStageName = UNREACHABLE.includes(code)
      ? 'reachable'
      : PERMITTED.includes(code)
        ? 'permitted'
        : 'model';
    // What the browser holds back was never under way: nothing can be said about reaching it.
    if (at !== 'reachable' && code !== 'model_permission') stage('reachable', `${parts.where} answers.`);
    if (at === 'model') stage('permitted', 'Its answers can be read.');
    stage(at, '', listed.failure);
    return report;
  }
  report.models = listed.value;
  stage('reachable', `${parts.where} answers.`);
  stage('permitted', 'Its answers can be read, and it asks for nothing more.');

  const looked = parts.model === '' ? fail(noModel(report.models)) : await parts.look(report.models, signal);
  if (!looked.ok) {
    stage('model', '', looked.failure);
    return report;
  }
  report.capabilities = looked.value;
  stage('model', `"${parts.model}" is there.`);

  const answer = await parts.complete(QUESTION, undefined, {
    ...OPTIONS,
    timeoutMs: parts.timeoutMs ?? CHECK_MS,
    signal,
  });
  report.capabilities = parts.capabilities();
  const fits = answer.ok ? checkAnswer(parts.model, answer.value) : answer;
  if (!fits.ok) {
    stage('schema', '', whileChecking(fits.failure));
    return report;
  }
  const bound = report.capabilities.jsonSchema;
  stage(
    'schema',
    bound ? 'Its answer keeps to the schema.' : 'Its answer fits, though it cannot be bound to a schema.',
  );

  report.ms_per_token = speedOf(fits.value);
  report.ok = true;
  stage(
    'speed',
    report.ms_per_token === null
      ? 'It does not say how many tokens it wrote.'
      : `${Math.round(report.ms_per_token)} ms a token.`,
  );

  const called = await probeTools(parts.complete, { timeoutMs: parts.timeoutMs ?? CHECK_MS, signal });
  if (!called.ok) {
    const cancelled = called.failure.code === 'cancelled';
    stage('tools', `It could not be found out: ${called.failure.message}`, cancelled ? called.failure : null);
    return report;
  }
  report.calls_tools = called.value;
  report.capabilities = { ...report.capabilities, nativeTools: called.value };
  stage('tools', called.value ? 'It calls tools.' : 'It was offered a tool and did not call it.');
  return report;
}

/** The usual remedy of these speaks of a question that was handed to a person; here there was none. */
function whileChecking(wrong: Failure): Failure {
  if (wrong.code !== 'model_cut' && wrong.code !== 'model_empty')
    return { ...wrong, remedy: wrong.remedy.replace('press "Ask the model again" on the question', 'press Test') };
  return { ...wrong, remedy: 'Look at the log of the model server, or try another model, then press Test.' };
}

function noModel(models: readonly string[]): Failure {
  const few = models.slice(0, 5).join(', ');
  return failure('model_missing', 'No model is chosen.', {
    remedy: `Choose a model in Settings, Model${few === '' ? '' : `: there are ${few}`}.`,
  });
}

function checkAnswer(model: string, response: CompletionResponse): Result<CompletionResponse> {
  const value = parseJson(response.message.content);
  const fits =
    response.finish_reason === 'stop' &&
    isRecord(value) &&
    typeof value['choice'] === 'string' &&
    ['A', 'B', 'C'].includes(value['choice']) &&
    typeof value['why'] === 'string';
  return fits
    ? ok(response)
    : fail(failure('model_schema', `"${model}" was asked for JSON of a schema and answered something else.`));
}

/** The whole time by the answer's tokens: what a person waits for, the reading of the question included. */
function speedOf(response: CompletionResponse): number | null {
  const { tokens_out, milliseconds } = response.usage;
  return tokens_out === null || tokens_out === 0 ? null : milliseconds / tokens_out;
}
