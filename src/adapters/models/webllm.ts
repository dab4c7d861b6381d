/**
 * WebLLM: models on WebGPU, in this worker. Loaded by dynamic import only. Its weights are in the Cache API already,
 * put there and checked by the model manager; nothing is fetched here.
 */
import {
  type ChatCompletionChunk,
  type ChatCompletionRequestStreaming,
  MLCEngine,
  prebuiltAppConfig,
} from '@mlc-ai/web-llm';
import type { FinishReason } from '#core/agent/llm/provider.ts';
import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  type AnswerText,
  collectAnswer,
  type Ending,
  type Engine,
  longestText,
  plainMessages,
  TextLimit,
} from './engine.ts';
import { ENGINES } from './engines.ts';
import { schemaToGrammar } from './grammar.ts';
import type { InferenceRequest } from './model-api.ts';

const CONTEXT = ENGINES.webllm.mostContext ?? 4096;

/** Fails with `gpu_missing`, `gpu_lost`, `model_error`. The model's parts must be here. */
export async function openWebllm({ id }: { id: string }): Promise<Result<Engine>> {
  const engine = new MLCEngine({ appConfig: { ...prebuiltAppConfig, cacheBackend: 'cache' }, logLevel: 'SILENT' });
  try {
    await engine.reload(id, { context_window_size: CONTEXT });
    return ok(engineOf(engine, id));
  } catch (thrown) {
    await engine.unload().catch(() => undefined);
    return fail(inWords(id, thrown));
  }
}

function engineOf(engine: MLCEngine, id: string): Engine {
  const interrupt = (): void => void engine.interruptGenerate();
  return {
    contextLength: CONTEXT,
    answer(request, onText, signal) {
      const limit = new TextLimit(request.schema === null ? Infinity : longestText(request.schema.schema));
      const ask = async (answer: AnswerText): Promise<Ending> => {
        let finish: FinishReason | null = null;
        let usage: ChatCompletionChunk['usage'];
        for await (const chunk of await engine.chat.completions.create(toRequest(request))) {
          finish = finishOf(chunk) ?? finish;
          usage = chunk.usage ?? usage;
          const delta = chunk.choices[0]?.delta.content ?? '';
          answer.add(delta);
          if (limit.passedBy(delta) || answer.padded) interrupt();
        }
        if (limit.passed) finish = 'max_tokens';
        return { finish, tokens_in: usage?.prompt_tokens ?? null, tokens_out: usage?.completion_tokens ?? null };
      };
      return collectAnswer(id, { onText, signal, interrupt }, ask, (thrown) => inWords(id, thrown));
    },
    close: () => engine.unload(),
  };
}

function toRequest(request: InferenceRequest): ChatCompletionRequestStreaming {
  return {
    messages: plainMessages(request.messages),
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    stream: true,
    stream_options: { include_usage: true },
    // Models that think aloud would spend their tokens before the grammar lets them answer.
    extra_body: { enable_thinking: false },
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(request.schema === null
      ? {}
      : { response_format: { type: 'grammar', grammar: schemaToGrammar(request.schema.schema, { bounded: false }) } }),
  };
}

function finishOf({ choices }: ChatCompletionChunk): FinishReason | null {
  const reason = choices[0]?.finish_reason ?? null;
  if (reason === null || reason === 'abort') return null;
  return reason === 'length' ? 'max_tokens' : 'stop';
}

/** WebLLM's errors are told apart by their names. */
function inWords(id: string, thrown: unknown): Failure {
  if (thrown instanceof AccessionError) return thrown.failure;
  const [name, text] = thrown instanceof Error ? [thrown.name, thrown.message] : ['', String(thrown)];
  if (name === 'WebGPUNotAvailableError' || name === 'WebGPUNotFoundError')
    return failure('gpu_missing', 'This browser gives this page no WebGPU.');
  if (name === 'ShaderF16SupportError' || name === 'FeatureSupportError')
    return failure('gpu_missing', `This graphics card lacks what "${id}" needs (shader-f16).`, {
      remedy: 'Choose the 32-bit form of this model in Settings, Model.',
    });
  if (name === 'ContextWindowSizeExceededError')
    return failure('model_context_full', `The question does not fit the ${CONTEXT} tokens of "${id}".`);
  // After a loss the engine has unloaded itself; what was running fails in one way or the other.
  if (
    name === 'DeviceLostError' ||
    name === 'ModelNotLoadedError' ||
    /device (is|was) lost|disposed|unmapped/i.test(text)
  )
    return failure('gpu_lost', `The graphics card was lost while "${id}" ran (too little memory, most likely).`);
  return failure('model_error', `The model "${id}" failed (${text}).`);
}
