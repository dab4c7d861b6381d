import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import fc from 'fast-check';
import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { ChunkSchema, CHUNK_TYPES, type Chunk } from '#core/ingest/chunk.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { fileTypeOf } from '#core/ingest/languages.ts';
import { ingestFile } from '#core/ingest/registry.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { textIngester } from '#lanes/library/core/text/text-ingester.ts';
import { musicIngesters } from '#lanes/music/core/ingesters.ts';
import { readBy, still } from './reading.ts';

/** The sample of the contract. */
const SAMPLE: Chunk = {
  text: 'public class Bar { }',
  filePath: '/path/to/file.cs',
  chunkType: 'class',
  symbolName: 'Bar',
  parentSymbol: null,
  fullyQualifiedName: 'Foo.Bar',
  startLine: 1,
  endLine: 1,
  language: 'csharp',
  metadata: { accessibility: 'public', hasXmlDoc: 'false' },
};

const agent = (
  agentId: string,
  priority: number,
  execute: ChunkAgent['execute'],
  ...endings: string[]
): ChunkAgent => ({
  ...{ agentId, name: agentId, description: '', priority, tags: [], version: '1', execute },
  capabilities: endings.map((ending) => `ingest:${ending}` as const),
});
const gives = (...chunks: unknown[]) => ({ content: '', artifacts: { chunks: JSON.stringify(chunks) } });

test('LIBRARY-1 the sample of the contract is a chunk; another field, another type and a number in metadata are not', () => {
  expect(v.is(ChunkSchema, SAMPLE)).toBe(true);
  expect(CHUNK_TYPES).toHaveLength(13);
  const { text: _, ...without } = SAMPLE;
  for (const wrong of [
    without,
    { ...SAMPLE, extra: 1 },
    { ...SAMPLE, chunkType: 'defun' },
    { ...SAMPLE, metadata: { line: 1 } },
    { ...SAMPLE, startLine: 0 },
  ])
    expect(v.is(ChunkSchema, wrong)).toBe(false);
});

test('LIBRARY-2 a .txt is a companion for the intake, and a text for chunks, in one registry', async () => {
  const registry = ingesterRegistry([{ ingesters: musicIngesters }, { ingesters: [textIngester] }]);
  expect(ingestFile(registry, { path: 'album/notes.txt', size: 10, kind: 'text' }).outcome.as).toBe('companion');
  expect(registry.getBestForCapability('ingest:txt')?.agentId).toBe('notes-ingester');
  expect(registry.getBestForCapability('ingest:txt', 'chunks')?.agentId).toBe('text-ingester');
  expect(registry.getAgent('text-ingester')?.name).toBe('Text ingester');
  const read = await readBy([...musicIngesters, textIngester], 'notes.txt', 'Hello.\n\nWorld.\n');
  expect(read).toMatchObject({ agentId: 'text-ingester', warnings: [] });
  expect(read.chunks.map(({ text, startLine }) => [text, startLine])).toEqual([
    ['Hello.', 1],
    ['World.', 3],
  ]);
});

describe('LIBRARY-3 the chain', () => {
  const never = () => gives();
  test('is exact, any, text, fallback, each by priority and the earlier among equals', () => {
    const all = [
      textIngester,
      agent('any', 20, never, '*'),
      agent('late', 90, never, 'lisp'),
      agent('first', 80, never, 'LISP'),
      agent('second', 80, never, 'lisp', '*'),
    ];
    const registry = ingesterRegistry([{ ingesters: all }]);
    expect(registry.chain('ingest:lisp').map(({ agentId }) => agentId)).toEqual([
      ...['first', 'second', 'late', 'any', 'text-ingester', 'fallback-ingester'],
    ]);
  });

  test('without a text agent the fallback reads', async () => {
    expect((await readBy([], 'x.foo', 'a')).agentId).toBe('fallback-ingester');
  });
});

test('LIBRARY-4 endings in any case, files without one by their name or #! line', () => {
  const of = (path: string, content = '') => {
    const { capability, language } = fileTypeOf(path, content);
    return `${capability} ${language}`;
  };
  expect(of('a/B.CS')).toBe('ingest:cs csharp');
  expect(of('a.b/Makefile')).toBe('ingest:makefile makefile');
  expect(of('Rakefile')).toBe('ingest:rb ruby');
  expect(of('bin/run', '#!/usr/bin/env -S python3 -u\n')).toBe('ingest:py python');
  expect(of('bin/run', '#!/bin/bash')).toBe('ingest:sh bash');
  expect(of('bin/run', 'no line')).toBe('ingest:run run');
  expect(of('x.py', '#!/bin/bash')).toBe('ingest:py python');
});

