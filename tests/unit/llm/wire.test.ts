import { mulberry32 } from '#core/mulberry32.ts';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import type {
  CompletionResponse,
  Message,
  ToolDefinition,
  CompletionOptions,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import type { Result } from '#core/result.ts';
import { fragments, ollamaBody, openAiBody, type Reply } from '../../fixtures/model-wire.ts';

const clock = { now: () => 0 };
const ASKED: CompletionOptions = { maxTokens: 100, temperature: 0.3, timeoutMs: 5000 };
const MESSAGES: readonly Message[] = [{ role: 'user', content: 'x' }];
const TOOLS: readonly ToolDefinition[] = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
const SCHEMA = {
  name: 'the choice',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string', enum: ['A', 'B'] }, why: { type: 'string', maxLength: 300 } },
    required: ['answer', 'why'],
    additionalProperties: false,
  },
} as const;

interface Fake {
  fetch: typeof fetch;
  bodies: Record<string, unknown>[];
}

/** Answers each request with the next body; a number is a refusal with 400 and the text that follows it. */
function fake(...answers: (string | { status: number; body: string })[]): Fake {
  const bodies: Record<string, unknown>[] = [];
  return {
    bodies,
    fetch: (_input, init) => {
      bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
      const answer = answers[Math.min(bodies.length, answers.length) - 1] ?? '';
      return Promise.resolve(
        typeof answer === 'string' ? new Response(answer) : new Response(answer.body, { status: answer.status }),
      );
    },
  };
}

function ollama(server: Fake, extra: object = {}): LlmProvider {
  return createOllama({
    baseUrl: '',
    model: 'm',
    contextLength: 2048,
    clock,
    page: null,
    fetch: server.fetch,
    ...extra,
  });
}

function openAi(server: Fake, extra: object = {}): LlmProvider {
  return createOpenAi({
    baseUrl: '',
    model: 'm',
    contextLength: 2048,
    clock,
    page: null,
    fetch: server.fetch,
    ...extra,
  });
}

function outcome(result: Result<CompletionResponse>): string {
  return result.ok ? result.value.finish_reason : result.failure.code;
}

const SCRIPT: readonly Message[] = [
  { role: 'user', content: 'x' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'look', arguments: { at: 1 } }] },
  { role: 'tool', content: '{"found":2}', tool_call_id: 'c1' },
  { role: 'assistant', content: 'hm', tool_calls: [{ id: 'c2', name: 'look', arguments: 'no json' }] },
];

