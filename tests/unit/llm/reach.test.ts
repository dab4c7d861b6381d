import { describe, expect, it } from 'vitest';
import { nearnessOf, ollamaBase, openAiBase } from '#adapters/llm/address.ts';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import type { Page } from '#adapters/llm/reach.ts';
import type { HealthReport } from '#core/agent/llm/provider.ts';

const clock = { now: () => 0 };

function page(origin: string, extra: Partial<Page> & { states?: Record<string, PermissionState> } = {}): Page {
  const { states = {}, ...rest } = extra;
  return {
    origin,
    secure: origin.startsWith('https:') || origin.includes('localhost'),
    online: () => true,
    permission: (name) => Promise.resolve(states[name] ?? null),
    ...rest,
  };
}

/** What a browser does: any failure is a TypeError, whatever its reason; `no-cors` passes where something is there. */
function browserFetch(there: boolean): typeof fetch {
  return (_input, init) =>
    there && init?.mode === 'no-cors'
      ? Promise.resolve(new Response(null))
      : Promise.reject(new TypeError('Failed to fetch'));
}

function check(baseUrl: string, own: Page | null, there: boolean, openAi = false): Promise<HealthReport> {
  const make = openAi ? createOpenAi : createOllama;
  return make({ baseUrl, model: 'm', contextLength: 4096, clock, page: own, fetch: browserFetch(there) }).healthCheck();
}

const ended = (report: HealthReport) => report.stages.map((stage) => `${stage.stage} ${stage.failure?.code ?? 'ok'}`);

describe('no answer', () => {
  it('LLM-52 nothing there: not reachable, with the address', async () => {
    const report = await check('', page('http://localhost:8080'), false);
    expect(ended(report)).toEqual(['reachable model_unreachable']);
    expect(report.stages[0]?.said).toBe('Nothing answers at http://localhost:11434.');
  });

  it('LLM-52, LLM-85, LLM-86 something there that may not be read: CORS, with the setting for this very page', async () => {
    const report = await check('', page('https://app.example'), true);
    expect(ended(report)).toEqual(['reachable ok', 'permitted model_cors']);
    expect(report.stages[1]?.failure?.remedy).toContain('OLLAMA_ORIGINS=https://app.example');
    const other = await check('https://llm.example', page('https://app.example'), true, true);
    expect(other.stages[1]?.failure?.remedy).not.toContain('OLLAMA');
  });

  it('LLM-52, LLM-85, LLM-86 the permission of the browser was refused: its own name and setting, old and new', async () => {
    for (const name of ['loopback-network', 'local-network-access']) {
      const report = await check('', page('https://app.example', { states: { [name]: 'denied' } }), true);
      expect(ended(report)).toEqual(['permitted model_permission']);
      expect(report.stages[0]?.failure?.remedy).toContain('"Apps on device"');
    }
    const near = page('https://app.example', { states: { 'local-network': 'denied' } });
    const report = await check('http://192.168.1.5:11434', near, true);
    expect(report.stages[0]?.failure?.remedy).toContain('"Local network"');
  });

  it('LLM-52 a question of the browser that nobody answers is no dead server', async () => {
    const own = page('https://app.example', { states: { 'loopback-network': 'prompt' } });
    const send: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    const ask = (who: Page) =>
      createOllama({ baseUrl: '', model: 'm', contextLength: 4096, clock, page: who, fetch: send }).complete(
        [{ role: 'user', content: 'x' }],
        undefined,
        { maxTokens: 10, temperature: 0, timeoutMs: 20 },
      );
    expect(await ask(own)).toMatchObject({ ok: false, failure: { code: 'model_permission' } });
    expect(await ask(page('http://localhost:8080', { states: { 'loopback-network': 'prompt' } }))).toMatchObject({
      ok: false,
      failure: { code: 'model_timeout' },
    });
  });

  it('LLM-52, LLM-86 no permission is asked of a page that is as near as the model', async () => {
    const own = page('http://localhost:8080', { states: { 'loopback-network': 'denied' } });
    expect(ended(await check('', own, true))).toEqual(['reachable ok', 'permitted model_cors']);
  });

  it('LLM-52 a page that is not secure cannot be given the permission', async () => {
    const own = page('http://app.example', { states: { 'loopback-network': 'denied' } });
    const report = await check('', own, true);
    expect(report.stages[0]?.failure?.message).toContain('https');
  });

  it('LLM-52 plain http far away from a secure page: mixed content, not a dead server', async () => {
    const report = await check('http://llm.example', page('https://app.example'), false, true);
    expect(ended(report)).toEqual(['permitted model_permission']);
    expect(report.stages[0]?.said).toContain('plain http');
    const granted = page('https://app.example', { states: { 'local-network': 'granted' } });
    expect(ended(await check('http://nas.local:11434', granted, false))).toEqual(['reachable model_unreachable']);
  });

  it('LLM-52 offline is said where the model is not on this device', async () => {
    const own = page('https://app.example', { online: () => false });
    expect(ended(await check('https://llm.example', own, false, true))).toEqual(['reachable offline']);
    expect(ended(await check('', own, false))).toEqual(['reachable model_unreachable']);
  });

  it('LLM-52 an address that is none is not asked', async () => {
    const report = await check('http://', null, true);
    expect(ended(report)).toEqual(['reachable model_unreachable']);
  });
});

describe('addresses', () => {
  it('LLM-53 a base may be typed with or without its path', () => {
    for (const typed of [
      '',
      'localhost:11434',
      'http://localhost:11434/',
      'http://localhost:11434/api',
      'http://localhost:11434/v1',
    ])
      expect(ollamaBase(typed)).toBe('http://localhost:11434');
    for (const typed of [
      'https://x.test',
      'https://x.test/',
      'https://x.test/v1',
      'https://x.test/v1/',
      'https://x.test/v1/chat/completions',
    ])
      expect(openAiBase(typed)).toBe('https://x.test/v1');
    expect(openAiBase('https://openrouter.test/api')).toBe('https://openrouter.test/api/v1');
    expect(openAiBase('https://google.test/v1beta/openai/')).toBe('https://google.test/v1beta/openai');
    expect(openAiBase('ftp://x.test')).toBeNull();
    expect(openAiBase('http://')).toBeNull();
  });

  it('LLM-52 how near a host is', () => {
    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      expect(nearnessOf(host)).toBe('loopback');
    for (const host of [
      '10.1.2.3',
      '172.16.0.1',
      '172.31.0.1',
      '192.168.0.9',
      '169.254.1.1',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
      'nas',
      'nas.local',
    ])
      expect(nearnessOf(host)).toBe('local');
    for (const host of ['172.32.0.1', '11.0.0.1', '100.128.0.1', 'example.com', '[2001:db8::1]'])
      expect(nearnessOf(host)).toBe('public');
  });
});
