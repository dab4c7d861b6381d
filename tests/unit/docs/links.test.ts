import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What GitHub calls a heading: lower case, words with dashes, no signs. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text]) => anchorOf(text ?? ''));

test.each(DOCUMENTS)('DOCS-3 %s links to files and headings that are there', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, to = '', anchor]) => {
    const target = to === '' ? path : join(dirname(path), to);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('DOCS-3 files of the sources that documents name are there', () => {
  const named = DOCUMENTS.flatMap((path) =>
    [...read(path).matchAll(/`((?:src|workers|tests|scripts|docs)\/[\w./-]+)`/g)].map(([, file = '']) => ({
      path,
      file,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});
