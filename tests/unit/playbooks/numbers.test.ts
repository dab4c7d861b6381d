import { expect, test } from 'vitest';
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
