import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { failureOfStatus, failureOfStop, retryAfterMs, type FailureContext } from '#adapters/llm/failures.ts';
import { FAILURES, type Failure } from '#core/errors.ts';

const KEY = 'sk-proj-Very5ecret_key-0123456789';
const CONTEXT: FailureContext = {
  base: 'http://box:11434',
  model: 'llama3.1:8b',
  server: 'The model server',
  secrets: [KEY],
};
const NOW = Date.UTC(2026, 10, 22);
const answered = (status: number, body: unknown, headers: Record<string, string> = {}): Failure =>
  failureOfStatus(
    { status, headers: new Headers(headers) },
    typeof body === 'string' ? body : JSON.stringify(body),
    CONTEXT,
    NOW,
  );

it('AGENT-52 the remedy of an answer that stopped midway names the button that is there', () => {
  const stopped = failureOfStop('idle', true, 60_000, 30_000, CONTEXT);
  expect(stopped.code).toBe('model_timeout');
  expect(stopped.remedy).toContain('press "Ask the model again"');
  expect(FAILURES.gpu_lost.remedy).toContain('press "Ask the model again"');
});

describe('statuses', () => {
  const rows: [string, number, unknown, string][] = [
    ['a wrong key', 401, { error: { message: 'Incorrect API key provided' } }, 'model_unauthorized'],
    ['a forbidden key', 403, 'Forbidden', 'model_unauthorized'],
    ['Ollama without the model', 404, { error: "model 'x' not found" }, 'model_missing'],
    ['OpenAI without the model', 404, { error: { message: 'nope', code: 'model_not_found' } }, 'model_missing'],
    ['OpenRouter without the model', 400, { error: { message: 'foo/bar is not a valid model ID' } }, 'model_missing'],
    ['a path that is none', 404, '404 page not found', 'model_error'],
    ['tools refused', 400, { error: 'registry.ollama.ai/x does not support tools' }, 'model_schema'],
    [
      'tools refused elsewhere',
      404,
      { error: { message: 'No endpoints found that support tool use' } },
      'model_schema',
    ],
    ['a full context', 400, { error: { code: 'context_length_exceeded', message: 'too long' } }, 'model_context_full'],
    ['a full context in Ollama', 400, { error: 'the input length exceeds the context length' }, 'model_context_full'],
    [
      'a full context in llama.cpp',
      400,
      { error: { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' } },
      'model_context_full',
    ],
    ['a body too large', 413, '', 'model_context_full'],
    ['no memory', 500, { error: 'model requires more system memory (5.6 GiB) than is available' }, 'model_error'],
    ['its own trouble', 500, { error: 'llama runner process has terminated' }, 'model_error'],
    ['no credit', 402, { error: { message: 'Insufficient credits' } }, 'model_error'],
    ['too many', 429, { error: { message: 'slow down' } }, 'rate_limited'],
    ['busy', 503, { error: 'server busy, please try again' }, 'rate_limited'],
    ['overloaded', 529, '', 'rate_limited'],
    ['a validation list', 422, { detail: [{ msg: 'field required' }] }, 'model_error'],
    ["a proxy's page", 502, '<html>Bad gateway</html>', 'model_error'],
  ];
  for (const [what, status, body, code] of rows) {
    it(`LLM-49 ${what} is ${code}`, () => {
      const failure = answered(status, body);
      expect(failure.code).toBe(code);
      expect(failure.message).toMatch(/^[^\n]+\.$/);
      expect(failure.remedy).not.toBe('');
    });
  }

  it('LLM-49, LLM-84 the own words of the server are in the message, a page of HTML is not', () => {
    expect(answered(500, { error: 'llama runner process has terminated' }).message).toBe(
      'The model server answered with an error (500): llama runner process has terminated.',
    );
    expect(answered(502, '<html>Bad gateway</html>').message).toBe('The model server answered with an error (502).');
    expect(answered(422, { detail: [{ msg: 'field required' }] }).message).toContain('field required');
  });

  it('LLM-45 Retry-After is read as seconds, as a date and as milliseconds, and nonsense is not read', () => {
    const wait = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);
    expect(wait({ 'retry-after': '2' })).toBe(2000);
    expect(wait({ 'retry-after': '0.5' })).toBe(500);
    expect(wait({ 'retry-after': new Date(NOW + 90_000).toUTCString() })).toBe(90_000);
    expect(wait({ 'retry-after': new Date(NOW - 90_000).toUTCString() })).toBe(0);
    expect(wait({ 'retry-after-ms': '120', 'retry-after': '9' })).toBe(120);
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(wait({})).toBeUndefined();
  });
});

describe('keys', () => {
  it('LLM-49, LLM-84 no key is in a failure, wherever the server puts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 400, 401, 404, 429, 500),
        fc.constantFrom(
          (key: string): unknown => ({ error: { message: `Incorrect API key provided: ${key}.` } }),
          (key: string): unknown => ({ error: `Bearer ${key}` }),
          (key: string): unknown => `plain ${key} text`,
          (key: string): unknown => ({ detail: [{ msg: [`${key}${key}`] }] }),
          (key: string): unknown => `data: {"error":{"message":"${key} is wrong"}}\n\n`,
        ),
        fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'abcXYZ019-_.') }),
        fc.boolean(),
        fc.boolean(),
        async (status, body, key, ollama, dynamic) => {
          const said = body(key);
          const send: typeof fetch = () =>
            Promise.resolve(new Response(typeof said === 'string' ? said : JSON.stringify(said), { status }));
          const provider = (ollama ? createOllama : createOpenAi)({
            baseUrl: 'http://user:hunter22@box/?token=hunter22',
            model: 'm',
            contextLength: 4096,
            clock: { now: () => NOW },
            key: dynamic ? () => Promise.resolve(key) : key,
            fetch: send,
            page: null,
          });
          const result = await provider.complete([{ role: 'user', content: 'x' }], undefined, {
            maxTokens: 10,
            temperature: 0,
            timeoutMs: 1000,
          });
          const report = await provider.healthCheck();
          const all = JSON.stringify([result, report]);
          expect(result.ok).toBe(false);
          expect(all).not.toContain(key);
          expect(all).not.toContain('hunter22');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('LLM-49 a key that a header cannot hold is refused before anything is sent', async () => {
    let sent = 0;
    const provider = createOpenAi({
      baseUrl: 'https://api.test/v1',
      model: 'm',
      contextLength: 4096,
      clock: { now: () => NOW },
      key: 'schlüssel\n',
      fetch: () => Promise.resolve(new Response(`${(sent += 1)}`)),
      page: null,
    });
    const result = await provider.complete([{ role: 'user', content: 'x' }], undefined, {
      maxTokens: 10,
      temperature: 0,
      timeoutMs: 1000,
    });
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_unauthorized' } });
    expect(sent).toBe(0);
  });
});