describe('ollama', () => {
  it('LLM-56 num_ctx goes with every call, and tools never with a schema', async () => {
    const server = fake(ollamaBody({ content: '{"answer":"A","why":""}' }, 'm', true));
    await ollama(server).complete(MESSAGES, TOOLS, { ...ASKED, schema: SCHEMA });
    await ollama(server).complete(MESSAGES, TOOLS, { ...ASKED, seed: 4 });
    await ollama(server, { stream: false }).complete(MESSAGES, undefined, ASKED);
    expect(server.bodies[0]).toMatchObject({ format: SCHEMA.schema, options: { num_ctx: 2048, num_predict: 100 } });
    expect(server.bodies[0]).not.toHaveProperty('tools');
    expect(server.bodies[1]).toMatchObject({ tools: [{ type: 'function' }], options: { num_ctx: 2048, seed: 4 } });
    expect(server.bodies[1]).not.toHaveProperty('format');
    expect(server.bodies[2]).toMatchObject({ stream: false, truncate: false, options: { num_ctx: 2048 } });
  });

  it('LLM-41, LLM-81 arguments go out as objects, results with the name of their tool', async () => {
    const server = fake(ollamaBody({ content: 'ok' }, 'm', true));
    await ollama(server).complete(SCRIPT, TOOLS, ASKED);
    expect(server.bodies[0]?.['messages']).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: { name: 'look', arguments: { at: 1 } } }] },
      { role: 'tool', content: '{"found":2}', tool_name: 'look', tool_call_id: 'c1' },
      { role: 'assistant', content: 'hm', tool_calls: [{ id: 'c2', function: { name: 'look', arguments: {} } }] },
    ]);
  });

  it('LLM-50 a prompt that fills the context is not trusted', async () => {
    const said = async (promptTokens: number, answerTokens: number) =>
      outcome(
        await ollama(fake(ollamaBody({ content: 'B', promptTokens, answerTokens }, 'm', true))).complete(
          MESSAGES,
          undefined,
          ASKED,
        ),
      );
    expect(await said(2048, 1)).toBe('model_context_full');
    expect(await said(2040, 8)).toBe('model_context_full');
    expect(await said(2040, 7)).toBe('stop');
  });

  it('LLM-44, LLM-83 an error in mid-stream is an error, not an answer', async () => {
    const body = ollamaBody({ content: 'half of an answer', errorInStream: 'an error was encountered' }, 'm', true);
    const result = await ollama(fake(body)).complete(MESSAGES, undefined, ASKED);
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_error' } });
  });

  it('LLM-44 a stream without done is cut', async () => {
    for (const stream of [true, false]) {
      const whole = ollamaBody({ content: 'an answer', unfinished: stream }, 'm', stream);
      const body = stream ? whole : whole.slice(0, -20);
      expect(outcome(await ollama(fake(body), { stream }).complete(MESSAGES, undefined, ASKED))).toBe('model_cut');
    }
  });

  it('LLM-51 the check asks what the model can do, and names what is there when it is missing', async () => {
    const send: typeof fetch = (input) =>
      Promise.resolve(
        String(input).endsWith('/api/tags')
          ? Response.json({ models: [{ name: 'llama3.1:8b' }, { name: 'qwen3:4b' }] })
          : String(input).endsWith('/api/show')
            ? Response.json({ capabilities: ['completion'], model_info: { 'qwen3.context_length': 1024 } })
            : new Response(ollamaBody({ content: '{"choice":"B","why":"x"}', answerTokens: 20 }, 'qwen3:4b', true)),
      );
    const missing = await createOllama({
      baseUrl: '',
      model: 'm',
      contextLength: 9,
      clock,
      page: null,
      fetch: send,
    }).healthCheck();
    expect(missing.stages.at(-1)?.failure).toMatchObject({ code: 'model_missing' });
    expect(missing.stages.at(-1)?.failure?.remedy).toContain('ollama pull m');
    expect(missing.stages.at(-1)?.failure?.remedy).toContain('llama3.1:8b, qwen3:4b');
    let now = 0;
    const provider = createOllama({
      baseUrl: '',
      model: 'qwen3:4b',
      contextLength: 4096,
      clock: { now: () => (now += 100) },
      page: null,
      fetch: send,
    });
    const report = await provider.healthCheck();
    expect(report.capabilities).toMatchObject({ contextLength: 1024, nativeTools: false });
    expect(provider.capabilities.contextLength).toBe(1024);
    expect(report.ms_per_token).toBeGreaterThan(0);
  });
});

