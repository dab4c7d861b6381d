import { expect, onTestFinished, test } from 'vitest';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { modelOfSettings } from '#adapters/llm/agent-model.ts';
import { providerOf } from '#adapters/llm/providers/providers.ts';
import { proofOf, withProof, type ToolProof } from '#core/agent/llm/tool-proof.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { ok } from '#core/result.ts';
import { moment } from '#ui/parts/words.ts';
import { askedNow, callsWords } from '#ui/settings/model/model-words.ts';
import { workerAgent } from '../../../src/cli/open-worker.ts';
import { startModelServer, type ModelRequest, type Reply } from '../../fixtures/model-server.ts';

const RIGHT = '{"choice":"B","why":"An apple is a fruit."}';
const CALL: Reply = { toolCalls: [{ name: 'choose', arguments: { choice: 'B' } }] };
const clock = { now: () => Date.now() };

/** A server whose model answers what is bound to a schema, and to a tool what the test says. */
async function served(toTools: Reply, capabilities = ['completion']) {
  const reply = ({ tools }: ModelRequest): Reply => (tools.length > 0 ? toTools : { content: RIGHT });
  const server = await startModelServer({ models: ['m'], capabilities, contextLength: 32_768, reply });
  onTestFinished(server.close);
  return server;
}

test.each([
  ['a call', CALL, true],
  ['a call beside words', { ...CALL, content: 'I call it.' }, true],
  ['a call of something else', { toolCalls: [{ name: 'search', arguments: { choice: 'B' } }] }, false],
  ['a call with other arguments', { toolCalls: [{ name: 'choose', arguments: { letter: 'B' } }] }, false],
  ['words', { content: 'B' }, false],
  ['a refusal', { status: 400, error: '"m" does not support tools' }, false],
] as const)('LLM-101 the check offers one tool, once: %s', async (_what, toTools, calls) => {
  const server = await served(toTools as Reply);
  const options = { baseUrl: server.url, model: 'm', clock, contextLength: 32_768 };
  for (const provider of [createOllama(options), createOpenAi(options)]) {
    const before = server.requests.length;
    const report = await provider.healthCheck();
    // Whether it calls tools is no fault of it.
    expect([provider.name, report.ok, report.calls_tools, report.capabilities?.nativeTools]).toEqual([
      provider.name,
      true,
      calls,
      calls,
    ]);
    expect(report.stages.at(-1)).toMatchObject({ stage: 'tools', ok: true });
    const offered = server.requests.slice(before).map(({ tools }) => tools.length);
    expect(offered.filter((count) => count > 0)).toEqual([1]);
  }
});

test('LLM-101 where it could not be told nothing is claimed, and the model can be used all the same', async () => {
  const server = await served({ content: 'B', dieAt: 0.3 });
  const report = await createOllama({ baseUrl: server.url, model: 'm', clock, contextLength: 8192 }).healthCheck();
  expect([report.ok, report.calls_tools]).toEqual([true, undefined]);
  expect(report.stages.at(-1)?.said).toContain('It could not be found out');
});

const settings = (patch: Partial<Settings>): Settings => ({
  ...{ ...DEFAULT_SETTINGS, llm_provider: 'ollama', llm_base_url: '', llm_model: 'm', llm_context_length: 32_768 },
  ...patch,
});
const proof = (patch: Partial<ToolProof> = {}): ToolProof => ({
  model: 'm',
  calls: true,
  context: null,
  at: 5,
  ...patch,
});

test('LLM-102 what was found out is kept for each provider, address and model, the latest thirty', () => {
  const here = settings({});
  const kept = settings({ llm_proofs: withProof(here, proof()) });
  expect(proofOf(kept)).toEqual(proof());
  for (const other of [{ llm_model: 'n' }, { llm_base_url: 'http://else:1' }, { llm_provider: 'openai' as const }])
    expect(proofOf({ ...kept, ...other })).toBeNull();
  let all = kept;
  for (let n = 0; n < 40; n += 1)
    all = { ...all, llm_proofs: withProof({ ...all, llm_model: `m${n}` }, proof({ at: 10 + n })) };
  expect(Object.keys(all.llm_proofs)).toHaveLength(30);
  expect(proofOf(all)).toBeNull();
  expect(proofOf({ ...all, llm_model: 'm39' })?.at).toBe(49);
});

