import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { handleOf, showEntities } from '#core/agent/tools/handles.ts';
import { runTool, type RequestedCall, type ToolWorld } from '#core/agent/tools/run-tool.ts';
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { failure } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import { CAPABLE, SMALL } from '../../fixtures/scripted-model.ts';
import { VirtualTime } from '../../fixtures/virtual-time.ts';
import { findDepots, inspectDepot, parcelRegistry, sendParcel, sorting, type Sorting } from './parcels.ts';

const CALL: RequestedCall = { call: 't9', tool: 'find_depots', input: { town: 'Spring' }, by: 'model' };

function world(tools: readonly AgentTool<Sorting>[], patch: Partial<ToolWorld<Sorting>> = {}) {
  const time = new VirtualTime();
  const registry = new AgentToolRegistry(tools);
  const context = sorting();
  const of: ToolWorld<Sorting> = {
    registry,
    allowed: registry.names,
    entities: { D1: { kind: 'depot', id: 'dep-aaaa' }, P1: { kind: 'parcel', id: 'par-1111' } },
    journal: [],
    workflowId: 'w',
    context,
    clock: time,
    wait: time.wait,
    signal: undefined,
    ...patch,
  };
  const run = (call: Partial<RequestedCall> = {}) => time.run(runTool(of, { ...CALL, ...call }));
  return { run, time, context };
}

const started = (n: number, tool: string, input: unknown): JournalEntry => ({
  n,
  at: 1,
  kind: 'tool_started',
  call: `t${n}`,
  tool,
  input,
  by: 'model',
});

describe('AGENT-10 the registry', () => {
  it('gives JSON Schema without room for unknown fields, and its version', () => {
    const definitions = parcelRegistry().definitions(['find_depots', 'nothing'], {});
    expect(definitions).toEqual([
      {
        name: 'find_depots',
        description: 'Depots in towns of that name.',
        parameters: {
          type: 'object',
          properties: { town: { type: 'string', minLength: 1, maxLength: 80 } },
          required: ['town'],
          additionalProperties: false,
        },
      },
    ]);
    expect(parcelRegistry().version).toBe('find_depots@1 inspect_depot@1 send_parcel@1');
  });

  it('lists the handles there are, and leaves out what needs one that was never shown', () => {
    const registry = parcelRegistry();
    expect(registry.definitions(['inspect_depot'], {})).toEqual([]);
    const [definition] = registry.definitions(['inspect_depot'], {
      D1: { kind: 'depot', id: 'x' },
      P1: { kind: 'parcel', id: 'y' },
    });
    expect(definition?.parameters).toMatchObject({ properties: { depot_id: { enum: ['D1'] } } });
  });

  it('refuses two tools of one name, and input that lets unknown fields through', () => {
    expect(() => new AgentToolRegistry([findDepots, findDepots])).toThrow('Two tools');
    expect(() => new AgentToolRegistry([{ ...findDepots, input: v.object({ town: v.string() }) }])).toThrow('strict');
  });

  it('handles are stable, one letter a kind', () => {
    const first = showEntities({}, [
      { kind: 'track', id: 'a' },
      { kind: 'tape', id: 'a' },
      { kind: 'track', id: 'b' },
    ]);
    expect(Object.keys(first)).toEqual(['T1', 'A1', 'T2']);
    expect(showEntities(first, [{ kind: 'track', id: 'b' }])).toBe(first);
    expect(handleOf(showEntities(first, [{ kind: 'track', id: 'c' }]), 'track', 'c')).toBe('T3');
  });
});

describe('AGENT-10 a call is refused before the tool is reached', () => {
  it.each<[string, Partial<RequestedCall>, Partial<ToolWorld<Sorting>>, string]>([
    ['unknown tool', { tool: 'approve_all' }, {}, 'no tool'],
    ['not allowed now', {}, { allowed: ['send_parcel'] }, 'cannot be called now'],
    ['unknown field', { input: { town: 'x', limit: 1 } }, {}, 'limit'],
    ['wrong type', { input: { town: 7 } }, {}, 'town'],
    ['null', { input: null }, {}, 'find_depots'],
    ['unknown reference', { tool: 'inspect_depot', input: { depot_id: 'D7' } }, {}, 'no depot "D7"'],
    ['reference of another kind', { tool: 'inspect_depot', input: { depot_id: 'par-1111' } }, {}, 'no depot'],
    ['made before', {}, { journal: [started(1, 'find_depots', { town: 'Spring' })] }, 'same input'],
    [
      'too many',
      {},
      { journal: [1, 2, 3, 4, 5, 6].map((n) => started(n, 'find_depots', { town: String(n) })) },
      '6 times',
    ],
    [
      'code may not decide',
      { tool: 'send_parcel', by: 'code', input: { parcel_id: 'par-1111', depot_id: 'dep-aaaa' } },
      {},
      'code only looks',
    ],
  ])('AGENT-67 %s', async (_name, call, patch, sentence) => {
    const w = world([findDepots, inspectDepot, sendParcel], patch);
    const ran = await w.run(call);
    expect(ran).toMatchObject({
      kind: 'failed',
      failure: { code: 'tool_refused', message: expect.stringContaining(sentence) },
    });
    expect(w.context.log).toEqual([]);
  });
});

