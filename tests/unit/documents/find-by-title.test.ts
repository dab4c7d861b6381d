import { describe, expect, test } from 'vitest';
import { memoryCache } from '#lanes/documents/core/lookup/cache.ts';
import type { MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup } from '#lanes/documents/core/lookup/lookup.ts';
import type { RawAnswer } from '#lanes/documents/core/lookup/source.ts';
import { findTitle } from '#lanes/documents/cli/find-title.ts';
import { documentRoom, valueOf } from '../../fixtures/document-room.ts';
import { documentWorld, DOI, work } from '../../fixtures/document-world.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';

const TITLE = 'Counting the rivers of the upper basin';
const item = (doi: string, title: string) => ({
  DOI: doi,
  type: 'journal-article',
  title: [title],
  author: [{ given: 'Ana', family: 'Garcia' }],
  'container-title': ['Journal of Tests'],
  issued: { 'date-parts': [[2019, 5]] },
});
const found = (...items: object[]): string => JSON.stringify({ status: 'ok', message: { items } });
const NOTHING: Record<string, string> = {
  'api.crossref.org': found(),
  'openlibrary.org': '{"docs":[]}',
};

/** A look-up whose sources say this by host, in order; the last is said again. */
function machine(replies: Record<string, (string | Partial<RawAnswer>)[]>, more: readonly MoreSource[] = []) {
  const asked: string[] = [];
  let now = 0;
  const lookup = createLookup({
    ...{ clock: { now: () => now }, random: () => 0.5, cancel: { aborted: false }, cache: memoryCache(), more },
    wait: (ms) => Promise.resolve(void (now += ms)),
    wire: {
      get(url) {
        asked.push(url);
        const rest = replies[new URL(url).host] ?? [];
        const reply = (rest.length > 1 ? rest.shift() : rest[0]) ??
          (url.includes('?') ? NOTHING[new URL(url).host] : undefined) ?? { status: 404 };
        const said = typeof reply === 'string' ? { body: reply } : reply;
        return Promise.resolve({ status: 200, headers: {}, body: '', ...said });
      },
    },
  });
  return { lookup, asked };
}

describe('DOCUMENT-82 what sources have under a title', () => {
  test('Crossref is asked once, and nobody else where it has that very title', async () => {
    const { lookup, asked } = machine({
      'api.crossref.org': [
        found(item('10.5555/A', TITLE), item('10.5555/b', 'Baking bread'), item('10.5555/c', `${TITLE}: a survey`)),
      ],
    });
    const { candidates, later } = await lookup.byTitle(`  ${TITLE.toUpperCase()}. `);
    expect(later).toBeNull();
    expect(candidates.map(({ identifier: { value }, likeness }) => [value, likeness])).toEqual([
      ['10.5555/a', 1],
      ['10.5555/c', 0.9],
    ]);
    expect(candidates[0]?.record).toMatchObject({ title: TITLE, authors: ['Ana Garcia'], date: '2019-05' });
    await lookup.byTitle(TITLE);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/works\?query\.bibliographic=COUNTING%20THE%20RIVERS.*&rows=5&select=/);
  });

  test('books are found at Open Library by an ISBN that checks', async () => {
    const book = { title: 'A wizard of the weir', author_name: ['Ursula Le Guin'], isbn: ['123', '0306406152'] };
    const { lookup } = machine({ 'openlibrary.org': [JSON.stringify({ docs: [{ title: 'no isbn' }, book] })] });
    const { candidates } = await lookup.byTitle('A Wizard of the Weir');
    expect(candidates).toMatchObject([{ identifier: { kind: 'isbn', value: '9780306406157' }, source: 'openlibrary' }]);
  });

  test('a source that is down is said; a portal is no answer; a short title is none', async () => {
    const { lookup } = machine({ 'api.crossref.org': ['<html>log in</html>'] });
    expect(await lookup.byTitle(TITLE)).toEqual({
      candidates: [],
      later: 'api.crossref.org gave no answer of its own.',
    });
    await expect(lookup.byTitle('Bread')).rejects.toThrow(/8 to 300 letters/);
    const said: string[] = [];
    expect(await findTitle(TITLE, lookup, (line) => said.push(line))).toBe(1);
    expect(said).toEqual(['api.crossref.org gave no answer of its own.']);
  });
});

