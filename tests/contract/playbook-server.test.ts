/** Runs of playbooks over HTTP, worked on by workers that are killed, stopped and told to cancel. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { writeSettings } from '#adapters/browser/settings.ts';
import { DEFAULT_LIMITS, type AgentModel } from '#core/agent/workflow/ports.ts';
import { ok } from '#core/result.ts';
import { beginRun } from '#lanes/playbooks/core/run/begin.ts';
import { MOST_RUNS_WAITING, type SharedRun } from '#lanes/playbooks/core/shared/run-protocol.ts';
import { createRunClient } from '#lanes/playbooks/http/run-client.ts';
import { workOnNextRun, type RunWorkerUsing } from '#lanes/playbooks/http/work-on-runs.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { machinePorts, sha256 } from '#lanes/playbooks/cli/run-ports.ts';
import { LEASE_MS, MOST_LOST } from '#server/work/lease.ts';
import { ScriptedModel, type Script } from '../fixtures/scripted-model.ts';
import { SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { testBrowser } from '../fixtures/uploads-browser.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { openTaker } from '#lanes/playbooks/cli/open-taker.ts';
import { onBothStores } from '../fixtures/stores.ts';

const BOOK = `playbook: 1
name: birds
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    parallel: 2
    instruction_user_prompt: 'Tell of the {this} for {config:whom|us}.'
    output: out/told.jsonl
    output_format: { bird: '{this}', said: '{output}' }
  - name: all
    model: small
    input: out/told.jsonl
    instruction_user_prompt: 'All: {this}'
    output: all.md
`;
const FILES = [{ path: 'birds.json', text: '["owl","wren","tern","gull","rook"]' }];
const WISH = { playbook: BOOK, config: { whom: 'children' }, files: FILES };

/** A worker with tools, of which these playbooks name none. */
const NONE = readTool<unknown, unknown, unknown>({
  ...{ name: 'none', description: 'none', input: v.unknown(), output: v.unknown() },
  execute: () => Promise.resolve({ ok: true, output: {}, provenance: [] }),
});

const only =
  (...tools: OfferedTool[]) =>
  (): Promise<OfferedTool[]> =>
    Promise.resolve(tools);

const prompt: (of: Parameters<Script>[0]) => string = ({ messages }) => messages.at(-1)?.content ?? '';
const saying: Script = (request) => ({ say: `so: ${prompt(request)}` });

