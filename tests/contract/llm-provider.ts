/**
 * What every LlmProvider holds, whatever its wire (src/core/agent/llm/provider.ts). A harness makes a provider that
 * will be answered with one scripted reply; one that has no wire of its own leaves `faults` out.
 */
import { describe, expect, it } from 'vitest';
import type { Message, ToolDefinition, CompletionOptions, LlmProvider } from '#core/agent/llm/provider.ts';
import type { Reply } from '../fixtures/model-wire.ts';

export interface ProviderHarness {
  name: string;
  /** The provider's wire can fail, hang and be cut. */
  faults: boolean;
  /** The wire tells thinking from text by itself; a leading `<think>` is dropped by every provider. */
  answering(reply: Reply | (() => Promise<Reply>)): Promise<{ provider: LlmProvider; close(): Promise<void> }>;
}

export const QUESTION: readonly Message[] = [
  { role: 'system', content: 'Answer with a letter.' },
  { role: 'user', content: 'A) Golden Slumbers\nB) Her Majesty' },
];
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'search_catalog',
    description: 'Looks for albums.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
];
export const SCHEMA = {
  name: 'choice',
  schema: {
    type: 'object',
    properties: { choice: { type: 'string', enum: ['A', 'B', 'none'] }, why: { type: 'string' } },
    required: ['choice', 'why'],
    additionalProperties: false,
  },
} as const;

export function asked(extra: Partial<CompletionOptions> = {}): CompletionOptions {
  return { maxTokens: 200, temperature: 0.3, timeoutMs: 5_000, ...extra };
}

export function llmProviderSuite(harness: ProviderHarness): void {
  const run = async <T>(
    reply: Reply | (() => Promise<Reply>),
    look: (provider: LlmProvider) => Promise<T>,
  ): Promise<T> => {
    const { provider, close } = await harness.answering(reply);
    try {
      return await look(provider);
    } finally {
      await close();
    }
  };

  describe(harness.name, () => {
    it('LLM-40 an answer is its text, why it ended, and what it cost', async () => {
      const result = await run({ content: 'Bé – 好', promptTokens: 31, answerTokens: 7 }, (provider) =>
        provider.complete(QUESTION, undefined, asked()),
      );
      expect(result).toMatchObject({
        ok: true,
        value: {
          message: { role: 'assistant', content: 'Bé – 好' },
          finish_reason: 'stop',
          usage: { tokens_in: 31, tokens_out: 7 },
        },
      });
    });

    it('LLM-40 the pieces that onText hears are the text', async () => {
      let heard = '';
      const result = await run({ content: '{"choice":"B","why":"Größe 好"}', pieces: 9 }, (provider) =>
        provider.complete(QUESTION, undefined, asked({ schema: SCHEMA, onText: (delta) => (heard += delta) })),
      );
      expect(result.ok && result.value.message.content).toBe('{"choice":"B","why":"Größe 好"}');
      expect(heard).toBe('{"choice":"B","why":"Größe 好"}');
    });

    it('LLM-41 calls have a name, a JSON value and an id of their own', async () => {
      const result = await run(
        {
          toolCalls: [
            { name: 'search_catalog', arguments: { query: 'Abbey Röad', limit: 5, deep: { x: [1, null] } } },
            { name: 'search_catalog', arguments: {} },
          ],
        },
        (provider) => provider.complete(QUESTION, TOOLS, asked()),
      );
      if (!result.ok) throw new Error(result.failure.message);
      const calls = result.value.message.tool_calls ?? [];
      expect(result.value.finish_reason).toBe('tool_calls');
      expect(calls.map((call) => [call.name, call.arguments])).toEqual([
        ['search_catalog', { query: 'Abbey Röad', limit: 5, deep: { x: [1, null] } }],
        ['search_catalog', {}],
      ]);
      expect(new Set(calls.map((call) => call.id)).size).toBe(2);
      expect(calls.every((call) => call.id !== '')).toBe(true);
    });

    it('LLM-42 thinking is in no answer and in no piece of it', async () => {
      let heard = '';
      const reply = { thinking: 'SECRET one', content: '<think>SECRET two</think>\n\n{"choice":"B"}', pieces: 11 };
      const result = await run(reply, (provider) =>
        provider.complete(QUESTION, undefined, asked({ onText: (delta) => (heard += delta) })),
      );
      expect(JSON.stringify(result) + heard).not.toContain('SECRET');
      expect(result.ok && result.value.message.content.trim()).toBe('{"choice":"B"}');
    });

    it('LLM-43 an answer that ran out of tokens says so', async () => {
      const result = await run({ content: '{"choice":"B","wh', finish: 'length', answerTokens: 200 }, (provider) =>
        provider.complete(QUESTION, undefined, asked()),
      );
      expect(result.ok && result.value.finish_reason).toBe('max_tokens');
    });

    it('LLM-47 a call that was cancelled before it began is cancelled', async () => {
      const result = await run({ content: 'B' }, (provider) =>
        provider.complete(QUESTION, undefined, asked({ signal: AbortSignal.abort() })),
      );
      expect(result).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    });

    it('LLM-51 a healthy model passes every stage in order', async () => {
      const heard: string[] = [];
      const reply = { content: '{"choice":"B","why":"An apple is a fruit."}', answerTokens: 12 };
      const report = await run(reply, (provider) =>
        provider.healthCheck(undefined, (stage) => heard.push(`${stage.stage} ${stage.ok}`)),
      );
      expect(report.ok).toBe(true);
      expect(report.models).not.toEqual([]);
      expect(heard).toEqual([
        'reachable true',
        'permitted true',
        'model true',
        'schema true',
        'speed true',
        'tools true',
      ]);
    });

    if (harness.faults) faultCases(run);
  });
}

