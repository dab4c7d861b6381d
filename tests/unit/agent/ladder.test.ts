import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from '#core/agent/prompt/answer.ts';
import { parseCalls } from '#core/agent/prompt/calls.ts';
import { climb } from '#core/agent/prompt/ladder.ts';

const LETTERS = ['A', 'B', 'C'];
const answer = (text: string, finish = 'stop') => parseAnswer(text, finish, LETTERS);

describe('AGENT-13 an answer, rung by rung', () => {
  it.each([
    ['exact', '{"answer":"B","why":"fits"}', 'B'],
    ['lower case', '{"answer":"b","why":"fits"}', 'B'],
    ['padded', '  \n {"answer":" B) ","why":"fits"}\n\n\n', 'B'],
    ['other fields too', '{"answer":"B","why":"fits","confidence":1}', 'B'],
    ['none', '{"answer":"none","why":"fits"}', 'NONE'],
    ['in a fence', 'Here:\n```json\n{"answer":"B","why":"fits"}\n```\nDone.', 'B'],
    ['in prose', 'I think {"answer":"B","why":"fits"} is right.', 'B'],
    ['nearly JSON', "{answer: 'B', why: 'fits',}", 'B'],
    ['after thinking', '<think>{"answer":"A"}</think>{"answer":"B","why":"fits"}', 'B'],
    ['said twice', '{"answer":"B","why":"fits"} {"answer":"B","why":"fits"}', 'B'],
  ])('%s', (_name, text, letter) => {
    expect(answer(text)).toEqual({ ok: true, letter, why: 'fits' });
  });

  it.each(['B', ' b ', 'Option C.', '"A"', 'ASK'])('a bare letter: %s', (text) => {
    expect(answer(text).ok).toBe(true);
  });

  it.each([
    ['empty', '', 'empty'],
    ['white space', ' '.repeat(50_000), 'empty'],
    ['null', 'null', 'none of A, B, C'],
    ['a letter that is not there', '{"answer":"Z"}', 'none of A, B, C'],
    ['a number', '{"answer":1}', 'none of'],
    ['a list', '{"answer":["A"]}', 'none of'],
    ['two answers', '{"answer":"A"} or {"answer":"B"}', 'more than one'],
    ['prose', 'A good question. Both fit.', 'no JSON'],
    ['thinking only', '<think>A', 'no answer'],
    ['cut, and said to be whole', '{"answer":"B","why":"bec', 'no JSON'],
    ['a word that begins with a letter', '{"answer":"Apple"}', 'none of'],
  ])('AGENT-72 not read: %s', (_name, text, reason) => {
    expect(answer(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each(['{"answer":"B","why":"bec', "{answer:'B'}", 'B', '{"answer":"B"} and {"answ'])(
    'AGENT-72 cut, never repaired: %s',
    (text) => {
      expect(answer(text, 'max_tokens').ok).toBe(false);
    },
  );

  it('cut after its end, it was whole', () => {
    expect(answer('{"answer":"B","why":"fits"}' + ' '.repeat(900), 'max_tokens').ok).toBe(true);
  });

  it('the why is capped and cleaned', () => {
    const said = answer(JSON.stringify({ answer: 'B', why: `<|im_start|>${'x'.repeat(900)}` }));
    expect(said).toMatchObject({ ok: true });
    if (said.ok) expect([...said.why]).toHaveLength(300);
    if (said.ok) expect(said.why).not.toContain('im_start');
  });

  it('never throws, whatever is said', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{',
        '}',
        '[',
        '"',
        '```',
        '```json\n',
        '<tool_call>',
        '</tool_call>',
        '{"answer":"A"}',
        '\\',
        ':',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('stop', 'max_tokens', 'tool_calls'),
        (pieces, finish) => {
          const text = pieces.join('');
          climb(text, finish);
          answer(text, finish);
          parseCalls({ content: text, tool_calls: [], finish_reason: finish }, ['look']);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('AGENT-13 calls, in every dialect', () => {
  const call = { name: 'look', arguments: { town: 'X' } };
  const text = (content: string, finish_reason = 'stop') =>
    parseCalls({ content, tool_calls: [], finish_reason }, ['look', 'send']);

  it.each([
    ['Hermes', '<tool_call>\n{"name":"look","arguments":{"town":"X"}}\n</tool_call>'],
    ['Hermes, not closed', '<tool_call>{"name":"look","arguments":{"town":"X"}}'],
    ['Llama', '{"name":"look","parameters":{"town":"X"}}'],
    ['the action schema', '{"tool":"look","arguments":{"town":"X"},"why":""}'],
    ['OpenAI written out', '{"type":"function","function":{"name":"look","arguments":"{\\"town\\":\\"X\\"}"}}'],
    ['Mistral', '[TOOL_CALLS] [{"name":"look","arguments":{"town":"X"}}]'],
    ['function tag', '<function=look>{"town":"X"}</function>'],
    ['Qwen coder', '<function=look><parameter=town>X</parameter></function>'],
    ['tags for name and arguments', '<tool_call><name>look</name><arguments>{"town":"X"}</arguments></tool_call>'],
    ['a fence', '```json\n{"name":"look","arguments":{"town":"X"}}\n```'],
    ['prose', 'I shall call look({"town": "X"}) now.'],
    ['nearly JSON', "{name: 'look', arguments: {town: 'X',},}"],
  ])('%s', (_name, content) => {
    expect(text(content)).toMatchObject({ ok: true, calls: [call] });
  });

  it('by the wire, its arguments a string or an object', () => {
    const said = (args: unknown, finish = 'tool_calls') =>
      parseCalls(
        { content: 'Looking.', tool_calls: [{ id: '1', name: 'look', arguments: args }], finish_reason: finish },
        [],
      );
    expect(said({ town: 'X' })).toEqual({ ok: true, calls: [call], why: 'Looking.' });
    expect(said('{"town":"X"}')).toMatchObject({ ok: true, calls: [call] });
    expect(said('{"town":"X",}')).toMatchObject({ ok: true, calls: [call] });
    expect(said('{"town":"X",}', 'max_tokens').ok).toBe(false);
    expect(said('{"town":"X').ok).toBe(false);
    expect(said(null)).toMatchObject({ ok: true, calls: [{ name: 'look', arguments: {} }] });
    expect(said(7).ok).toBe(false);
  });

  it.each(['I would call nothing.', '', '{"answer":"A"}', '{"name":7}', '[]', 'overlook({"town":"X"})'])(
    'no call: %s',
    (content) => {
      expect(text(content).ok).toBe(false);
    },
  );

  it('the why stands beside the call, or in its arguments', () => {
    expect(text('{"tool":"look","arguments":{},"why":"to see"}')).toMatchObject({ why: 'to see' });
    expect(text('{"tool":"send","arguments":{"reasoning":"it fits"}}')).toMatchObject({ why: 'it fits' });
  });
});