const agentOf = (model: LlmProvider) => (): Promise<AgentModel> =>
  Promise.resolve({
    ...{ provider: 'ollama', model: 'm', recorded: false, hosted: false, strategy: 'auto' },
    ...{ fingerprint: '', seed: null, open: () => Promise.resolve(ok(model)) },
    options: { temperature: 0, timeoutMs: 1000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
  });

onBothStores('playbooks over HTTP', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
  });
  afterEach(() => server.end());

  const begin = (wish: object = WISH, headers = {}) =>
    server.api<SharedRun & ErrorAnswer>('POST', '/v1/playbooks/runs', wish, headers);
  const shown = async (id: string) => (await server.api<SharedRun>('GET', `/v1/playbooks/runs/${id}`)).body;
  const text = async (id: string, path: string) =>
    (await server.raw('GET', `/v1/playbooks/runs/${id}/file?path=${encodeURIComponent(path)}`)).text();

  /** One look of a worker. `stop`: as Ctrl-C. */
  async function work(
    model: LlmProvider,
    { name = 'a worker', stop = new AbortController(), tools = only(NONE) as RunWorkerUsing['tools'] } = {},
  ) {
    const client = createRunClient({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
    const models = { nameOf: () => 'scripted/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } };
    const wait = (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
    const ports = { ...machinePorts(), models };
    const using = { client, clock: machinePorts().clock, wait, ports, tools, say: () => undefined };
    return workOnNextRun(using, name, stop.signal);
  }

  /** The same without a server. */
  async function plain(): Promise<Record<string, string>> {
    const files = new MemoryFiles({ 'birds.json': FILES[0]?.text ?? '' }, sha256);
    const models = {
      ...{ nameOf: () => 'scripted/m', price: { in: 0, out: 0 } },
      open: () => Promise.resolve(new ScriptedModel(saying)),
    };
    const source = { playbook: BOOK, config: WISH.config, set: {}, overwrite: false };
    const ports = { ...machinePorts(), files, models, tools: [] };
    await beginRun(source, new MemoryRuns(), ports, { id: 'r', seed: 1, limits: {}, parallel: null, reuse: null });
    return files.all;
  }

  test('API-150, API-151 a run waits, a worker takes it and writes the very bytes of a run without a server; sent again under its key it is one', async () => {
    const key = { 'Idempotency-Key': 'one' };
    const begun = await begin(WISH, key);
    expect(begun).toMatchObject({ status: 201, body: { state: 'waiting', name: 'birds', end: null, worker: null } });
    expect((await begin(WISH, key)).body.id).toBe(begun.body.id);
    const { id } = begun.body;
    expect(await work(new ScriptedModel(saying))).toEqual({ ok: true, value: true });
    expect(await work(new ScriptedModel(saying))).toEqual({ ok: true, value: false });
    expect(await shown(id)).toMatchObject({ state: 'completed', end: { error: null, skipped: [] }, worker: null });
    const listed = await server.api<{ items: { path: string; made: boolean }[] }>(
      'GET',
      `/v1/playbooks/runs/${id}/files`,
    );
    expect(listed.body.items).toMatchObject([
      { path: 'all.md', made: true },
      { path: 'birds.json', made: false },
      { path: 'out/told.jsonl', made: true },
    ]);
    const want = await plain();
    for (const path of ['all.md', 'birds.json', 'out/told.jsonl']) expect(await text(id, path)).toBe(want[path]);
    const journal = await (await server.raw('GET', `/v1/playbooks/runs/${id}/journal`)).text();
    expect(JSON.parse(journal.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ kind: 'ended', state: 'completed' });
    expect((await server.api<{ items: SharedRun[] }>('GET', '/v1/playbooks/runs')).body.items).toHaveLength(1);
    expect((await server.api('DELETE', `/v1/playbooks/runs/${id}`, {})).status).toBe(200);
    expect((await server.api('GET', `/v1/playbooks/runs/${id}`)).status).toBe(404);
  });

  test('API-152 the run of a worker that falls silent goes on at another once its lease is over, with no answered unit asked twice; the first writes nothing any more', async () => {
    const { id } = (await begin({ ...WISH, parallel: 1 })).body;
    const asked: string[] = [];
    const third = Promise.withResolvers<null>();
    const first = work(
      new ScriptedModel((request) => {
        asked.push(prompt(request));
        if (asked.length < 3) return saying(request, 0);
        third.resolve(null);
        return { hang: true };
      }),
      { name: 'first' },
    );
    await third.promise;
    // What it has still under way would keep its lease.
    const told = async (): Promise<number> => (await text(id, 'out/told.jsonl')).trimEnd().split('\n').length;
    await expect.poll(told).toBe(2);
    expect(await shown(id)).toMatchObject({ state: 'running', worker: 'first' });
    expect(await work(new ScriptedModel(saying))).toEqual({ ok: true, value: false });
    server.time.now += LEASE_MS + 1;
    const again = new ScriptedModel(saying);
    expect(await work(again, { name: 'second' })).toEqual({ ok: true, value: true });
    expect(await shown(id)).toMatchObject({ state: 'completed' });
    expect(again.requests.map(prompt).filter((one) => asked.slice(0, 2).includes(one))).toEqual([]);
    const want = await plain();
    for (const path of ['all.md', 'out/told.jsonl']) expect(await text(id, path)).toBe(want[path]);
    void first;
  });

  test('API-152 a worker that is stopped gives its run back at once; one run after the other that no worker survives is given up', async () => {
    const { id } = (await begin()).body;
    const stop = new AbortController();
    const model = new ScriptedModel((request, count) => {
      if (count === 2) stop.abort();
      return saying(request, count);
    });
    expect(await work(model, { stop })).toEqual({ ok: true, value: true });
    expect(await shown(id)).toMatchObject({ state: 'waiting', worker: null });
    for (let times = 0; times < MOST_LOST; times++) {
      const taken = await server.api<{ run: { id: string } | null }>('POST', '/v1/playbooks/claims', { worker: 'w' });
      expect(taken.body.run?.id).toBe(id);
      server.time.now += LEASE_MS + 1;
    }
    expect((await server.api('POST', '/v1/playbooks/claims', { worker: 'w' })).body).toEqual({ run: null });
    expect(await shown(id)).toMatchObject({ state: 'failed', end: { error: { code: 'worker_died' } } });
  });

  test('API-153 a run that waits is cancelled at once, one under way by its worker before its next call; resumed it ends with the same files', async () => {
    const { id } = (await begin()).body;
    const cancelled = await server.api<SharedRun>('POST', `/v1/playbooks/runs/${id}/cancel`, {});
    expect(cancelled.body).toMatchObject({ state: 'cancelled' });
    expect((await server.api('POST', `/v1/playbooks/runs/${id}/cancel`, {})).status).toBe(409);
    expect((await server.api<SharedRun>('POST', `/v1/playbooks/runs/${id}/resume`, {})).body.state).toBe('waiting');
    const script: Script = (request, count) => {
      if (count === 1) void server.api('POST', `/v1/playbooks/runs/${id}/cancel`, {});
      return saying(request, count);
    };
    const model = new ScriptedModel(script);
    await work(model);
    const after = await shown(id);
    expect(after).toMatchObject({ state: 'cancelled', cancelling: false });
    expect(model.requests.length).toBeLessThan(6);
    const limited = await server.api('POST', `/v1/playbooks/runs/${id}/resume`, { limits: { model_calls: 3 } });
    expect(limited.status).toBe(200);
    await work(new ScriptedModel(saying));
    expect(await shown(id)).toMatchObject({ state: 'stopped', end: { error: { code: 'budget', key: 'model_calls' } } });
    await server.api('POST', `/v1/playbooks/runs/${id}/resume`, { limits: { model_calls: 100 } });
    await work(new ScriptedModel(saying));
    const want = await plain();
    for (const path of ['all.md', 'out/told.jsonl']) expect(await text(id, path)).toBe(want[path]);
    expect((await server.api('POST', `/v1/playbooks/runs/${id}/resume`, {})).status).toBe(409);
  });

  test('API-154 what is wrong with a playbook is said in its end; one that takes units over asks only for what changed', async () => {
    const wrong = (await begin({ ...WISH, playbook: BOOK.replace('multiple_parts', 'multiple_part') })).body;
    await work(new ScriptedModel(saying));
    expect(await shown(wrong.id)).toMatchObject({
      state: 'refused',
      end: { faults: [{ code: 'playbook_key', key: 'multiple_part', at: { line: 7 } }] },
    });
    const { id } = (await begin()).body;
    await work(new ScriptedModel(saying));
    const files = [{ path: 'birds.json', text: '["owl","wren","tern","gull","stork"]' }];
    const other = (await begin({ ...WISH, files, reuse: id })).body;
    const model = new ScriptedModel(saying);
    await work(model);
    expect(await shown(other.id)).toMatchObject({ state: 'completed' });
    expect(model.requests.map(prompt)[0]).toContain('stork');
    expect(model.requests).toHaveLength(2);
    expect((await begin({ ...WISH, reuse: 'nobody' })).status).toBe(404);
  });

  test('PLAYBOOK-88 of a run that is taken over a step is asked anew; one that was cut off goes on when the other is gone', async () => {
    const { id } = (await begin()).body;
    await work(new ScriptedModel(saying));
    const asked = async (): Promise<string[]> => {
      const of = new ScriptedModel(saying);
      await work(of);
      return of.requests.map((request) => prompt(request).slice(0, 4));
    };
    expect((await begin({ ...WISH, reuse: id, again: { steps: ['all'] } })).status).toBe(201);
    expect(await asked()).toEqual(['All:']);
    // Cut off, with the run that it took over from removed since: it goes on with what it has.
    const cut = (await begin({ ...WISH, reuse: id, again: { from: 'all' }, limits: { model_calls: 0 } })).body;
    expect(await asked()).toEqual([]);
    expect(await shown(cut.id)).toMatchObject({ state: 'stopped' });
    await server.api('DELETE', `/v1/playbooks/runs/${id}`);
    await server.api('POST', `/v1/playbooks/runs/${cut.id}/resume`, { limits: { model_calls: 9 } });
    expect(await asked()).toEqual(['All:']);
    expect(await shown(cut.id)).toMatchObject({ state: 'completed' });
  });

  test('API-157 a connected browser with a model takes runs, with what its settings say of work for others; one whose steps name tools waits for a worker that has some', async ({
    onTestFinished,
  }) => {
    const model = new ScriptedModel(saying);
    const agent = { seed: () => 1, model: agentOf(model) };
    await server.importCatalog(SMALL_CATALOG);
    const browser = await testBrowser(server.url, TOKEN, agent);
    onTestFinished(() => browser.close());
    const tools = BOOK.replace('    output: all.md', '    agent: { enabled: true, tools: [cas] }\n    output: all.md');
    const other = (await begin({ ...WISH, playbook: tools })).body;
    const { id } = (await begin()).body;
    await browser.open();
    await expect.poll(async () => (await shown(id)).state, { timeout: 120_000 }).toBe('completed');
    const want = await plain();
    for (const path of ['all.md', 'out/told.jsonl']) expect(await text(id, path)).toBe(want[path]);
    expect(await shown(other.id)).toMatchObject({ state: 'waiting', worker: null });
    expect(browser.errors).toEqual([]);
  });

  test('PLAYBOOK-70, API-157 a connected browser gives a name the model that its settings map it to', async ({
    onTestFinished,
  }) => {
    const mapped = new ScriptedModel(saying);
    const agent = { seed: () => 1, model: () => Promise.resolve(null), modelNamed: agentOf(mapped) };
    await server.importCatalog(SMALL_CATALOG);
    const browser = await testBrowser(server.url, TOKEN, agent);
    onTestFinished(() => browser.close());
    await writeSettings(browser.db, { playbooks_models: { '*': 'ollama/qwen3:8b' } });
    const { id } = (await begin()).body;
    await browser.open();
    await expect.poll(async () => (await shown(id)).state, { timeout: 120_000 }).toBe('completed');
    expect(mapped.requests.length).toBeGreaterThan(0);
  });

  test('PLAYBOOK-87 a run of the server keeps what goes before its steps and the hosts that its person agreed to; a worker lets through what its own configuration does, too, and asks its library', async () => {
    const step = { verbosity: 3, agent: { enabled: true, iterations: 1 } };
    const domains = ['*.example.org', 'evil.example.com'];
    const look = `  - name: look\n    tool: look\n    with: { query: '{config:whom}' }\n    output: found.json\n`;
    const { body } = await begin({ ...WISH, playbook: BOOK + look, step, domains });
    const model = new ScriptedModel(saying);
    const agreed: unknown[] = [];
    const tool: OfferedTool = readTool<unknown, unknown, unknown>({
      ...{ name: 'look', description: 'looks', input: v.strictObject({ query: v.string() }), output: v.unknown() },
      execute: (input) => Promise.resolve({ ok: true, output: input, provenance: [] }),
    });
    const taker = openTaker({
      ...{ http: { baseUrl: server.url, token: () => Promise.resolve(TOKEN) }, clock: machinePorts().clock },
      ...{ say: () => undefined, mapped: { '*': 'ollama/m' }, model: () => Promise.resolve(null) },
      openModel: () => Promise.resolve({ provider: model, close: () => Promise.resolve() }),
      wait: (_ms, signal) => new Promise((done) => signal.addEventListener('abort', () => done(), { once: true })),
      steps: {
        allow: ['*.example.org', 'other.example.net'],
        tools: (hosts) => {
          agreed.push(hosts);
          return Promise.resolve([tool]);
        },
      },
    });
    expect(await taker.take('a worker', new AbortController().signal)).toEqual({ ok: true, value: true });
    await taker.close();
    expect(await shown(body.id)).toMatchObject({ state: 'completed', end: { error: null } });
    expect(agreed).toEqual([['*.example.org']]);
    expect(model.requests[0]?.messages[0]?.content).toContain('verbosity of 3');
    expect(JSON.parse(await text(body.id, 'found.json'))).toEqual([{ query: 'children' }]);
    for (const wrong of [{ domains: ['a b'] }, { domains: 'x' }, { step: { model: 'x' } }])
      expect((await begin({ ...WISH, ...wrong })).status, JSON.stringify(wrong)).toBe(400);
  });

  test('API-155 to others there is no such run, a path that leads out is refused, and a person has so many runs without an end', async () => {
    const { id } = (await begin()).body;
    const { body: invite } = await server.api<{ secret: string }>('POST', '/v1/invites', { name: 'e', role: 'editor' });
    const accepted = await server.api<{ token: string }>('POST', '/v1/invites/accept', invite, { Authorization: '' });
    const editor = { Authorization: `Bearer ${accepted.body.token}` };
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/files'],
      ['GET', '/journal'],
      ['GET', '/file?path=birds.json'],
      ['POST', '/cancel'],
      ['POST', '/resume'],
      ['DELETE', ''],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      expect((await server.api(method, `/v1/playbooks/runs/${id}${path}`, body, editor)).status).toBe(404);
    }
    expect((await server.api<{ items: unknown[] }>('GET', '/v1/playbooks/runs', undefined, editor)).body.items).toEqual(
      [],
    );
    expect((await server.api('POST', '/v1/playbooks/claims', { worker: 'w' }, editor)).body).toEqual({ run: null });
    for (const path of ['../up', '/etc/passwd', 'a\\b', 'x\u0000'])
      expect((await begin({ ...WISH, files: [{ path, text: 'x' }] }, editor)).status).toBe(422);
    expect((await begin({ ...WISH, files: [{ path: 'x.md', text: 'a\u0000' }] }, editor)).status).toBe(422);
    for (let times = 0; times < MOST_RUNS_WAITING; times++) expect((await begin(WISH, editor)).status).toBe(201);
    const one = await begin(WISH, editor);
    expect([one.status, one.headers.get('retry-after')]).toEqual([429, '30']);
  });
});
