import { describe, expect, test } from 'vitest';
import { faultLine } from '#lanes/playbooks/cli/fault-line.ts';
import { readPlaybook } from '#lanes/playbooks/core/read/playbook.ts';
import { readYaml } from '#lanes/playbooks/core/read/yaml.ts';
import { ConfigValues } from '#lanes/playbooks/core/tokens/config-values.ts';
import { expandText } from '#lanes/playbooks/core/tokens/expand.ts';
import { scopeOf } from '#lanes/playbooks/core/tokens/scopes.ts';
import { mappingOf } from '#lanes/playbooks/core/value.ts';

const KIB = 1024;

test('PLAYBOOK-1 all faults at once, each with its place, its step and the nearest name', () => {
  const { faults } = readPlaybook(
    [
      'playbook: 1',
      'stepz: 3',
      'steps:',
      '  - name: s',
      '    instructions_user_prompt: x',
      '    on_error: halt',
      '    input_division: array + file',
    ].join('\n'),
  );
  expect(faults.map(({ code, key, step, at }) => [code, key, step, at?.line, at?.column])).toEqual([
    ['playbook_key', 'stepz', null, 2, 1],
    ['playbook_key', 'instructions_user_prompt', 's', 5, 5],
    ['playbook_value', 'instruction_user_prompt', 's', 4, 5],
    ['playbook_value', 'on_error', 's', 6, 5],
    ['division_syntax', 'array + file', 's', 7, 5],
  ]);
  expect(faultLine(faults[1] ?? expect.fail())).toBe(
    'line 5, column 5, step "s": There is no key "instructions_user_prompt" here. Did you mean "instruction_user_prompt"? ' +
      'Take the key out, or spell it as the language does. (playbook_key)',
  );
});

test('PLAYBOOK-2 an unquoted token is its text, a mapping with a value or of two keys is none', () => {
  const read = readYaml(
    'a: {config:depth|4}\nb: {x: }\nc: {this}\nd: {a, b}\ne: {"q": null}\nf: [{ a: 1 }, ...]\n',
    KIB,
  );
  expect(read.ok && read.value).toEqual({
    ...{ a: '{config:depth|4}', b: { x: null }, c: '{this}', d: { a: null, b: null }, e: { q: null } },
    f: [{ a: 1 }, '...'],
  });
});

test('PLAYBOOK-2 what YAML says of an unquoted token with an index comes with the advice to quote it', () => {
  const { faults } = readPlaybook(
    'playbook: 1\nsteps:\n  - model: {config:models[0]}\n    instruction_user_prompt: x\n',
  );
  expect(faults).toMatchObject([
    { code: 'playbook_syntax', at: { line: 3 }, remedy: expect.stringContaining('quotes') },
  ]);
});

test('PLAYBOOK-2 256 KiB are read, one byte more is refused', () => {
  const text = (bytes: number): string => {
    const head = 'playbook: 1\nsteps:\n  - instruction_user_prompt: "';
    return `${head}${'x'.repeat(bytes - head.length - 2)}"\n`;
  };
  expect(readPlaybook(text(256 * KIB)).faults).toEqual([]);
  expect(readPlaybook(text(256 * KIB + 1)).faults).toMatchObject([{ code: 'playbook_syntax', key: 'size' }]);
});

describe('PLAYBOOK-3', () => {
  const bombs = {
    braces: `a: ${'{'.repeat(200_000)}`,
    brackets: `a: ${'['.repeat(200_000)}`,
    levels: `${'['.repeat(1000)}${']'.repeat(1000)}`,
    dashes: '- '.repeat(100_000),
    questions: '? '.repeat(100_000),
    colons: ': '.repeat(100_000),
    commas: `[${','.repeat(200_000)}]`,
    nested: '{a,'.repeat(60_000),
  };
  test.each(Object.entries(bombs))('a text of %s is refused before it is parsed', (_name, text) => {
    const read = readYaml(text, 1024 * KIB);
    expect(read.ok ? null : read.fault).toMatchObject({ code: 'playbook_syntax', key: 'nesting' });
  });

  test('braces in a prompt are text', () => {
    const read = readYaml(`a: "${'{'.repeat(200_000)}"`, 256 * KIB);
    expect(read.ok).toBe(true);
  });

  test('a key given twice among many is found', () => {
    const keys = Array.from({ length: 5000 }, (_, at) => `k${at}: 1`);
    const read = readYaml([...keys, 'k17: 2'].join('\n'), 256 * KIB);
    expect(read.ok ? null : read.fault.message).toContain('"k17" is given twice');
  });
});

test('PLAYBOOK-5 values that double each other are refused, not built', () => {
  const values = mappingOf(Array.from({ length: 40 }, (_, at) => [`v${at}`, `{config:v${at + 1}}{config:v${at + 1}}`]));
  const scope = scopeOf({ config: new ConfigValues({ ...values, v40: 'a long text' }), unit: null });
  expect(() => expandText('{config:v0}', scope)).toThrow('16 MiB');
});

test('PLAYBOOK-4 a key called __proto__ is a field like others and reaches no prototype', () => {
  const read = readYaml('"__proto__": { polluted: yes }\na: 1\n', KIB);
  const value = read.ok ? read.value : null;
  expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const scope = scopeOf({ config: new ConfigValues(value as Record<string, never>), unit: null });
  expect(expandText('{config:__proto__.polluted}', scope)).toBe('yes');
});