describe('AGENT-10 a call that is made', () => {
  const flaky = (
    failures: number,
    code: 'offline' | 'invalid' = 'offline',
  ): AgentTool<Sorting, { town: string }, unknown> & { keys: string[] } => {
    const keys: string[] = [];
    return {
      ...findDepots,
      keys,
      limits: { ...findDepots.limits, retries: 2 },
      shows: () => [],
      render: (output) => output,
      execute: (_input, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        return Promise.resolve(
          keys.length <= failures
            ? { ok: false, failure: failure(code, 'no') }
            : { ok: true, output: [], provenance: [] },
        );
      },
    };
  };

  it('AGENT-68 is tried again as often as the tool says, with one key', async () => {
    const twice = flaky(2);
    expect(await world([twice]).run()).toMatchObject({ kind: 'done', milliseconds: 2000 });
    expect(twice.keys).toEqual(['w/t9', 'w/t9', 'w/t9']);
    const thrice = flaky(3);
    expect(await world([thrice]).run()).toMatchObject({ kind: 'failed' });
    const useless = flaky(1, 'invalid');
    expect(await world([useless]).run()).toMatchObject({ kind: 'failed' });
    expect(useless.keys).toHaveLength(1);
  });

  it('AGENT-68 waits for its cooldown', async () => {
    const slow = { ...findDepots, limits: { ...findDepots.limits, cooldownMs: 5000 } };
    const journal: JournalEntry[] = [
      {
        n: 1,
        at: 998_000,
        kind: 'tool_ended',
        call: 't1',
        tool: 'find_depots',
        output: [],
        provenance: [],
        milliseconds: 1,
      },
    ];
    expect(await world([slow], { journal }).run()).toMatchObject({ kind: 'done', milliseconds: 3000 });
  });

  it('AGENT-68 waits for room in the minute', async () => {
    const busy = { ...findDepots, limits: { ...findDepots.limits, perMinute: 1 } };
    const w = world([busy]);
    expect(await w.run()).toMatchObject({ milliseconds: 0 });
    expect(await w.run({ input: { town: 'x' } })).toMatchObject({ kind: 'done', milliseconds: 60_000 });
  });

  it('AGENT-68 whose answer has another form than promised has failed; so has one that throws', async () => {
    const wrong = {
      ...findDepots,
      execute: () => Promise.resolve({ ok: true as const, output: JSON.parse('[{"id":7}]'), provenance: [] }),
    };
    expect(await world([wrong]).run()).toMatchObject({ kind: 'failed', failure: { code: 'internal' } });
    const throwing = { ...findDepots, execute: () => Promise.reject(new Error('boom')) };
    expect(await world([throwing]).run()).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('boom') },
    });
  });

  it('reaches the addresses that it names, and no other', async () => {
    const said: string[] = [];
    const reaching = (url: string): AgentTool<Sorting, { town: string }, unknown> => ({
      ...findDepots,
      shows: () => [],
      render: (output) => output,
      network: ['https://depots.example'],
      output: v.unknown(),
      execute: async (_input, run) => {
        const got = await run.fetch(url);
        return got.ok ? { ok: true, output: got.value, provenance: [] } : { ok: false, failure: got.failure };
      },
    });
    const fetchText = (url: string) => {
      said.push(url);
      return Promise.resolve(ok('text'));
    };
    expect(await world([reaching('https://depots.example/list?x=1')], { fetchText }).run()).toMatchObject({
      kind: 'done',
      output: 'text',
    });
    for (const url of [
      'https://evil.example/',
      'https://depots.example.evil/',
      'https://depots.example@evil/',
      'http://depots.example/',
      '//x',
      'file:///etc/passwd',
    ]) {
      expect(await world([reaching(url)], { fetchText }).run()).toMatchObject({ failure: { code: 'tool_refused' } });
    }
    expect(said).toEqual(['https://depots.example/list?x=1']);
  });
});

describe('AGENT-19 the strategy', () => {
  it.each([
    ['auto', 'openai', CAPABLE, 'tools'],
    ['auto', 'openai', { ...CAPABLE, contextLength: 8192 }, 'choice'],
    ['auto', 'ollama', CAPABLE, 'tools'],
    ['auto', 'ollama', { ...CAPABLE, nativeTools: false }, 'choice'],
    ['auto', 'wllama', SMALL, 'choice'],
    ['tools', 'ollama', CAPABLE, 'tools'],
    ['tools', 'openai', { ...CAPABLE, nativeTools: false, jsonSchema: false }, 'choice'],
    ['choice', 'openai', CAPABLE, 'choice'],
  ] as const)('AGENT-77 %s with %s', (setting, name, capabilities, strategy) => {
    expect(pickStrategy(setting, { name, capabilities })).toBe(strategy);
  });

  it('AGENT-89 what a probe has proven goes before both, and a short context before that', () => {
    const able = { name: 'ollama', capabilities: CAPABLE };
    expect(pickStrategy('auto', { ...able, proven: false })).toBe('choice');
    expect(pickStrategy('auto', { name: 'openai', capabilities: CAPABLE, proven: false })).toBe('choice');
    expect(pickStrategy('auto', { ...able, proven: true })).toBe('tools');
    expect(
      pickStrategy('auto', { name: 'ollama', proven: true, capabilities: { ...CAPABLE, contextLength: 8192 } }),
    ).toBe('choice');
  });

  it('AGENT-19 a broker counts as what stands behind it', () => {
    const broker = { name: 'broker', capabilities: { ...CAPABLE, nativeTools: false } };
    expect(pickStrategy('auto', { ...broker, behind: 'ollama' })).toBe('choice');
    expect(pickStrategy('auto', { ...broker, behind: 'openai' })).toBe('tools');
    expect(pickStrategy('tools', { ...broker, behind: 'ollama' })).toBe('tools');
  });
});
