import 'fake-indexeddb/auto';
import { liveQuery } from 'dexie';
import { expect, test, vi } from 'vitest';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { modelOfSettings } from '#adapters/llm/agent-model.ts';
import { openOllama } from '#adapters/llm/ollama.ts';
import type { BrowserOptions } from '#adapters/llm/providers/provider.ts';
import { isHosted, modelOrigin, openProvider } from '#adapters/llm/providers/providers.ts';
import { readSettings, writeSettings } from '#adapters/browser/settings.ts';
import { createModelKeyStore } from '#adapters/browser/token.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { openDatabase } from '#lanes/database.ts';
import { testClock } from '../../fixtures/job.ts';
import { startModelServer } from '../../fixtures/model-server.ts';

const settings = (patch: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...patch });

function depsOf(db: AccessionDb): BrowserOptions {
  return {
    clock: testClock(),
    timers: { set: () => null, clear: () => undefined },
    server: { baseUrl: 'http://127.0.0.1:9', token: async () => null },
    key: (origin) => createModelKeyStore(db, origin).get(),
    openModel: () => {
      throw new Error('not opened before a question');
    },
  };
}

test('AGENT-48, TRACE-18 the key of a model server is kept by origin, encrypted, and sent to no other', async () => {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  const server = await startModelServer({ models: ['m'], key: 'sk-one' });
  const other = await startModelServer({ models: ['m'] });
  try {
    const ask = async (url: string) => {
      const opened = await openProvider(
        settings({ llm_provider: 'openai', llm_base_url: url, llm_model: 'm' }),
        depsOf(db),
      );
      if (!opened.ok) throw new Error(opened.failure.message);
      return opened.value.complete([{ role: 'user', content: 'hello' }], undefined, {
        maxTokens: 16,
        temperature: 0,
        timeoutMs: 5000,
      });
    };
    expect(await ask(server.url)).toMatchObject({ ok: false, failure: { code: 'model_unauthorized' } });
    await createModelKeyStore(db, new URL(server.url).origin).set('sk-one');
    expect(await ask(server.url)).toMatchObject({ ok: true });
    expect(await ask(other.url)).toMatchObject({ ok: true });
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(await db.meta.toArray())).not.toContain('sk-one');
  } finally {
    await server.close();
    await other.close();
  }
});

test('each provider is made of the settings; without a model there is none', async () => {
  const deps = depsOf(openDatabase(`test-${crypto.randomUUID()}`));
  const nameOf = async (patch: Partial<Settings>) => {
    const opened = await openProvider(settings(patch), deps);
    return opened.ok ? `${opened.value.name}/${opened.value.model}` : opened.failure.code;
  };
  expect(await nameOf({ llm_provider: 'ollama', llm_model: 'llama3.1:8b' })).toBe('ollama/llama3.1:8b');
  expect(await nameOf({ llm_provider: 'wllama', llm_model: 'tiny' })).toBe('wllama/tiny');
  expect(await nameOf({ llm_provider: 'webllm', llm_model: 'big' })).toBe('webllm/big');
  expect(await nameOf({ llm_provider: 'openai' })).toBe('model_missing');
  expect(await nameOf({ llm_provider: 'broker' })).not.toContain('broker/');
});

/** An Ollama that answers `/api/show` so, and says in `asked` what it was asked. */
function ollamaStub(show: () => Response | Promise<Response>): { asked: [string, unknown][]; send: typeof fetch } {
  const asked: [string, unknown][] = [];
  const send: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    const body: unknown = JSON.parse(String(init?.body));
    asked.push([path, body]);
    if (path === '/api/show') return show();
    const answer = { message: { role: 'assistant', content: 'A' }, done: true, done_reason: 'stop' };
    return new Response(`${JSON.stringify({ ...answer, prompt_eval_count: 5, eval_count: 1 })}\n`);
  };
  return { asked, send };
}

const ollama = { baseUrl: 'http://127.0.0.1:1', model: 'm', contextLength: 8192, clock: testClock(), page: null };
const question = { maxTokens: 16, temperature: 0, timeoutMs: 5000 };

test('LLM-78 what a model of Ollama can do is asked once, before its first question', async () => {
  const server = await startModelServer({ models: ['m'], capabilities: ['tools'], contextLength: 2048 });
  try {
    const patch = { llm_provider: 'ollama', llm_base_url: server.url, llm_model: 'm' } as const;
    const opened = await openProvider(settings(patch), depsOf(openDatabase(`test-${crypto.randomUUID()}`)));
    if (!opened.ok) throw new Error(opened.failure.message);
    expect(opened.value.capabilities).toMatchObject({ contextLength: 2048, nativeTools: true });
    await opened.value.complete([{ role: 'user', content: 'hello' }], undefined, question);
    expect(server.requests[0]?.body['options']).toMatchObject({ num_ctx: 2048 });
  } finally {
    await server.close();
  }

  const { asked, send } = ollamaStub(() => Response.json({ model_info: { 'x.context_length': 4096 } }));
  const provider = await openOllama({ ...ollama, fetch: send });
  await provider.complete([{ role: 'user', content: 'one' }], undefined, question);
  await provider.complete([{ role: 'user', content: 'two' }], undefined, question);
  expect(asked.map(([path]) => path)).toEqual(['/api/show', '/api/chat', '/api/chat']);
});

