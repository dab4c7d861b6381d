import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importCases } from '#lanes/documents/cli/import-cases.ts';
import { importFile } from '#lanes/documents/cli/records.ts';
import { namesOf } from '#lanes/documents/core/listings/listing.ts';
import { importListings } from '#lanes/documents/core/listings/import-listings.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const result = (title: string, byline: string, pdf = ''): string =>
  `<div class="gs_r gs_or gs_scl">${pdf === '' ? '' : `<div class="gs_ggs"><a href="${pdf}"><span class="gs_ctg2">[PDF]</span> host</a></div>`}` +
  `<div class="gs_ri"><h3 class="gs_rt">${title}</h3><div class="gs_a">${byline}</div><div class="gs_rs">Words</div></div></div>`;

const PAGE = `<html><body><script>"<h3 class=gs_rt>no</h3>"</script>${result(
  '<a href="https://doi.org/10.5555/River.1"><b>Rivers</b> &amp; banks &lt;x&gt;</a>',
  '<a href="/citations?user=1">A Garcia</a>, B Novak…\u00a0- Journal of Tests, Part B - Water, 2019\u00a0- test.example',
  'https://scholar.google.com/scholar_url?url=https://test.example/1.pdf&hl=en',
)}${result(
  '<span class="gs_ctu"><span>[BOOK]</span><span>[B]</span></span> <a href="javascript:alert(1)">A handbook</a>',
  'H Keller - test.example',
  'javascript:alert(1)',
)}${result('<span class="gs_ctu">[CITATION][C]</span> <span>On harvests</span>', 'G Tanaka - 1987')}</body></html>`;

const none = { doi: '', isbn: '', pdf_url: '', source_url: '', publication: '' };

describe('DOCUMENT-60 listings', () => {
  test('of a page of Google Scholar', () => {
    expect(importListings(PAGE, null).listings).toEqual([
      {
        ...none,
        kind: 'article',
        title: 'Rivers & banks <x>',
        authors: ['A Garcia', 'B Novak'],
        publication: 'Journal of Tests, Part B - Water',
        date: '2019',
        year: 2019,
        doi: '10.5555/river.1',
        pdf_url: 'https://test.example/1.pdf',
        source_url: 'https://doi.org/10.5555/River.1',
      },
      { ...none, kind: 'book', title: 'A handbook', authors: ['H Keller'], date: '', year: null },
      { ...none, kind: 'article', title: 'On harvests', authors: ['G Tanaka'], date: '1987', year: 1987 },
    ]);
  });

  test('of rough XML, whose fields need not be closed', () => {
    const xml =
      '<ARTICLE><Title>Rivers & <i>banks<author>Garcia, Ana</author><author>B Novak<date>3 May 2019<doi>doi:10.5555/A.1</doi></article>' +
      '<article/><book><title>Censuses</title><isbn>0-306-40615-2</isbn><pdf_link>HTTPS://test.example/?a=1&b=2</pdf_link>';
    expect(importListings(xml, null).listings).toEqual([
      {
        ...none,
        kind: 'article',
        title: 'Rivers & banks',
        authors: ['Garcia, Ana', 'B Novak'],
        date: '2019-05-03',
        year: 2019,
        doi: '10.5555/a.1',
      },
      {
        ...none,
        kind: 'book',
        title: 'Censuses',
        authors: [],
        date: '',
        year: null,
        isbn: '9780306406157',
        pdf_url: 'HTTPS://test.example/?a=1&b=2',
      },
    ]);
  });

  test.each([
    ['A Garcia; B Novak', ['A Garcia', 'B Novak']],
    ['A Garcia and B Novak', ['A Garcia', 'B Novak']],
    ['A Garcia, B Novak, …', ['A Garcia', 'B Novak']],
    ['Garcia, Ana', ['Garcia, Ana']],
    [' ; ', []],
  ])('authors: %s', (text, names) => {
    expect(namesOf(text)).toEqual(names);
  });

  test('go to the manifest once, and stay as a person mended them', async () => {
    await using folder = await temporaryFolder();
    const [page, manifest] = [join(folder.root, 'page.html'), join(folder.root, 'out', 'manifest.json')];
    await writeFile(page, PAGE);
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const read = async () =>
      JSON.parse(await readFile(manifest, 'utf8')) as { version: number; entries: Record<string, unknown>[] };
    expect(await importFile({ path: page, form: null }, { manifest, dryRun: true }, say)).toBe(0);
    await expect(read()).rejects.toThrow();
    await importFile({ path: page, form: null }, { manifest, dryRun: false }, say);
    expect(said.at(-1)).toContain('3 listed, 3 new');
    const kept = await read();
    expect(kept.entries[0]).toMatchObject({ filename: '', processed: false, doi: '10.5555/river.1', tags: [] });
    kept.entries[0] = { ...kept.entries[0], title: 'Mended' };
    await writeFile(manifest, JSON.stringify(kept));
    await importFile({ path: page, form: null }, { manifest, dryRun: false }, say);
    expect(said.at(-1)).toContain('3 listed, 0 new');
    expect(await read()).toEqual(kept);
    const [cases, out] = [join(folder.root, 'cases.jsonl'), join(folder.root, 'out.jsonl')];
    await writeFile(cases, `${JSON.stringify({ id: 'a', form: 'scholar', text: PAGE })}\n`);
    expect(await importCases({ cases, out })).toBe(1);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ id: 'a', listings: [{}, {}, {}] });
  });
});

describe('DOCUMENT-61 what is not sound of a listing does not count', () => {
  test('entities, scripts, addresses, ISBNs', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY z "&x;&x;">]>';
    const [listing] = importListings(
      `${bomb}<article><title>&z;<script>alert(1)</script>Rivers</title><isbn>9781234567890</isbn><date>30 February 2019</date><scholar_url>file:///etc/passwd</scholar_url></article>`,
      'xml',
    ).listings;
    expect(listing).toMatchObject({ title: '&z;Rivers', isbn: '', source_url: '', date: '2019-02' });
  });

  test('a page as deep as a well, and one of a thousand results, are read', () => {
    expect(importListings(`${'<div class="gs_r">'.repeat(3_000)}${PAGE}`, 'scholar').listings).toHaveLength(3);
    expect(importListings(PAGE.repeat(340), 'scholar').listings).toHaveLength(1_000);
  });

  test.each([
    ['<form id="captcha-form"></form>Please show you are not a robot', /asks whether you are a robot/],
    ['<html>Your search did not match any articles.</html>', /No result of Google Scholar/],
    ['<article></article>', /No <article> or <book>/],
    [' ', /no text/],
  ])('%s is named', async (text, why) => {
    await using folder = await temporaryFolder();
    const path = join(folder.root, 'page.html');
    await writeFile(path, text);
    const said: string[] = [];
    const code = await importFile(
      { path, form: null },
      { manifest: join(folder.root, 'm.json'), dryRun: false },
      (line) => said.push(line),
    );
    expect([code, said.join('\n')]).toEqual([1, expect.stringMatching(why)]);
  });
});
