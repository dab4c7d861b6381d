import { expect, test } from 'vitest';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { ModelsAnswer } from '#core/agent/llm/wire.ts';
import type { Broker } from '#server/llm/broker.ts';
import { ok } from '#core/result.ts';
import { brokerProvider } from '#server/plans/broker-provider.ts';
import { CAPABLE } from '../../fixtures/scripted-model.ts';

const call = { id: 'c1', name: 'choose', arguments: { choice: 'B' } };

/** A broker whose model makes these calls; `asked` counts who was offered a tool. */
function brokerOf(calls: (typeof call)[]) {
  const asked: string[] = [];
  const broker = {
    ask: async (user: string) => {
      asked.push(user);
      const usage = { tokens_in: 9, tokens_out: 3, milliseconds: 5 };
      const message = { role: 'assistant' as const, content: '', tool_calls: calls };
      return { ok: true as const, result: ok({ message, finish_reason: 'tool_calls' as const, usage }) };
    },
  } as unknown as Broker;
  return { broker, asked };
}

const models = (contextLength: number): ModelsAnswer => ({
  ...{ provider: 'ollama', failure: null },
  embedding: null,
  models: [{ id: 'm', capabilities: { ...CAPABLE, nativeTools: false, contextLength } }],
});

test.each([
  [[call], 'tools'],
  [[], 'choice'],
] as const)(
  'AGENT-90 the server finds it out for its own work at the first use of its model, once',
  async (calls, strategy) => {
    const { broker, asked } = brokerOf([...calls]);
    for (const user of ['ada', 'bob']) {
      const provider = await brokerProvider(broker, models(32_768), user);
      expect(provider && pickStrategy('auto', provider)).toBe(strategy);
    }
    expect(asked).toEqual(['ada']);
  },
);

test('AGENT-90 a model whose context is too short for calls is not asked', async () => {
  const { broker, asked } = brokerOf([call]);
  const provider = await brokerProvider(broker, models(8192), 'ada');
  expect(provider && pickStrategy('auto', provider)).toBe('choice');
  expect(asked).toEqual([]);
});
