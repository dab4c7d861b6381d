import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportFile } from '#lanes/documents/cli/records.ts';
import type { ExportFormat } from '#lanes/documents/core/export/export-records.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { manifestEntry } from '../../fixtures/manifest-entry.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const ENTRIES = [
  manifestEntry({
    title: 'Rivers & {banks}\n100 % "x"',
    authors: ['Ana van der Berg', 'World Health Organization'],
    date: '2019-05-03',
    year: 2019,
    doi: '10.5555/d(1)_2;x',
    tags: ['wet'],
  }),
  manifestEntry({ title: '=HYPERLINK("x")', authors: [], date: '', publication: '', filename: '' }),
  manifestEntry({ isbn: '9780306406157', publication: 'Made Press', year: 2019, title: 'Rivers' }),
];

async function exported(format: ExportFormat, entries: ManifestEntry[] = ENTRIES): Promise<string> {
  await using folder = await temporaryFolder();
  const [manifest, out] = [join(folder.root, 'm.json'), join(folder.root, 'out')];
  await writeFile(manifest, JSON.stringify({ version: 1, entries }));
  const said: string[] = [];
  await exportFile({ format, manifest, out }, (line) => said.push(line));
  expect(said).toEqual([`${entries.length} records are in ${out}`]);
  const text = await readFile(out, 'utf8');
  await exportFile({ format, manifest, out: null }, (line) => said.push(line));
  expect(said.at(-1)).toBe(text.trimEnd());
  return text;
}

test('DOCUMENT-62 CSV: quoted where it must be, no formula, with the token', async () => {
  const [head, first, , second] = (await exported('csv')).split(/\r?\n/);
  expect(head).toBe(
    'id,filename,title,authors,publication,date,year,doi,isbn,pdf_url,source_url,processed,retrieved_at,notes,tags,token',
  );
  expect(first).toContain(',a.pdf,"Rivers & {banks}');
  expect(second).toContain(`,,"'=HYPERLINK(""x"")",,,,,`);
  expect(await exported('csv')).toContain(',wet,[@{doi:10.5555/d(1)_2;x}]\r\n');
});

test('DOCUMENT-62 NDJSON has the entries as they are', async () => {
  const lines = (await exported('ndjson')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(ENTRIES);
});

test('DOCUMENT-62 BibTeX: what is special is escaped, groups stay whole, keys are unique', async () => {
  const text = await exported('bibtex', [...ENTRIES, ENTRIES[2] ?? manifestEntry({})]);
  expect(text).toContain('@article{vanderberg2019rivers,'.replace('vanderberg', 'berg'));
  expect(text).toContain(String.raw`  title = {{Rivers \& \{banks\} 100 \% "x"}},`);
  expect(text).toContain('  author = {van der Berg, Ana and {World Health Organization}},');
  expect(text).toContain('  doi = {10.5555/d(1)_2;x},');
  expect(text).toContain('  month = may,');
  expect(text).toContain('@misc{hyperlink,');
  expect(text).toContain('@book{garcia2019rivers,');
  expect(text).toContain('@book{garcia2019rivers_2,');
  // Outside of escapes braces are balanced: a parser of BibTeX finds each entry's end.
  const bare = text.replaceAll(/\\[{}]/g, '');
  expect(bare.split('{').length).toBe(bare.split('}').length);
});

test('DOCUMENT-62 RIS: a line each, dates as its tags have them', async () => {
  const text = await exported('ris');
  expect(text).toContain(
    'TY  - JOUR\r\nTI  - Rivers & {banks} 100 % "x"\r\nAU  - van der Berg, Ana\r\nAU  - World Health Organization\r\n',
  );
  expect(text).toContain('DA  - 2019/05/03/\r\n');
  expect(text).toContain('TY  - BOOK\r\n');
  expect(text).toContain('PB  - Made Press\r\n');
  expect(text.match(/^ER {2}- \r$/gm)).toHaveLength(3);
});

test('DOCUMENT-62 CSL-JSON: types, parted names, dates as exact as known', async () => {
  expect(JSON.parse(await exported('csl-json'))).toMatchObject([
    {
      type: 'article-journal',
      author: [{ family: 'Berg', 'non-dropping-particle': 'van der' }, { literal: 'World Health Organization' }],
      issued: { 'date-parts': [[2019, 5, 3]] },
      DOI: '10.5555/d(1)_2;x',
    },
    { type: 'article' },
    { type: 'book', publisher: 'Made Press', ISBN: '9780306406157' },
  ]);
});
