/** Pages of HTML, JSONPath and robots.txt, as connectors read them. */
import { expect, test } from 'vitest';
import { readPage, resolved } from '#core/toolbox/connectors/html-page.ts';
import { parsePath, valuesAt } from '#core/toolbox/connectors/json-path.ts';
import { mayRead } from '#core/toolbox/connectors/robots.ts';

test.each([
  ['b', 'https://a.org/x/b'],
  ['/b?c=1#d', 'https://a.org/b?c=1#d'],
  ['../b', 'https://a.org/b'],
  ['../../../b', 'https://a.org/b'],
  ['./b/./c', 'https://a.org/x/b/c'],
  ['//other.org/y', 'https://other.org/y'],
  ['?q=1', 'https://a.org/x/page?q=1'],
  ['HTTPS://other.org', 'HTTPS://other.org'],
  ['javascript:alert(1)', null],
  ['mailto:x@y.org', null],
  ['data:text/html,x', null],
  ['#part', null],
])('TOOLBOX-44 a link to %s', (href, address) => expect(resolved('https://a.org/x/page?old=1', href)).toBe(address));

test('TOOLBOX-44 tables with spans, without headings, within cells, and ones that are broken off', () => {
  const spans = '<table><tr><th>a</th><th>a</th></tr><tr><td colspan="99999" rowspan="x">1</td></tr><tr><td>2'; // prettier-ignore
  expect(readPage(spans, 'https://a.org').tables[0]).toMatchObject({ rows: [expect.arrayContaining(['1']), expect.arrayContaining(['2'])] }); // prettier-ignore
  expect(readPage('<table><tr><td>x</td><td>y</td></tr><tr><td>1</td><td><table><tr><td>in</td></tr></table></td></tr></table>', '').tables).toEqual([{ caption: '', columns: ['column 1', 'column 2'], rows: [['x', 'y'], ['1', 'in']] }]); // prettier-ignore
});

const BOOK = {
  a: [
    { b: 1, 'c d': [1, 2, 3] },
    { b: null, e: { b: 9 } },
  ],
  n: 0,
  __proto__x: 1,
};
test.each([
  ['$', [BOOK]],
  ['$.a[*].b', [1, null]],
  ['$.a[-1].e.b', [9]],
  ["$.a[0]['c d'][1:]", [2, 3]],
  ['$.a[0]["c d"][:-1]', [1, 2]],
  ['$..b', [1, null, 9]],
  ['$.a.*.b', [1, null]],
  ['$.nothing.b', []],
  ['$.toString', []],
])('TOOLBOX-42 the path %s', (path, values) => expect(valuesAt(BOOK, parsePath(path) ?? [])).toEqual(values));

test.each(['a.b', '$.', '$[', '$[?(@.x)]', '$.a[(1)]', "$['a", '$..', '$.a b'])('TOOLBOX-42 %s is no path', (path) =>
  expect(parsePath(path)).toBeNull(),
);

const ROBOTS = `User-agent: other
Disallow: /
User-agent: *
Disallow: /private # secret
Allow: /private/open
Disallow: /*.pdf$
Disallow: /a*b*c
Disallow:
`;
test.each([
  ['/', true],
  ['/private', false],
  ['/private/x', false],
  ['/private/open/y', true],
  ['/x.pdf', false],
  ['/x.pdf?y', true],
  ['/a1b2c3', false],
  ['/acb', true],
])('TOOLBOX-44 robots.txt and %s', (path, may) => expect(mayRead(ROBOTS, path)).toBe(may));

test('TOOLBOX-44 a group that names us goes before the one for all, and no pattern takes long', () => {
  expect(mayRead(`${ROBOTS}\nUser-agent: Accession\nAllow: /private\n`, '/private/x')).toBe(true);
  expect(mayRead('', '/x')).toBe(true);
  expect(mayRead(`User-agent: *\nDisallow: /${'*a'.repeat(5000)}$`, `/${'a'.repeat(50_000)}`)).toBeTypeOf('boolean');
});