describe('DOCUMENT-83 OpenAlex and PubMed', () => {
  const openalex = {
    doi: 'https://doi.org/10.5555/Z',
    title: TITLE,
    publication_year: 2019,
    publication_date: '2019-01-01',
    authorships: [{ author: { display_name: 'Ana Garcia' } }],
    primary_location: { source: { display_name: 'Journal of Tests' }, pdf_url: null },
    is_retracted: true,
  };
  const numbers = (...idlist: string[]): string => JSON.stringify({ esearchresult: { count: '1', idlist } });
  const article = {
    title: `${TITLE}.`,
    authors: [
      { name: 'Garcia A', authtype: 'Author' },
      { name: 'River Group', authtype: 'CollectiveName' },
    ],
    fulljournalname: 'Journal of Tests',
    pubdate: '2019 May 3',
    articleids: [{ idtype: 'doi', value: '10.5555/Z' }],
    pubtype: ['Journal Article'],
  };
  const summary = JSON.stringify({ result: { uids: ['7'], 7: article } });
  const ask = { kind: 'doi', value: '10.5555/z' } as const;

  test('are asked by nobody who did not switch them on', async () => {
    const { lookup, asked } = machine({});
    expect(await lookup.find(ask)).toMatchObject({ outcome: 'not_found' });
    await lookup.byTitle(TITLE);
    expect(asked.map((url) => new URL(url).host)).not.toContain('api.openalex.org');
    expect(asked.map((url) => new URL(url).host)).not.toContain('eutils.ncbi.nlm.nih.gov');
  });

  test('have what the others lack, each in its own form', async () => {
    const one = machine({ 'api.openalex.org': [JSON.stringify(openalex)] }, ['openalex', 'pubmed']);
    expect(await one.lookup.find(ask)).toMatchObject({
      outcome: 'found',
      source: 'openalex',
      record: {
        title: TITLE,
        authors: ['Ana Garcia'],
        publication: 'Journal of Tests',
        date: '2019',
        doi: '10.5555/z',
      },
      notices: ['retraction: OpenAlex says that it is retracted'],
    });
    const two = machine({ 'eutils.ncbi.nlm.nih.gov': [numbers('7'), summary] }, ['pubmed']);
    expect(await two.lookup.find(ask)).toMatchObject({
      source: 'pubmed',
      record: { title: TITLE, authors: ['A Garcia', 'River Group'], date: '2019-05-03', doi: '10.5555/z' },
    });
    expect(two.asked.at(-1)).toContain('esummary.fcgi?db=pubmed&retmode=json&tool=accession&id=7');
    // Asked again, what was kept is the record itself.
    await two.lookup.find(ask);
    expect(two.asked).toHaveLength(5);
  });

  test('another document, none and half an answer are told apart', async () => {
    const other = JSON.stringify({ result: { uids: ['7'], 7: { ...article, articleids: [] } } });
    const said = async (...replies: string[]) =>
      (await machine({ 'eutils.ncbi.nlm.nih.gov': replies }, ['pubmed']).lookup.find(ask)).outcome;
    expect(await said(numbers('7'), other)).toBe('refused');
    expect(await said(numbers())).toBe('not_found');
    expect(await said('{"esearchresult":')).toBe('later');
    // One that leads on and on is left.
    expect(await said(numbers('7'))).toBe('not_found');
  });
});

const headed = (title: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    makePdf([[{ text: title, x: 72, y: 700, size: 18 }, ...column(72, 650, ['We measured it twice.', 'And more.'])]]),
  );

test('DOCUMENT-82 on the page: the largest words are proposed, what is found is shown and chosen, and is Strong where its title stands', async () => {
  const works = { [DOI(1)]: TITLE, [DOI(2)]: `${TITLE} again` };
  const says = (url: string): Response | null =>
    url.includes('query.bibliographic')
      ? new Response(found(item(DOI(2), `${TITLE} again`), item(DOI(1), TITLE)))
      : url.includes('openlibrary')
        ? new Response('{"docs":[]}')
        : null;
  const { service, rows, asked, open } = documentRoom({ 'a.pdf': headed(TITLE) }, works, undefined, says);
  await open();
  expect(rows.get('a.pdf')).toMatchObject({ title: TITLE, candidates: [], proposal: { sure: 'unknown' } });
  expect(asked).toEqual([]);
  const { row, why } = valueOf(await service.findByTitle('a.pdf', TITLE, true));
  expect(why).toBeNull();
  expect(row.candidates.map(({ identifier: { value }, stands }) => [value, stands])).toEqual([
    [DOI(1), true],
    [DOI(2), false],
  ]);
  // Shown, and nothing is decided by it.
  expect(row.proposal).toMatchObject({ sure: 'unknown', record: null });
  expect(valueOf(await service.requery('a.pdf', { kind: 'doi', value: DOI(2) }, true)).proposal.sure).toBe('unsure');
  expect(valueOf(await service.requery('a.pdf', { kind: 'doi', value: DOI(1) }, true)).proposal.sure).toBe('strong');
});

test('DOCUMENT-82 at the terminal T proposes the largest words, lists what is found and takes a number', async () => {
  await using it = await documentWorld({ 'a.pdf': headed(TITLE) }, [
    { body: found(item(DOI(1), TITLE), item(DOI(2), 'Baking bread')) },
    work(1, TITLE),
  ]);
  const { shown } = await it.asked(['t', '', '1', 'w']);
  const text = shown.join('');
  expect(text).toContain(`Title [${TITLE}]: `);
  expect(text).toContain(`1. ${DOI(1)}  ${TITLE} · Ana Garcia · Journal of Tests 2019-05 (crossref), its title stands`);
  expect(text).not.toContain('Baking');
  expect((await it.kept()).entries).toMatchObject([{ doi: DOI(1), processed: true }]);
});