test.each([
  // Ollama does not list it, and the check has seen it call.
  [true, ['completion'], 'tools'],
  // Ollama lists it, and it called nothing.
  [false, ['completion', 'tools'], 'choice'],
  [null, ['completion', 'tools'], 'tools'],
  [null, ['completion'], 'choice'],
] as const)(
  'AGENT-89 auto goes by the proof (%s) before what the server lists (%s)',
  async (calls, lists, strategy) => {
    const server = await served(CALL, [...lists]);
    const here = settings({ llm_base_url: server.url });
    const set = { ...here, llm_proofs: calls === null ? {} : withProof(here, proof({ calls })) };
    const open = providerOf('ollama').open;
    const options = { clock, server: null, key: () => Promise.resolve(null) };
    const model = modelOfSettings(set, () => (open as NonNullable<typeof open>)(set, options as never));
    const opened = await model?.open();
    if (!opened?.ok) throw new Error('it was not opened');
    expect(pickStrategy('auto', opened.value)).toBe(strategy);
    expect(opened.value.capabilities.nativeTools).toBe(strategy === 'tools');
    // Another model of that name's place is another matter.
    const other = modelOfSettings(
      { ...set, llm_proofs: withProof(here, proof({ model: 'was before', calls: true })) },
      () => Promise.resolve(opened),
    );
    const again = await other?.open();
    expect(again?.ok && again.value).toBe(opened.value);
  },
);

test.each([
  [CALL, 'tools', 1],
  [{ content: 'B' }, 'choice', 1],
] as const)('AGENT-90 a worker finds it out at its first use, once', async (toTools, strategy, asked) => {
  const server = await served(toTools as Reply);
  const options = { baseUrl: server.url, model: 'm', clock, contextLength: 32_768 };
  const worker = (set: Settings) => workerAgent({ settings: set, openModel: async () => ok(createOpenAi(options)) });
  const model = await worker(settings({ llm_provider: 'openai' })).model({ demo: false });
  for (const opened of [await model?.open(), await model?.open()]) {
    if (!opened?.ok) throw new Error('it was not opened');
    expect(pickStrategy('auto', opened.value)).toBe(strategy);
  }
  expect(server.requests.filter(({ tools }) => tools.length > 0)).toHaveLength(asked);
  // Where a strategy is set, or no call would fit, nothing is asked.
  const before = server.requests.length;
  await (await worker(settings({ llm_provider: 'openai', llm_strategy: 'tools' })).model({ demo: false }))?.open();
  options.contextLength = 8192;
  await (await worker(settings({ llm_provider: 'openai' })).model({ demo: false }))?.open();
  expect(server.requests).toHaveLength(before);
});

test('UI-148 Settings says whether the model calls tools, since when, and what auto takes by it', () => {
  const here = settings({});
  const at = Date.UTC(2026, 10, 23, 12);
  const kept = (patch: Partial<ToolProof>, more: Partial<Settings> = {}) => {
    return { ...here, llm_proofs: withProof(here, proof({ at, ...patch })), ...more };
  };
  expect(callsWords(here)).toBe('not tried: press Test');
  expect(callsWords(kept({}))).toBe(`yes, proven on ${moment(at)}`);
  expect(callsWords(kept({ calls: false }))).toBe(`no, tried on ${moment(at)}`);
  expect(callsWords(settings({ llm_provider: 'wllama' }))).toContain('not by itself');

  expect(askedNow(kept({}))).toMatch(/^by tool calls/);
  expect(askedNow(kept({ calls: false }))).toMatch(/^for a choice.*does not call tools/);
  expect(askedNow(kept({ context: 4096 }))).toMatch(/^for a choice.*4,096 tokens is too short/);
  expect(askedNow(kept({}, { llm_context_length: 8192 }))).toMatch(/^for a choice.*8,192 tokens/);
  expect(askedNow(kept({}, { llm_strategy: 'choice' }))).toContain('(set here)');
  expect(askedNow(kept({ calls: false }, { llm_strategy: 'tools' }))).toMatch(/^by tool calls.*set here/);
  expect(askedNow(here)).toContain('until it is tried');
  expect(askedNow(settings({ llm_provider: 'webllm' }))).toMatch(/^for a choice/);
});