describe('openai', () => {
  it('LLM-56 a schema is strict where it can be, and tools never go with it', async () => {
    const server = fake(openAiBody({ content: '{"answer":"A","why":""}' }, 'm', true));
    await openAi(server).complete(MESSAGES, TOOLS, { ...ASKED, schema: SCHEMA });
    await openAi(server).complete(MESSAGES, undefined, {
      ...ASKED,
      schema: { name: 'any', schema: { anyOf: [SCHEMA.schema] } },
    });
    expect(server.bodies[0]).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'the_choice', strict: true, schema: SCHEMA.schema },
      },
    });
    expect(server.bodies[0]).not.toHaveProperty('tools');
    expect(server.bodies[1]).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  it('LLM-41, LLM-81 arguments go out as strings', async () => {
    const server = fake(openAiBody({ content: 'ok' }, 'm', true));
    await openAi(server).complete(SCRIPT, TOOLS, ASKED);
    expect(server.bodies[0]?.['messages']).toEqual([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', content: '{"found":2}', tool_call_id: 'c1' },
      {
        role: 'assistant',
        content: 'hm',
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
    ]);
  });

  it('LLM-41 deltas without an index are put together all the same, cut anywhere', async () => {
    const calls = [
      { name: 'look', arguments: { at: 'ä好', n: [1, 2] } },
      { name: 'look', arguments: {} },
      { name: 'take', arguments: { it: null } },
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 20 }), async (seed, pieces) => {
        const bytes = new TextEncoder().encode(openAiBody({ toolCalls: calls, noIndex: true, pieces }, 'm', true));
        const parts = fragments(bytes, mulberry32(seed));
        const send: typeof fetch = () =>
          Promise.resolve(
            new Response(
              new ReadableStream<Uint8Array>({
                pull(controller) {
                  const part = parts.shift();
                  if (part === undefined) controller.close();
                  else controller.enqueue(part);
                },
              }),
            ),
          );
        const result = await openAi({ fetch: send, bodies: [] }).complete(MESSAGES, TOOLS, ASKED);
        if (!result.ok) throw new Error(result.failure.message);
        const heard = result.value.message.tool_calls?.map((call) => ({ name: call.name, arguments: call.arguments }));
        expect(heard).toEqual(calls);
      }),
      { numRuns: 60 },
    );
  });

  it('LLM-97 calls of one answer that share an id stay apart by their index', async () => {
    const delta = (index: number, name: string, text: string) => ({
      choices: [{ delta: { tool_calls: [{ index, id: 'call_1', function: { name, arguments: text } }] } }],
    });
    const parts = [delta(0, 'look', '{"at":'), delta(1, 'take', '{"it":'), delta(0, '', '1}'), delta(1, '', '2}')];
    const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };
    const body = [...parts, end].map((part) => `data: ${JSON.stringify(part)}\n\n`).join('') + 'data: [DONE]\n\n';
    const result = await openAi(fake(body)).complete(MESSAGES, TOOLS, ASKED);
    const calls = result.ok ? (result.value.message.tool_calls ?? []) : [];
    expect(calls.map(({ name, arguments: input }) => [name, input])).toEqual([
      ['look', { at: 1 }],
      ['take', { it: 2 }],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('LLM-41, LLM-80 arguments that are no JSON stay text, empty ones are none, a second encoding is undone', async () => {
    const body = openAiBody(
      {
        toolCalls: [
          { name: 'a', arguments: '{"x": ' },
          { name: 'b', arguments: '' },
          { name: 'c', arguments: JSON.stringify('{"y":1}') },
        ],
      },
      'm',
      true,
    );
    const result = await openAi(fake(body)).complete(MESSAGES, TOOLS, ASKED);
    expect(result.ok && result.value.message.tool_calls?.map((call) => call.arguments)).toEqual([
      '{"x": ',
      {},
      { y: 1 },
    ]);
  });

  it('LLM-41 ids that were used before, or that are none, are numbered on', async () => {
    const reply: Reply = {
      toolCalls: [
        { name: 'a', arguments: {}, id: 'c1' },
        { name: 'b', arguments: {}, id: 'new' },
      ],
    };
    const result = await openAi(fake(openAiBody(reply, 'm', true))).complete(SCRIPT, TOOLS, ASKED);
    expect(result.ok && result.value.message.tool_calls?.map((call) => call.id)).toEqual(['call_3', 'new']);
  });

  it('LLM-44, LLM-83 no [DONE] and no reason is cut; an error in the stream is an error', async () => {
    const said = async (reply: Reply) =>
      outcome(await openAi(fake(openAiBody(reply, 'm', true))).complete(MESSAGES, undefined, ASKED));
    expect(await said({ content: 'an answer', unfinished: true })).toBe('model_cut');
    expect(await said({ content: 'an answer', errorInStream: 'the upstream went away' })).toBe('model_error');
    expect(await said({ content: 'an answer', errorInStream: 'Rate limit exceeded' })).toBe('rate_limited');
    expect(await said({ content: 'an answer', noUsage: true })).toBe('stop');
  });

  it('LLM-44 [DONE] without a reason to end is cut too: nobody said that the answer was whole', async () => {
    const whole = openAiBody({ content: 'an answer' }, 'm', true);
    const body = whole.replace('"finish_reason":"stop"', '"finish_reason":null');
    expect(body).toContain('[DONE]');
    expect(outcome(await openAi(fake(body)).complete(MESSAGES, undefined, ASKED))).toBe('model_cut');
    expect(outcome(await openAi(fake(whole.replace('data: [DONE]', ''))).complete(MESSAGES, undefined, ASKED))).toBe(
      'stop',
    );
  });

  it('LLM-57 what a server refuses by name is left out, and stays out', async () => {
    const good = openAiBody({ content: '{"answer":"A","why":""}' }, 'm', true);
    const server = fake(
      { status: 400, body: '{"error":{"message":"Unknown parameter: stream_options"}}' },
      { status: 400, body: '{"error":{"message":"Use max_completion_tokens instead of max_tokens."}}' },
      { status: 422, body: '{"detail":[{"msg":"temperature does not support 0.3 with this model"}]}' },
      { status: 400, body: '{"error":{"message":"Invalid schema for response_format: maxLength is not permitted"}}' },
      good,
    );
    const provider = openAi(server);
    expect(outcome(await provider.complete(MESSAGES, undefined, { ...ASKED, schema: SCHEMA }))).toBe('stop');
    await provider.complete(MESSAGES, undefined, { ...ASKED, schema: SCHEMA });
    expect(server.bodies).toHaveLength(6);
    const last = server.bodies[5] ?? {};
    expect(last).not.toHaveProperty('stream_options');
    expect(last).not.toHaveProperty('temperature');
    expect(last).not.toHaveProperty('max_tokens');
    expect(last).toMatchObject({ max_completion_tokens: 100, response_format: { type: 'json_schema' } });
    expect(JSON.stringify(last)).not.toContain('maxLength');
    expect(provider.capabilities.jsonSchema).toBe(true);
  });

  it('LLM-57, LLM-88 a server that knows no schema is asked in plain words in the end', async () => {
    const no = { status: 400, body: '{"error":"response_format is not supported"}' };
    const server = fake(no, no, no, openAiBody({ content: '{"answer":"A","why":""}' }, 'm', true));
    const provider = openAi(server);
    expect(outcome(await provider.complete(MESSAGES, undefined, { ...ASKED, schema: SCHEMA }))).toBe('stop');
    expect(server.bodies.map((body) => (body['response_format'] as { type?: string } | undefined)?.type)).toEqual([
      'json_schema',
      'json_schema',
      'json_object',
      undefined,
    ]);
    expect(provider.capabilities.jsonSchema).toBe(false);
  });

  it('LLM-57, LLM-88 a refusal about something else is not tried again', async () => {
    const server = fake({ status: 400, body: '{"error":"messages must not be empty"}' });
    expect(outcome(await openAi(server).complete(MESSAGES, undefined, ASKED))).toBe('model_error');
    expect(server.bodies).toHaveLength(1);
  });

  it('LLM-50 a length that is not ours is the context that was full', async () => {
    const said = async (promptTokens: number, answerTokens: number) =>
      outcome(
        await openAi(
          fake(openAiBody({ content: 'B', finish: 'length', promptTokens, answerTokens }, 'm', true)),
        ).complete(MESSAGES, undefined, ASKED),
      );
    expect(await said(2040, 8)).toBe('model_context_full');
    expect(await said(40, 100)).toBe('max_tokens');
  });
});

describe('both', () => {
  it('LLM-58 log-probabilities are those of the value that decides', async () => {
    const logprobs = [{ '{"': 0 }, { answer: 0 }, { '":"': 0 }, { B: -0.1, A: -2.5, ' C': -4, 'B"': -5 }, { '"}': 0 }];
    const content = '{"answer":"B"}';
    for (const [make, body] of [
      [ollama, ollamaBody({ content, logprobs }, 'm', true)],
      [openAi, openAiBody({ content, logprobs }, 'm', true)],
      [ollama, ollamaBody({ content, logprobs }, 'm', false)],
      [openAi, openAiBody({ content, logprobs }, 'm', false)],
    ] as const) {
      const result = await make(fake(body)).complete(MESSAGES, undefined, { ...ASKED, schema: SCHEMA });
      expect(result.ok && result.value.first_token_logprobs).toEqual({ B: -0.1, A: -2.5, C: -4 });
    }
  });

  it('LLM-59 white space without end is stopped, and is no whole answer', async () => {
    const content = `{"answer": ${' \n'.repeat(400)}`;
    for (const [make, body] of [
      [ollama, ollamaBody({ content, pieces: 40 }, 'm', true)],
      [openAi, openAiBody({ content, pieces: 40 }, 'm', true)],
    ] as const) {
      const result = await make(fake(body)).complete(MESSAGES, undefined, { ...ASKED, schema: SCHEMA });
      expect(outcome(result)).toBe('max_tokens');
      expect(result.ok && result.value.message.content).toBe('{"answer":');
    }
  });

  it('LLM-46 a stream that falls silent ends before the whole time is over', async () => {
    vi.useFakeTimers();
    try {
      const send: typeof fetch = (_input, init) =>
        Promise.resolve(
          new Response(
            new ReadableStream<Uint8Array>({
              start(controller) {
                controller.enqueue(new TextEncoder().encode('{"message":{"content":"x"},"done":false}\n'));
                init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
              },
            }),
          ),
        );
      const provider = ollama({ fetch: send, bodies: [] }, { idleMs: 1000 });
      const result = provider.complete(MESSAGES, undefined, { ...ASKED, timeoutMs: 60_000 });
      await vi.advanceTimersByTimeAsync(1001);
      expect(await result).toMatchObject({
        ok: false,
        failure: { code: 'model_timeout', message: '"m" stopped in mid-answer for 1 s.' },
      });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('LLM-53, LLM-87 any bytes at all end in an answer or a failure, never in a throw', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => `${JSON.stringify(value)}\n`),
      fc.jsonValue().map((value) => `data: ${JSON.stringify(value)}\n\n`),
      fc.constantFrom(
        'data: [DONE]\n\n',
        'event: x\n',
        '{"done":true}\n',
        '{"message":{"tool_calls":[null,{}]}}\n',
        'data: {"choices":[{"delta":{"tool_calls":[{}]}}]}\n\n',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, first) => {
        const provider = (first ? ollama : openAi)(fake(pieces.join('')));
        const result = await provider.complete(MESSAGES, TOOLS, ASKED);
        expect(typeof result.ok).toBe('boolean');
      }),
      { numRuns: 400 },
    );
  });
});