test('LLM-78, LLM-89 a server that does not say is taken as it is set; one that was away is asked again', async () => {
  const silent = ollamaStub(() => new Response('404 page not found', { status: 404 }));
  const plain = await openOllama({ ...ollama, fetch: silent.send });
  expect(plain.capabilities).toMatchObject({ contextLength: 8192, nativeTools: false });
  expect((await plain.complete([{ role: 'user', content: 'one' }], undefined, question)).ok).toBe(true);
  expect(silent.asked.map(([path]) => path)).toEqual(['/api/show', '/api/chat']);

  let away = true;
  const later = ollamaStub(() => {
    if (away) throw new TypeError('fetch failed');
    return Response.json({ model_info: { 'x.context_length': 2048 }, capabilities: ['tools'] });
  });
  const found = await openOllama({ ...ollama, fetch: later.send });
  expect(found.capabilities.contextLength).toBe(8192);
  away = false;
  await found.complete([{ role: 'user', content: 'one' }], undefined, question);
  expect(found.capabilities).toMatchObject({ contextLength: 2048, nativeTools: true });
});

test('AGENT-40 what is hosted is told by its address', () => {
  const at = (llm_provider: Settings['llm_provider'], llm_base_url: string) => settings({ llm_provider, llm_base_url });
  expect(isHosted(at('ollama', ''))).toBe(false);
  expect(isHosted(at('openai', 'http://192.168.1.4:8080'))).toBe(false);
  expect(isHosted(at('openai', ''))).toBe(true);
  expect(isHosted(at('broker', ''))).toBe(true);
  expect(isHosted(at('wllama', ''))).toBe(false);
  expect(modelOrigin(at('openai', 'https://Models.example/v1/'))).toBe('https://models.example');
  expect(modelOrigin(at('openai', 'ftp://x'))).toBeNull();
  expect(modelOrigin(at('broker', ''))).toBeNull();
});

test('AGENT-50 a provider of which no model is chosen is as none; the broker names its own', () => {
  const of = (llm_provider: Settings['llm_provider'], llm_model: string) =>
    modelOfSettings(settings({ llm_provider, llm_model }), () => Promise.reject(new Error('not opened')));
  for (const provider of ['ollama', 'openai', 'webllm', 'wllama'] as const) {
    expect(of(provider, '')).toBeNull();
    expect(of(provider, 'm')?.model).toBe('m');
  }
  expect(of('broker', '')?.provider).toBe('broker');
});

test('AGENT-50, AGENT-83, TRACE-18 settings that belong together are written at once', async () => {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  await writeSettings(db, { llm_provider: 'ollama', llm_model: 'llama3.1:8b' });
  const seen: string[] = [];
  const watching = liveQuery(() => readSettings(db)).subscribe(({ llm_provider, llm_base_url, llm_model }) => {
    seen.push([llm_provider, llm_base_url, llm_model].join(' '));
  });
  await vi.waitUntil(() => seen.length === 1);
  await writeSettings(db, { llm_provider: 'openai', llm_base_url: 'http://there', llm_model: 'm' });
  await vi.waitUntil(() => seen.at(-1) === 'openai http://there m');
  watching.unsubscribe();
  expect(seen).toEqual(['ollama  llama3.1:8b', 'openai http://there m']);
});

test('AGENT-46 what an answer depends on is in the fingerprint, what it does not is not', () => {
  const of = (patch: Partial<Settings>) =>
    modelOfSettings(settings({ llm_provider: 'ollama', llm_model: 'm', ...patch }), () =>
      Promise.reject(new Error('not opened')),
    );
  expect(modelOfSettings(settings({}), () => Promise.reject(new Error('no')))).toBeNull();
  expect(of({ theme: 'dark', llm_timeout_secs: 300 })?.fingerprint).toBe(of({})?.fingerprint);
  for (const patch of [{ llm_model: 'n' }, { llm_temperature: 1 }, { llm_base_url: 'http://other' }])
    expect(of(patch)?.fingerprint).not.toBe(of({})?.fingerprint);
  expect(of({ llm_timeout_secs: 1000 })?.options.limits).toMatchObject({ wallMs: 3_000_000, cost: null });
});
