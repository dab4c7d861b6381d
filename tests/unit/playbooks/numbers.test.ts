import { expect, test } from 'vitest';
import { seeded } from '#core/agent/prompt/random.ts';
import { KnownNumbers } from '#lanes/playbooks/core/answer/known-numbers.ts';
import { isSaid, numbersIn } from '#lanes/playbooks/core/answer/said-numbers.ts';
import { traceNumbers } from '#lanes/playbooks/core/answer/trace.ts';
import { numberReader, untracedIn, withReferences } from '#lanes/playbooks/core/answer/numbers.ts';
import type { Value } from '#lanes/playbooks/core/value.ts';

test.each<[string, Value, string[]]>([
  ['The mean is 2.35.', { mean: 2.3456 }, []],
  ['The mean is 2.34.', { mean: 2.3456 }, ['2.34']],
  ['It is 1,234.5 and 40 %.', { a: 1234.5, b: 0.4 }, []],
  ['About 41%.', [0.4149], []],
  ['About 42 %.', [0.4149], ['42 %']],
  ['Of −3 degrees.', { cold: -3 }, []],
  ['1. First\n2) second: 7', 'seven of 7', []],
  ['p = 1.2e-5', { p: 0.000012 }, []],
  ['In 2031 it costs 5.', 'Budget 2031', ['5']],
  ['v2 and h264 are names', null, []],
  ['Twelve of 12 asked.', null, []],
])('PLAYBOOK-45 %j from %j: untraced %j', (answer, source, untraced) => {
  expect(untracedIn(answer, 'Ask 12 of them.', [source])).toEqual(untraced);
});

test('PLAYBOOK-44 a reference is the number at its place, with three digits or as many as are said; others are said as wrong', () => {
  const results = new Map<string, Value>([['r1', { p_value: 0.0123456, rows: [[1, 20.5]], name: 'x' }]]);
  expect(withReferences('p = [[r1.p_value]], [[r1.p_value|5]], [[r1.rows.0.1]]', results)).toEqual({
    ok: true,
    text: 'p = 0.0123, 0.012346, 20.5',
    references: [
      { text: '0.0123', handle: 'r1', place: 'p_value' },
      { text: '0.012346', handle: 'r1', place: 'p_value' },
      { text: '20.5', handle: 'r1', place: 'rows.0.1' },
    ],
  });
  for (const wrong of ['[[r2.p_value]]', '[[r1.name]]', '[[r1.__proto__]]', '[[r1]]'])
    expect(withReferences(wrong, results), wrong).toEqual({
      ok: false,
      reason: `${wrong} names no number that a call found`,
    });
});

test('PLAYBOOK-45 an answer with an untraced number is none and the number is named; what a reference puts in is traced', () => {
  const read = numberReader((text) => ({ ok: true, value: text }), {
    ...{ traced: true, prompt: 'How many?', given: () => [{ n: 31 }] },
    results: () => new Map<string, Value>([['r1', { sum: 1234.5 }]]),
  });
  expect(read('31 in all, [[r1.sum]] of it')).toEqual({ ok: true, value: '31 in all, 1230 of it' });
  expect(read('32 in all, 33 more')).toMatchObject({ ok: false, reason: expect.stringContaining('32 (and 1 more)') });
});

test('PLAYBOOK-72 each number of an answer has the call, input or key of the config that it comes from, or is untraced', () => {
  const results = [
    { handle: 'r1', tool: 'cas', version: '2', output: { value: 7 } },
    { handle: 'r2', tool: 'stat_t_test', version: '1', output: { p_value: 0.0123456, rows: [[1, 1234.5]] } },
  ];
  const sources = {
    ...{ prompt: 'Tell of 12 birds.', results, references: [{ text: '1230', handle: 'r2', place: 'rows.0.1' }] },
    inputs: [
      { file: 'birds.json', value: { name: 'owl', wings: [2, 95.5] } },
      { file: 'birds.json', value: { path: 'birds.json', content: [31, 32] } },
    ],
    config: { year: 'of 2031', list: [0.25] },
  };
  const text = '1. Of 12 birds: 1230 (p = 0.0123), wings of 96 cm, 32 in all, 25 % in 2031, and 41 more.';
  const numbers = traceNumbers(text, sources);
  expect(numbers).toMatchObject({ traced: 6, untraced: 1 });
  expect(numbers?.list.map(({ text: said, at, source }) => [text.slice(at, at + said.length), source])).toEqual([
    ['1230', { of: 'call', handle: 'r2', tool: 'stat_t_test', version: '1', place: 'rows.0.1' }],
    ['0.0123', { of: 'call', handle: 'r2', tool: 'stat_t_test', version: '1', place: 'p_value' }],
    ['96', { of: 'input', file: 'birds.json', place: 'wings.1' }],
    ['32', { of: 'input', file: 'birds.json', place: 'content.1' }],
    ['25 %', { of: 'config', place: 'list.0' }],
    ['2031', { of: 'config', place: 'year' }],
    ['41', null],
  ]);
  expect(traceNumbers({ a: ['x', 7], b: 'none' }, sources)?.list).toEqual([
    { text: '7', place: 'a.1', at: 0, source: { of: 'call', handle: 'r1', tool: 'cas', version: '2', place: 'value' } },
  ]);
  expect(traceNumbers('Twelve of 12.', sources)).toBeNull();
});

test('PLAYBOOK-72 of many numbers the one that rounds to what was said is found, as by looking at each', () => {
  const random = seeded(7);
  const source = Array.from({ length: 3000 }, () => (random() - 0.5) * 10 ** Math.floor(random() * 6));
  for (let round = 0; round < 500; round++) {
    const places = Math.floor(random() * 4);
    const value = (random() < 0.5 ? source[Math.floor(random() * source.length)] : random() * 3000) ?? 0;
    const text = value.toFixed(places) + (random() < 0.2 ? ' %' : '');
    const [said] = numbersIn(text);
    if (said === undefined) continue;
    expect([text, KnownNumbers.of(source).has(said)]).toEqual([text, source.some((one) => isSaid(said, one))]);
  }
});