describe('LIBRARY-5 an agent that fails', () => {
  const failing: [string, ChunkAgent['execute'], string][] = [
    ['throws', () => Promise.reject(new Error('no luck')), 'no luck'],
    [
      'throws at once',
      () => {
        throw new Error('broken');
      },
      'broken',
    ],
    ['gives no chunks', () => ({ content: '', artifacts: {} }), 'has no chunks'],
    ['gives no JSON', () => ({ content: '', artifacts: { chunks: '[' } }), 'not JSON'],
    ['gives an eleventh field', () => gives({ ...SAMPLE, more: true }), 'not as agreed'],
    ['gives text of another file', () => gives({ ...SAMPLE, text: 'class Other' }), 'does not stand there'],
    ['gives lines behind the end', () => gives({ ...SAMPLE, endLine: 9 }), 'lines that the file has not'],
  ];
  test.each(failing)('%s: the next reads, and a warning says who and why', async (_, execute, why) => {
    const read = await readBy([agent('best', 1, execute, 'cs'), textIngester], 'dir/A.cs', 'public class Baz { }');
    expect(read.agentId).toBe('text-ingester');
    expect(read.warnings).toHaveLength(1);
    expect(read.warnings[0]).toMatch(/^best could not read "A.cs": /);
    expect(read.warnings[0]).toContain(why);
  });

  test('is late after 30 s, or 300 s where it asks a model', async () => {
    const waited: number[] = [];
    const ports = {
      ...still,
      timers: {
        set: (run: () => void, ms: number) => {
          waited.push(ms);
          queueMicrotask(run);
        },
        clear: () => undefined,
      },
    };
    const slow = agent('slow', 1, () => new Promise(() => undefined), 'cs');
    const asking = { ...agent('asking', 2, slow.execute, 'cs'), model: {} };
    const read = await readBy([slow, asking, textIngester], 'A.cs', 'x', ports);
    expect(waited).toEqual([30_000, 300_000]);
    expect(read.agentId).toBe('text-ingester');
    expect(read.warnings.join(' ')).toMatch(/slow could not .*30 s.*asking could not .*300 s/);
  });
});

test('LIBRARY-6 lines that no chunk holds become text', async () => {
  const content = '\uFEFFusing A;\r\n\r\nclass B { }\r// end\n\n';
  const source = new SourceText(content, 'A.cs', 'csharp');
  const at = content.indexOf('class');
  const part = agent(
    'part',
    1,
    () => outputOf('A.cs', [source.chunk(at, at + 11, { type: 'class', name: 'B' })]),
    'cs',
  );
  const { chunks } = await readBy([part, textIngester], 'A.cs', content);
  expect(chunks.map(({ chunkType, text, startLine, endLine }) => [chunkType, text, startLine, endLine])).toEqual([
    ['text', 'using A;', 1, 1],
    ['class', 'class B { }', 3, 3],
    ['text', '// end', 4, 4],
  ]);
});

test('LIBRARY-7 the fallback gives one chunk and names the ending; a blank file is nothing to speak of', async () => {
  const read = await readBy([], 'a/x.foo', '\n one\n\ntwo\n');
  expect(read.chunks).toMatchObject([
    { chunkType: 'text', text: 'one\n\ntwo', startLine: 2, endLine: 4, language: 'foo' },
  ]);
  expect(read.warnings.join()).toContain('.foo');
  expect(await readBy([], 'x.foo', ' \n\t\r\n')).toMatchObject({ chunks: [], warnings: [] });
});

describe('LIBRARY-8 plain text', () => {
  const read = async (content: string) => (await readBy([textIngester], 'a.txt', content)).chunks;
  test('headings stay with what they head', async () => {
    const found = await read('1. Harbour\n\nBoats lie here.\nMany.\n\nTides\n=====\n\nThey turn.\n\nTHE END\nof it\n');
    expect(found.map(({ text }) => text)).toEqual([
      '1. Harbour\n\nBoats lie here.\nMany.',
      'Tides\n=====\n\nThey turn.',
      'THE END\nof it',
    ]);
  });

  test('a line of a megabyte is cut at sentences', async () => {
    const found = await read('It rained all day. '.repeat(55_000));
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(1500);
    expect(found.every(({ text, endLine }) => text.endsWith('day.') && endLine === 1)).toBe(true);
  });

  test('of any text every line is in a chunk, and each chunk stands where it says', async () => {
    const piece = fc.constantFrom(
      'a',
      'Boat. ',
      '\n',
      '\r\n',
      '\r',
      '\n\n',
      '# H\n',
      '😀',
      'x'.repeat(700),
      '\uFEFF',
      '====',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (parts) => {
        const content = parts.join('');
        const source = new SourceText(content, 'a.txt', 'text');
        const held = new Set<number>();
        for (const { text, startLine, endLine, metadata } of await read(content)) {
          expect(text.length).toBeLessThanOrEqual(1500);
          expect(text.isWellFormed()).toBe(true);
          expect(content.slice(Number(metadata['startOffset']), Number(metadata['endOffset']))).toBe(text);
          for (let line = startLine; line <= endLine; line++) held.add(line);
        }
        for (let line = 1; line <= source.lines; line++) expect(held.has(line) || source.isBlankLine(line)).toBe(true);
      }),
    );
  });
});
