import { describe, expect, it } from 'vitest';
import type { ToolCall } from '#core/agent/llm/provider.ts';
import { parseAnswer } from '#core/agent/prompt/answer.ts';
import { parseCalls } from '#core/agent/prompt/calls.ts';
import { keepAnswer, type Asked } from '#core/agent/workflow/keep-answer.ts';

const BALLOT = { letters: ['A', 'B'] };
const TOOLS = { names: ['find'] };
const MUSING = 'Let me think it over once more, for the second one may be the live version. '.repeat(12);

function kept(
  content: string,
  asked: Asked,
  finish_reason: 'stop' | 'max_tokens' = 'stop',
  tool_calls: ToolCall[] = [],
) {
  const usage = { tokens_in: 1, tokens_out: 1, milliseconds: 1 };
  return keepAnswer('m1', { message: { role: 'assistant', content, tool_calls }, finish_reason, usage }, asked);
}

describe('AGENT-20 what is kept of an answer', () => {
  it.each([
    `${MUSING}{"answer":"B","why":"same length"}${MUSING}`,
    JSON.stringify({ thinking: MUSING, answer: 'B', why: 'same length' }),
    `\`\`\`json\n{"choice":"b","reason":"same length"}\n\`\`\` ${MUSING}`,
  ])('a ballot is its letter and its short why', (text) => {
    expect(kept(text, BALLOT).content).toBe('{"answer":"B","why":"same length"}');
  });

  it.each([
    `${MUSING}{"name":"find","arguments":{"query":"x"}}`,
    `${MUSING}<tool_call><name>find</name><arguments>{"query":"x"}</arguments></tool_call>`,
    `${MUSING}<function=find><parameter=query>x</parameter></function>`,
    `${MUSING} find({"query":"x"})`,
  ])('a turn is its calls', (text) => {
    const { content, tool_calls, finish_reason } = kept(text, TOOLS);
    expect(content.length).toBeLessThan(400);
    expect(parseCalls({ content, tool_calls, finish_reason }, TOOLS.names)).toEqual(
      parseCalls({ content: text, tool_calls, finish_reason }, TOOLS.names),
    );
  });

  it('prose beside calls of the wire is its short why', () => {
    const calls = [{ id: 'c1', name: 'find', arguments: { query: 'x' } }];
    const answer = kept(MUSING, TOOLS, 'stop', calls);
    expect(answer.tool_calls).toEqual(calls);
    expect(answer.content.length).toBeLessThanOrEqual(300);
  });

  it.each([
    [`${MUSING}`, 'stop'],
    [`{"answer":"A"} ${MUSING} {"answer":`, 'max_tokens'],
    [`{"answer":"A","why":"${MUSING}"} or {"answer":"B","why":"${MUSING}"}`, 'stop'],
    [`{"answer":"neither","why":"${MUSING}"}`, 'stop'],
    [`{"answer":"A", ${MUSING}`, 'stop'],
    [`B ${'{'.repeat(900)}`, 'stop'],
  ] as const)('of one that cannot be read little stays, unreadable for the same reason: %s', (text, finish) => {
    const before = parseAnswer(text, finish, BALLOT.letters);
    expect(before.ok).toBe(false);
    const { content, finish_reason } = kept(text, BALLOT, finish);
    expect(content.length).toBeLessThanOrEqual(300);
    expect(parseAnswer(content, finish_reason, BALLOT.letters)).toEqual(before);
  });

  it('a call that is none stays none', () => {
    const calls = [{ id: 'c1', name: 'find', arguments: `{"query":"${MUSING}` }];
    const { content, tool_calls, finish_reason } = kept(MUSING, TOOLS, 'stop', calls);
    expect(JSON.stringify(tool_calls).length).toBeLessThan(150);
    expect(parseCalls({ content, tool_calls, finish_reason }, TOOLS.names).ok).toBe(false);
    const prose = kept(`${MUSING}find${MUSING}`, TOOLS);
    expect(parseCalls(prose, TOOLS.names)).toEqual({ ok: false, reason: 'it holds no JSON object' });
  });
});
