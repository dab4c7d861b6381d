import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cassetteKey, CassetteSchema, createRecorded, emptyCassette, recordInto } from '#adapters/llm/recorded.ts';
import type { Message, LlmProvider } from '#core/agent/llm/provider.ts';
import { canonical } from '#core/agent/tools/tool.ts';

const MESSAGES: readonly Message[] = [{ role: 'user', content: 'A or B?' }];
const ASKED = { maxTokens: 10, temperature: 0, timeoutMs: 1000 };

function speaker(says: () => string): LlmProvider {
  return {
    ...createRecorded({ cassette: emptyCassette('m') }),
    complete: () =>
      Promise.resolve({
        ok: true,
        value: {
          message: { role: 'assistant', content: says() },
          finish_reason: 'stop',
          usage: { tokens_in: 1, tokens_out: 1, milliseconds: 5 },
        },
      }),
  };
}

describe('recorded', () => {
  it('LLM-55 what was recorded is said again, what was not fails', async () => {
    const cassette = emptyCassette('m');
    let count = 0;
    const live = recordInto(
      speaker(() => `answer ${(count += 1)}`),
      cassette,
    );
    await live.complete(MESSAGES, undefined, ASKED);
    await live.complete(MESSAGES, undefined, ASKED);
    const read = v.parse(CassetteSchema, JSON.parse(JSON.stringify(cassette)));
    const recorded = createRecorded({ cassette: read });
    let heard = '';
    const again = await recorded.complete(MESSAGES, undefined, { ...ASKED, onText: (text) => (heard += text) });
    expect(again.ok && again.value.message.content).toBe('answer 1');
    expect(heard).toBe('answer 1');
    const other = await recorded.complete([{ role: 'user', content: 'C?' }], undefined, ASKED);
    expect(other).toMatchObject({ ok: false, failure: { code: 'model_unrecorded' } });
  });

  it('LLM-55 the key is over model, schema and messages, whatever the order of keys and the ids of calls', async () => {
    const call = (id: string, args: unknown): readonly Message[] => [
      ...MESSAGES,
      { role: 'assistant', content: '', tool_calls: [{ id, name: 'look', arguments: args }] },
      { role: 'tool', content: 'x', tool_call_id: id },
    ];
    const key = await cassetteKey('m', { type: 'object', a: 1 }, call('c1', { x: 1, y: 2 }));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await cassetteKey('m', { a: 1, type: 'object' }, call('c9', { y: 2, x: 1 }))).toBe(key);
    expect(await cassetteKey('n', { type: 'object', a: 1 }, call('c1', { x: 1, y: 2 }))).not.toBe(key);
    expect(await cassetteKey('m', null, call('c1', { x: 1, y: 2 }))).not.toBe(key);
    expect(await cassetteKey('m', { type: 'object', a: 1 }, call('c1', { x: 1, y: 3 }))).not.toBe(key);
  });

  it('LLM-55 canonical JSON has one form', () => {
    expect(canonical({ b: [1, undefined, { d: null, c: 'ä' }], a: undefined })).toBe(
      '{"b":[1,null,{"c":"ä","d":null}]}',
    );
  });
});
