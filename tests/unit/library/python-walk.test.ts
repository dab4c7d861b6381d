/** The walk through Python's statements beside the query that says what it has to find. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceText } from '#core/ingest/source-text.ts';
import { python } from '#lanes/library/core/syntax/languages/python.ts';
import { outline } from '#lanes/library/core/syntax/outline.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';

const parser = nodeParser();
const { walk: _walk, ...queryAlone } = python;
const NEVER = { aborted: false } as AbortSignal;

async function outlineBy(rules: typeof queryAlone, text: string) {
  return outline(SourceText.of(text, 'a.py', 'python'), await parser.matches(rules, text, NEVER), rules);
}

/** One line each; `{` is where statements follow, indented. */
const HEADS = [
  'def f(a, b=lambda: 0):{',
  'async def g[T](self, *, key: str = "x") -> dict[str, int]:{',
  'class A:{',
  'class B(Base, metaclass=Meta):{',
  '@wraps(f)\n@other\ndef h():{',
  '@dataclass  # of data\nclass C:{',
  'if a:{',
  'if a:\n    pass\nelif b:{',
  'for x in y:\n    pass\nelse:{',
  'while True:{',
  'try:{\nexcept E as e:{\nelse:{\nfinally:{',
  'try:{\nexcept* E:{',
  'with open(a) as f, b:{',
  'match x:\n    case [1, *_]:{',
] as const;
const LINES = [
  '"""What it is for."""',
  "r'''raw\n  of two lines'''",
  '"one" "two"',
  'f"made of {x}"',
  '# said before',
  'x = lambda: 0',
  'a = b = lambda x: (yield)',
  'f: Callable = lambda y: y',
  'obj.attr = lambda: 1',
  'x, y = 1, lambda: 2',
  'type Names = list[str]',
  'type Pair[T] = tuple[T, T]',
  'return [g(x) for x in y if x]',
  'call(a,  # why\n     b)',
  'x = {"a": lambda: 1}; z = lambda: 3',
  'pass',
  'broken = = 1',
  'def',
] as const;

const { program } = fc.letrec<{ program: string[]; statement: string[] }>((tie) => ({
  program: fc.array(tie('statement'), { minLength: 1, maxLength: 4 }).map((parts) => parts.flat()),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...LINES).map((line) => line.split('\n')),
    fc.tuple(fc.constantFrom(...HEADS), tie('program')).map(([head, inner]) =>
      head.split('\n').flatMap((line) => {
        const indent = /^ */.exec(line)?.[0] ?? '';
        return line.endsWith('{') ? [line.slice(0, -1), ...inner.map((one) => `${indent}    ${one}`)] : [line];
      }),
    ),
  ),
}));

test('LIBRARY-150 the walk through a Python file finds what the query finds, whatever stands in it', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(program, async (lines) => {
      const text = lines.join('\n');
      const walked = await outlineBy(python, text);
      found += walked.length;
      expect(walked).toEqual(await outlineBy(queryAlone, text));
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(300);
});

test('LIBRARY-150 statements deeper than the walk goes are left to the query', async () => {
  const text = Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}if a:`).join('\n');
  const deep = `${text}\n${' '.repeat(300)}def deepest(): pass`;
  const [only, ...others] = await outlineBy(python, deep);
  expect([only?.metadata, others]).toEqual([expect.objectContaining({ nameLine: '301' }), []]);
});
