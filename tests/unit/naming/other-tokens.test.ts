/** Templates with the tokens of a made-up lane: papers, each with notes that follow it. */
import { expect, test } from 'vitest';
import type { Values } from '#core/naming/fill-template.ts';
import { parsePieces, type TokenSet } from '#core/naming/parse-template.ts';
import { planNames } from '#core/naming/plan-names.ts';

type Token = 'author' | 'year' | 'title';

const PAPERS: TokenSet<Token> = {
  names: ['author', 'year', 'title'],
  numbers: new Set(['year']),
  telling: new Set(['title']),
  sameName: 'The template gives every paper the same name: it needs {title}.',
  cut: [['title', "paper's title"]],
};

function names(template: string, papers: readonly (Values<Token> & { path: string; companions?: string[] })[]) {
  const parsed = parsePieces(template, PAPERS);
  if (!parsed.ok) throw new Error(parsed.error.sentence);
  const leaders = papers.map(({ path, companions = [], ...values }) => ({ path, companions, values, why: [] }));
  const world = {
    paths: papers.flatMap(({ path, companions = [] }) => [path, ...companions]),
    rankOf: (path: string) => -path.length,
    same: 'it is the same paper',
  };
  return planNames(leaders, parsed.pieces, { tokens: PAPERS, multi: 'range' }, world);
}

const paper = (path: string, title: string, companions: string[] = []) => {
  return { path, companions, author: 'Noether', year: 1918, title, ext: '.pdf' };
};

test('VIDEO-50 a template has the tokens of its lane', () => {
  const { rows } = names('{author}/{year} - {title}', [paper('a.pdf', 'Invariante: Teil 1', ['a.notes.txt'])]);
  expect(rows.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
    'a.pdf -> Noether/1918 - Invariante - Teil 1.pdf',
    'a.notes.txt -> Noether/1918 - Invariante - Teil 1.notes.txt',
  ]);
});

test('VIDEO-51 what is wrong with it is said in the words of its lane', () => {
  expect(() => names('{author} {season}', [])).toThrow(
    '{season} at character 10 is no token; there are {author} {year} {title} {ext}.',
  );
  expect(() => names('{author} {year}', [])).toThrow('every paper the same name');
});

test('VIDEO-57 of two files that want one name the one of the higher rank gets it', () => {
  const { rows, problems } = names('{title}', [paper('copy of a.pdf', 'A'), paper('b.pdf', 'A')]);
  expect(rows.map(({ from }) => from)).toEqual(['b.pdf']);
  expect(problems).toEqual([
    { path: 'copy of a.pdf', code: 'taken', sentence: '"b.pdf" gets this name: it is the same paper.' },
  ]);
});

test('VIDEO-53 the text that gives way is called as the lane calls it', () => {
  const { rows } = names('{title}', [paper('a.pdf', 'x'.repeat(300))]);
  expect(rows[0]?.why).toEqual(["The paper's title is cut: a name has at most 255 bytes."]);
});
