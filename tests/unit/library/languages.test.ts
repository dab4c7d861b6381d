import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { SourceText } from '#core/ingest/source-text.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';
import { treeSitter } from '#lanes/library/syntax/tree-sitter.ts';
import { outlineText } from './outline-text.ts';
import { readBy } from './reading.ts';

const agents = libraryAgents({ syntax: nodeParser() });
const read = (path: string, content: string) => readBy(agents, path, content);

/** A source, a line of dashes, and its symbols as `outlineText` writes them: each was looked at by a person. */
const cases = readdirSync(new URL('cases/', import.meta.url)).map((name) => {
  const [source = '', expected = ''] = readFileSync(new URL(`cases/${name}`, import.meta.url), 'utf8').split(
    '-----\n',
    2,
  );
  return { path: name.replace(/\.case$/, ''), source, expected: expected.trim().split('\n') };
});

test.each(cases)('LIBRARY-10 the symbols of $path', async ({ path, source, expected }) => {
  const { chunks, warnings } = await read(path, source);
  expect(outlineText(chunks)).toEqual(expected);
  expect(warnings).toEqual([]);
});

test.each(['jsonl', 'ndjson', 'bib', 'srt', 'ics', 'patch'])(
  'LIBRARY-113 .%s is read as text, and no model is asked or missed',
  async (ending) => {
    const { agentId, warnings } = await read(`a.${ending}`, '{"boat":"Tern"}\n{"boat":"Marrow"}\n');
    expect([agentId, warnings]).toEqual(['text-ingester', []]);
  },
);

test('LIBRARY-112 a grammar that cannot be loaded is asked for once in half a minute, however many files want it', async () => {
  let [asked, now] = [0, 0];
  const missing = treeSitter(
    {
      engine: () => fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm')),
      grammar: () => {
        asked += 1;
        return Promise.reject(new TypeError('Failed to fetch'));
      },
    },
    { now: () => now },
  );
  const without = libraryAgents({ syntax: missing });
  for (let file = 0; file < 3; file++)
    expect((await readBy(without, 'a.py', 'def f():\n  pass\n')).warnings).toContain(
      'python-ingester could not read "a.py": its parser is not on this device yet.',
    );
  expect(asked).toBe(1);
  now += 30_000;
  await readBy(without, 'a.py', 'def f():\n  pass\n');
  expect(asked).toBe(2);
});

test('LIBRARY-10 fences and underlines: what looks like a heading and is none', async () => {
  const { chunks } = await read('a.md', '# A\n\n```\n# b\n```\n\n- c\n---\n\n    # d\n\n> e\n---\n\n<!--\n# f\n-->\n');
  expect(outlineText(chunks)).toEqual(['section A 1-17']);
});

describe('LIBRARY-11 whatever the parser makes of it', () => {
  const covers = async (path: string, content: string): Promise<void> => {
    const source = new SourceText(content, path, '');
    const { chunks, agentId } = await read(path, content);
    expect(agentId).not.toBe('nobody');
    const held = new Set<number>();
    for (const { text, startLine, endLine, metadata } of chunks) {
      expect(content.slice(Number(metadata['startOffset']), Number(metadata['endOffset']))).toBe(text);
      for (let line = startLine; line <= endLine; line++) held.add(line);
    }
    for (let line = 1; line <= source.lines; line++) expect(held.has(line) || source.isBlankLine(line)).toBe(true);
  };

  test.each(cases)('$path, cut and mixed up anywhere, keeps every line and its text', async ({ path, source }) => {
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const cut = fc.tuple(fc.nat(source.length), fc.nat(source.length), ends);
    await fc.assert(
      fc.asyncProperty(cut, async ([a, b, end]) => {
        const mixed = source.slice(Math.min(a, b)) + source.slice(0, Math.max(a, b));
        await covers(path, `\uFEFF${mixed.replaceAll('\n', end)}`);
      }),
      { numRuns: 3 },
    );
  });

  test.each(['lisp', 'py', 'cs', 'js', 'cpp'])('100,000 brackets in a .%s', async (ending) => {
    await covers(`a.${ending}`, `${'('.repeat(100_000)}\nx = 1\n`);
  });

  test('lines that end with CR alone are counted', async () => {
    const { chunks } = await read('a.py', 'def one():\r  pass\r\rdef two():\r  pass\r');
    expect(outlineText(chunks)).toEqual(['function one 1-2', 'function two 4-5']);
  });

  test('offsets are UTF-16 units, behind characters of two as well', async () => {
    const { chunks } = await read('a.py', 's = "😀😀"\ndef später(): pass\n');
    expect(chunks.at(-1)).toMatchObject({ symbolName: 'später', text: 'def später(): pass', startLine: 2 });
  });

  test('code above 1 MB, and code without a parser, is read as text with a warning', async () => {
    const large = await read('a.py', 'x = 1\n'.repeat(200_000));
    expect(large.agentId).toBe('text-ingester');
    expect(large.warnings.join()).toMatch(/python-ingester could not read "a.py": .*1 MB/);
    const none = await readBy(libraryAgents(), 'a.py', 'def f(): pass');
    expect(none).toMatchObject({
      agentId: 'text-ingester',
      warnings: expect.arrayContaining([expect.stringContaining('no parser of code')]) as string[],
    });
  });
});

test('LIBRARY-12 a person’s agent for .lisp goes before the reader of Lisp', () => {
  expect(agents.filter(({ tags }) => tags.includes('lisp')).map(({ priority }) => priority)).toEqual([90, 90, 90, 90]);
});
