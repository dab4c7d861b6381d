/**
 * Every stream, whole and cut into random fragments (within UTF-8 characters too), is read by the official `openai`
 * and `ollama` clients as well, and gives the same text and the same calls. Many runs over bodies in memory, a few
 * over real sockets.
 */
import { mulberry32 } from '#core/mulberry32.ts';
import fc from 'fast-check';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import type { Message, LlmProvider } from '#core/agent/llm/provider.ts';
import type { Result } from '#core/result.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { fragments, ollamaBody, openAiBody, type Protocol, type Reply } from '../fixtures/model-wire.ts';
import { asked, QUESTION, TOOLS } from './llm-provider.ts';

const MODEL = 'tiny:latest';
const BASE = 'http://model.test';
const clock = { now: () => 0 };

interface Said {
  content: string;
  calls: { name: string; arguments: unknown }[];
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((value) => value.trim() !== '' && !value.trimStart().startsWith('<'));
const calls = fc.array(
  fc.record({
    name: fc.constantFrom('search_catalog', 'get_track_info', 'set_match'),
    arguments: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const replies: fc.Arbitrary<Reply> = fc
  .tuple(
    fc.oneof(
      fc.record({ content: text }),
      fc.record({ toolCalls: calls }),
      fc.record({ content: text, toolCalls: calls }),
    ),
    fc.record({ thinking: text }, { requiredKeys: [] }),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([said, thinking, pieces]) => ({ ...said, ...thinking, pieces }));

describe('official clients', () => {
  for (const protocol of ['ollama', 'openai'] as const) {
    it(`LLM-54 ${protocol}: fragments change nothing, and its own client reads the same`, async () => {
      await fc.assert(
        fc.asyncProperty(replies, fc.nat(), fc.boolean(), async (reply, seed, stream) => {
          const whole = await ours(protocol, BASE, bodyFetch(protocol, reply, null), stream);
          const cutUp = await ours(protocol, BASE, bodyFetch(protocol, reply, seed), stream);
          const theirs = await official(protocol, BASE, bodyFetch(protocol, reply, seed), stream);
          expect(cutUp).toEqual(whole);
          expect(cutUp).toEqual(theirs);
          expect(cutUp.calls).toEqual(JSON.parse(JSON.stringify(reply.toolCalls ?? [])));
        }),
        { numRuns: 150 },
      );
    });

    it(`LLM-54 ${protocol}: the same over sockets`, async () => {
      const script: Reply[] = [];
      const server = await startModelServer({ fragmentSeed: 11, reply: () => script[0] ?? {} });
      try {
        await fc.assert(
          fc.asyncProperty(replies, fc.boolean(), async (reply, stream) => {
            script[0] = reply;
            const mine = await ours(protocol, server.url, fetch, stream);
            expect(mine).toEqual(await official(protocol, server.url, fetch, stream));
          }),
          { numRuns: 20 },
        );
      } finally {
        await server.close();
      }
    });
  }
});

/** A server in memory: the body in pieces of that seed, or in one. */
function bodyFetch(protocol: Protocol, reply: Reply, seed: number | null): typeof fetch {
  return (_input, init) => {
    const sent: unknown = JSON.parse(String(init?.body));
    const stream = typeof sent === 'object' && sent !== null && 'stream' in sent && sent.stream === true;
    const bytes = new TextEncoder().encode((protocol === 'ollama' ? ollamaBody : openAiBody)(reply, MODEL, stream));
    const parts = seed === null ? [bytes] : fragments(bytes, mulberry32(seed));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const streamed = protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
    return Promise.resolve(new Response(body, { headers: { 'content-type': stream ? streamed : 'application/json' } }));
  };
}

async function ours(protocol: Protocol, url: string, send: typeof fetch, stream: boolean): Promise<Said> {
  const make = protocol === 'ollama' ? createOllama : createOpenAi;
  const provider: LlmProvider = make({
    baseUrl: url,
    model: MODEL,
    contextLength: 4096,
    clock,
    stream,
    fetch: send,
    page: null,
  });
  let heard = '';
  const result = await provider.complete(QUESTION, TOOLS, asked({ onText: (delta) => (heard += delta) }));
  const message = unwrap(result).message;
  expect(heard).toBe(message.content);
  return said(message);
}

function said(message: Message): Said {
  const list = message.tool_calls ?? [];
  return { content: message.content, calls: list.map((call) => ({ name: call.name, arguments: call.arguments })) };
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

function official(protocol: Protocol, url: string, send: typeof fetch, stream: boolean): Promise<Said> {
  return protocol === 'ollama' ? officialOllama(url, send, stream) : officialOpenAi(url, send, stream);
}

async function officialOllama(url: string, send: typeof fetch, stream: boolean): Promise<Said> {
  const client = new Ollama({ host: url, fetch: send });
  const request = { model: MODEL, messages: [{ role: 'user', content: 'x' }] };
  const out: Said = { content: '', calls: [] };
  const add = (message: {
    content: string;
    tool_calls?: { function: { name: string; arguments: object } }[];
  }): void => {
    out.content += message.content;
    for (const { function: fn } of message.tool_calls ?? []) out.calls.push({ name: fn.name, arguments: fn.arguments });
  };
  if (stream) for await (const part of await client.chat({ ...request, stream: true })) add(part.message);
  else add((await client.chat({ ...request, stream: false })).message);
  return out;
}

async function officialOpenAi(url: string, send: typeof fetch, stream: boolean): Promise<Said> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch: send, maxRetries: 0 });
  const request = { model: MODEL, messages: [{ role: 'user' as const, content: 'x' }] };
  const completion = stream
    ? await client.chat.completions.stream(request).finalChatCompletion()
    : await client.chat.completions.create(request);
  const message = completion.choices[0]?.message;
  const list = (message?.tool_calls ?? []).filter((call) => call.type === 'function');
  return {
    content: message?.content ?? '',
    calls: list.map(({ function: fn }) => ({ name: fn.name, arguments: JSON.parse(fn.arguments) as unknown })),
  };
}
