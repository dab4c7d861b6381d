import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSegments } from '#lanes/library/core/index/merge-segments.ts';
import { partsOfName } from '#lanes/library/core/text/words.ts';
import { lines, sentences } from '#lanes/library/core/text/units.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { indexOf, readFileOf, segmentFrom, segmentOf } from './library-world.ts';

const paragraph = (of: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `Sentence ${n} about ${of} says nothing else.`).join(' ');

test('LIBRARY-40 what comes back are passages of the file of at most 1,500 characters around the best sentences, none over another by more than half', () => {
  const word = fc.constantFrom('kettle', 'harbour', 'reads', 'the', 'boats.', '\n\n', 'Löwe', '漢字', '🛶.', 'x1');
  const text = fc.array(word, { minLength: 1, maxLength: 900 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const texts = new Map([
        ['one.txt', one],
        ['other.txt', other],
      ]);
      const index = indexOf(segmentOf(readFileOf('one.txt', one)), segmentOf(readFileOf('other.txt', other)));
      const found = searchLibrary(index, 'kettle boats in the harbour', { k: 8 });
      for (const [at, passage] of found.entries()) {
        const { path, start, end } = passage;
        expect(passage.text).toBe(texts.get(path)?.slice(start, end));
        expect(passage.text.length).toBeLessThanOrEqual(1_500);
        expect(passage.startLine).toBe((texts.get(path) ?? '').slice(0, start).split('\n').length);
        for (const before of found.slice(0, at)) {
          if (before.path !== path) continue;
          const shared = Math.min(before.end, end) - Math.max(before.start, start);
          expect(shared * 2).toBeLessThanOrEqual(Math.min(before.end - before.start, end - start));
        }
      }
    }),
  );
});

test('LIBRARY-40 the passage holds the sentence that answers, with text before and behind it', () => {
  const answer = 'The lighthouse of Brill was built by Ada Quist in 1871.';
  const text = `${paragraph('boats', 60)} ${answer} ${paragraph('nets', 60)}`;
  const [best] = searchLibrary(indexOf(segmentOf(readFileOf('a.md', text))), 'Who built the lighthouse in Brill?');
  expect(best?.text).toContain(answer);
  expect(best?.text.indexOf(answer)).toBeGreaterThan(100);
  expect(best?.text.endsWith(answer)).toBe(false);
});

test('LIBRARY-41 a name of code is found whole and by its parts, in any case, and before a text that mentions it', () => {
  expect(partsOfName('readHTTPBody')).toEqual(['read', 'HTTP', 'Body']);
  expect(partsOfName('max_line_length')).toEqual(['max', 'line', 'length']);
  expect(partsOfName('utf8')).toEqual(['utf', '8']);
  const code = 'function readHTTPBody(socket) {\n  return drain(socket);\n}\n';
  const chunk = {
    chunkType: 'function',
    symbolName: 'readHTTPBody',
    parentSymbol: null,
    fullyQualifiedName: 'readHTTPBody',
  };
  const place = { startLine: 1, endLine: 3, metadata: {}, start: 0, end: code.length };
  const index = indexOf(
    segmentOf(readFileOf('notes.txt', 'We should read the body of HTTP requests. Later.')),
    segmentOf(readFileOf('net.js', code, [{ ...chunk, ...place }], 'javascript')),
  );
  for (const words of ['readHTTPBody', 'readhttpbody', 'read body', 'http']) {
    const [best] = searchLibrary(index, words);
    expect([words, best?.path, best?.symbolName]).toEqual([words, 'net.js', 'readHTTPBody']);
  }
});

test('LIBRARY-42 words are found in other forms, without accents, and in scripts that write no spaces', () => {
  const index = indexOf(
    segmentOf(readFileOf('en.txt', 'The committee was funding several bridges.')),
    segmentOf(readFileOf('fr.txt', 'Le café près de l’école.')),
    segmentOf(readFileOf('ja.txt', '図書館で本を借りました。東京タワーは高いです。')),
  );
  expect(searchLibrary(index, 'fund a bridge')[0]?.path).toBe('en.txt');
  expect(searchLibrary(index, 'cafe')[0]?.path).toBe('fr.txt');
  expect(searchLibrary(index, '図書館')[0]?.path).toBe('ja.txt');
  expect(searchLibrary(index, 'zeppelin')).toEqual([]);
  expect(searchLibrary(index, ' ?! ')).toEqual([]);
});

test('LIBRARY-43 merged segments answer as one that was built at once, and nothing of a dead file is left', () => {
  const files = ['alpha', 'beta', 'gamma', 'delta'].map((name) =>
    readFileOf(`${name}.txt`, `${paragraph(name, 30)}\nAll of them have kettles. 漢`),
  );
  const [a, b, c, d] = files;
  if (!a || !b || !c || !d) throw new Error('four files');
  const parts = [
    { id: '1', segment: segmentOf(a, b), dead: new Set([1]) },
    { id: '2', segment: segmentOf(c, d), dead: new Set<number>() },
  ];
  const merged = segmentFrom(mergeSegments(parts));
  const fresh = segmentOf(a, c, d);
  expect(merged.files.map(({ path }) => path)).toEqual(['alpha.txt', 'gamma.txt', 'delta.txt']);
  for (const words of ['gamma kettles', 'sentence 7 about alpha', 'beta']) {
    const said = (index: LibraryIndex) =>
      searchLibrary(index, words, { k: 9 }).map(({ path, text, score, startLine }) => ({
        path,
        text,
        score,
        startLine,
      }));
    expect(said(indexOf(merged))).toEqual(said(indexOf(fresh)));
  }
  expect(merged.read(merged.files[1] ?? never())).toEqual(c);
});

const never = (): never => {
  throw new Error('nothing there');
};

test('LIBRARY-44 sentences end at a full stop before a space, not in an abbreviation or a number, and lines of code keep their indent', () => {
  const said = (text: string): string[] =>
    sentences(text, 0, text.length).map(({ start, end }) => text.slice(start, end));
  expect(said('Dr. No paid $3.50. He left, e.g. by boat! "Why?" Nobody\nknew')).toEqual([
    'Dr. No paid $3.50.',
    'He left, e.g. by boat!',
    '"Why?"',
    'Nobody',
    'knew',
  ]);
  expect(said('雨です。傘を持つ。')).toEqual(['雨です。', '傘を持つ。']);
  const code = 'if (a) {\n\n  b();\r\n}';
  expect(lines(code, 0, code.length).map(({ start, end }) => code.slice(start, end))).toEqual([
    'if (a) {',
    '  b();',
    '}',
  ]);
  const giant = 'x'.repeat(5_000);
  for (const { start, end } of sentences(giant, 0, giant.length)) expect(end - start).toBeLessThanOrEqual(600);
});