type Run = <T>(reply: Reply | (() => Promise<Reply>), look: (provider: LlmProvider) => Promise<T>) => Promise<T>;

function faultCases(run: Run): void {
  const codeOf = (reply: Reply | (() => Promise<Reply>), extra: Partial<CompletionOptions> = {}) =>
    run(reply, async (provider) => {
      const result = await provider.complete(QUESTION, undefined, asked(extra));
      return result.ok ? result.value.finish_reason : result.failure.code;
    });

  it('LLM-44 an answer that broke off is cut, never half an answer', async () => {
    expect(await codeOf({ content: 'a long answer', dieAt: 0.6 })).toBe('model_cut');
    expect(await codeOf({ content: 'a long answer', dieAt: 0 })).toBe('model_cut');
  });

  it('LLM-45 too much to do: rate_limited, with the wait that was named', async () => {
    const later = async (retryAfter: string | undefined, status: number) =>
      run({ status, error: 'busy', ...(retryAfter === undefined ? {} : { retryAfter }) }, async (provider) => {
        const result = await provider.complete(QUESTION, undefined, asked());
        return result.ok ? null : result.failure;
      });
    expect(await later('7', 429)).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 7000 });
    expect(await later(undefined, 503)).not.toHaveProperty('retryAfterMs');
    const date = await later(new Date(Date.now() + 60_000).toUTCString(), 503);
    expect(date?.retryAfterMs).toBeGreaterThan(50_000);
    expect(date?.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('LLM-46 silence ends in model_timeout, before the headers and in mid-answer', async () => {
    expect(await codeOf({ hang: 'before-headers' }, { timeoutMs: 60 })).toBe('model_timeout');
    expect(await codeOf({ content: 'half of it', hang: 'mid-stream' }, { timeoutMs: 120 })).toBe('model_timeout');
  });

  it('LLM-47 a cancel stops a call that is under way', async () => {
    const controller = new AbortController();
    const reply = (): Promise<Reply> => {
      controller.abort();
      return Promise.resolve({ hang: 'before-headers' });
    };
    expect(await codeOf(reply, { signal: controller.signal })).toBe('cancelled');
  });

  it('LLM-48 an answer of nothing is model_empty', async () => {
    expect(await codeOf({ content: '' })).toBe('model_empty');
    expect(await codeOf({ content: ' \n ' })).toBe('model_empty');
    expect(await codeOf({ content: '<think>only thoughts</think>' })).toBe('model_empty');
  });

  it('LLM-49 a status has its code', async () => {
    expect(await codeOf({ status: 500, error: 'kaboom' })).toBe('model_error');
    expect(await codeOf({ status: 401, error: 'no' })).toBe('model_unauthorized');
    expect(await codeOf({ status: 403, error: 'no' })).toBe('model_unauthorized');
    expect(await codeOf({ status: 404, error: 'model "x" not found, try pulling it first' })).toBe('model_missing');
  });

  it('LLM-49 a page that is no answer of a model is said to be one', async () => {
    const page = { raw: '<!doctype html><title>Sign in</title>', contentType: 'text/html' };
    expect(await codeOf(page)).toBe('model_error');
  });

  it('LLM-50 a question that does not fit the context says so', async () => {
    const said = "This model's maximum context length is 4096 tokens, you asked for 9000.";
    expect(await codeOf({ status: 400, error: said })).toBe('model_context_full');
  });

  it('LLM-51 the check stops at the stage that failed', async () => {
    const stages = async (reply: Reply) =>
      run(reply, async (provider) => {
        const report = await provider.healthCheck();
        return [report.ok, report.stages.at(-1)?.stage, report.stages.at(-1)?.failure?.code];
      });
    expect(await stages({ content: 'An apple, I think.' })).toEqual([false, 'schema', 'model_schema']);
    expect(await stages({ content: '{"choice":"B","why":1}' })).toEqual([false, 'schema', 'model_schema']);
    expect(await stages({ status: 500, error: 'kaboom' })).toEqual([false, 'schema', 'model_error']);
  });
}
