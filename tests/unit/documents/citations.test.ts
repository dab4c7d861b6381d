import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { citeCases } from '#lanes/documents/cli/cite-cases.ts';
import { citeFile } from '#lanes/documents/cli/cite-file.ts';
import { citeprocStyle } from '#lanes/documents/citeproc/citeproc-style.ts';
import { citeText, escapeMarkdown, type CitationStyle } from '#lanes/documents/core/cite/cite-text.ts';
import { cslNameOf } from '#lanes/documents/core/cite/csl-item.ts';
import { tokenOf } from '#lanes/documents/core/cite/tokens.ts';
import { manifestEntry } from '../../fixtures/manifest-entry.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const RIVER = manifestEntry({ doi: '10.5555/d(2019)2<1::x>2.0;2-q', title: 'Counting the *river*', year: 2019 });
const BOOK = manifestEntry({
  isbn: '9780306406157',
  title: 'A handbook',
  authors: ['Clara Rahman'],
  publication: 'Made Press',
  year: 1987,
});
const ALL = [RIVER, BOOK];
const RIVER_TOKEN = `@{doi:${RIVER.doi}}`;

/** APA is a large style: it is made once. */
let apa: Promise<CitationStyle> | null = null;
const cite = async (text: string, style?: Promise<CitationStyle>) =>
  citeText(text, ALL, await (style ?? (apa ??= citeprocStyle('apa', 'en-US'))));

const NOTES = `<style xmlns="http://purl.org/net/xbiblio/csl" class="note" version="1.0"><info><title>n</title><id>n</id><updated>2020-01-01T00:00:00+00:00</updated></info>
<citation><layout delimiter="; "><text variable="title"/></layout></citation></style>`;

describe('DOCUMENT-63 citations', () => {
  test.each([
    [`See [${RIVER_TOKEN}].`, 'See (Garcia & Novak, 2019).'],
    [`[@{DOI: 10.5555/D(2019)2<1::X>2.0;2-Q}, p. 4]`, '(Garcia & Novak, 2019, p. 4)'],
    [
      `[see ${RIVER_TOKEN}, pp. 3-5; also @{isbn:0-306-40615-2}, chap. 2]`,
      '(see Garcia & Novak, 2019, pp. 3–5; also Rahman, 1987, Chapter 2)',
    ],
    [`They say [-${RIVER_TOKEN}, 12].`, 'They say (2019, p. 12).'],
    [`${RIVER_TOKEN} [p. 5] say`, 'Garcia & Novak (2019, p. 5) say'],
    [`[@{isbn:9780306406157}; for example]`, '(Rahman, 1987; for example)'],
    [`[Compare; @{isbn:9780306406157}]`, '(Compare; Rahman, 1987)'],
  ])('%s', async (text, expected) => {
    expect((await cite(text)).text).toBe(expected);
  });

  test('in a style of numbers the author in a sentence is named, and in one of notes each citation is a note', async () => {
    expect(
      (await cite(`${RIVER_TOKEN} say, and [@{isbn:9780306406157}]`, citeprocStyle('vancouver', 'en-US'))).text,
    ).toBe('Garcia and Novak (1) say, and (2)');
    expect((await cite('A claim[@{isbn:9780306406157}].', citeprocStyle(NOTES, null))).text).toBe(
      'A claim^[A handbook].',
    );
  });

  test.each([
    ['klingon', 'en-US', /no style that is there: apa, vancouver, harvard1/],
    ['apa', 'tlh', /no language that is there/],
    ['<a/>', 'en-US', /no CSL style/],
    ['<style><citation/></style>', 'en-US', /cannot be used|no CSL style/],
    ['<style><link href="x" rel="independent-parent"/><citation/></style>', 'en-US', /names another style/],
  ])('the style %s in %s is refused with the reason', async (style, locale, why) => {
    await expect(citeprocStyle(style, locale)).rejects.toThrow(why);
  });

  test.each([
    ['Ana van der Berg', { given: 'Ana', 'non-dropping-particle': 'van der', family: 'Berg' }],
    ['de la Cruz, Eva', { given: 'Eva', 'non-dropping-particle': 'de la', family: 'Cruz' }],
    ['Martin King Jr.', { given: 'Martin', family: 'King', suffix: 'Jr.' }],
    ['World Health Organization', { literal: 'World Health Organization' }],
    ['Plato', { literal: 'Plato' }],
  ])('the name %s', (name, expected) => {
    expect(cslNameOf(name)).toEqual(expected);
  });

  test('a record offers its token', async () => {
    expect([tokenOf(RIVER), tokenOf(BOOK), tokenOf({ doi: '', isbn: '' })]).toEqual([
      `[${RIVER_TOKEN}]`,
      '[@{isbn:9780306406157}]',
      null,
    ]);
    expect((await cite(tokenOf(RIVER) ?? '')).unknown).toEqual([]);
  });
});

test('DOCUMENT-63 a style is as new for each text: two works of a year are told apart, whatever was cited before', async () => {
  const style = await (apa ??= citeprocStyle('apa', 'en-US'));
  const other = manifestEntry({ doi: '10.5555/b', title: 'Tracing the banks', year: 2019 });
  const both = `[${RIVER_TOKEN}; @{doi:10.5555/b}]`;
  const cited = [`[${RIVER_TOKEN}]`, both, both].map((text) => citeText(text, [RIVER, other], style).text);
  expect(cited).toEqual(['(Garcia & Novak, 2019)', ...Array<string>(2).fill('(Garcia & Novak, 2019a, 2019b)')]);
});

describe('DOCUMENT-64 what stays', () => {
  test.each([
    'Unknown [@{doi:10.5555/none}, p. 3] stays',
    'Code `[@{isbn:9780306406157}]` and ``a ` [@{isbn:9780306406157}]``',
    '```\n[@{isbn:9780306406157}]\n```',
    '~~~ {.x}\n[@{isbn:9780306406157}]\n~~~~',
    '- item\n\n  ```\n  @{isbn:9780306406157}\n  ```',
    'Words\n\n    [@{isbn:9780306406157}]\n',
    '```\nnever closed\n\n@{isbn:9780306406157}',
    '<!-- [@{isbn:9780306406157}] --> <code>@{isbn:9780306406157}</code>',
    'mail@{isbn:9780306406157} \\@{isbn:9780306406157} [@{isbn:9780306406157 never closed',
    '[@smith2019, p. 4]',
  ])('%s', async (text) => {
    expect(await cite(text)).toMatchObject({ text, works: [] });
  });

  test('what is no code is cited: below an item, after a lone backtick, in the next paragraph', async () => {
    const { text } = await cite('- item\n\n    [@{isbn:9780306406157}]\n\na ` b\n\n[@{isbn:9780306406157}] `');
    expect(text).toBe('- item\n\n    (Rahman, 1987)\n\na ` b\n\n(Rahman, 1987) `');
  });

  test('of one citation what is unknown stays behind what is known', async () => {
    expect(await cite(`[${RIVER_TOKEN}, p. 2; @{doi:10.5555/None}, p. 3; @smith]`)).toMatchObject({
      text: '(Garcia & Novak, 2019, p. 2) [@{doi:10.5555/None}, p. 3; @smith]',
      unknown: ['10.5555/none', 'smith'],
    });
  });

  test('hostile texts end at once', async () => {
    for (const text of [
      '['.repeat(50_000),
      '@{doi:'.repeat(20_000),
      '`'.repeat(50_001),
      `[${'@{doi:x;'.repeat(9_000)}`,
    ])
      expect((await cite(text)).text).toBe(text);
  });

  test('the command writes the text with its works, as Markdown, and says what is unknown', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string): string => join(folder.root, name);
    await writeFile(at('m.json'), JSON.stringify({ version: 1, entries: ALL }));
    await writeFile(at('a.md'), `As [${RIVER_TOKEN}] and [@{doi:10.5555/none}].\n`);
    const said: string[] = [];
    const flags = { file: at('a.md'), out: at('b.md'), style: 'harvard1', locale: 'en-US', manifest: at('m.json') };
    expect(await citeFile(flags, (line) => said.push(line))).toBe(1);
    expect(await readFile(at('b.md'), 'utf8')).toBe(
      'As (Garcia and Novak, 2019) and [@{doi:10.5555/none}].\n\n## Works cited\n\n' +
        'Garcia, A. and Novak, B. (2019) “Counting the \\*river\\*,” Journal of Test Results \\[Preprint\\]. ' +
        `Available at: https://doi.org/${escapeMarkdown(RIVER.doi)}.\n`,
    );
    expect(said).toEqual([
      expect.stringContaining('Citations by CSL (citeproc-js)'),
      'unknown: 10.5555/none (its token stays)',
    ]);
    const row = {
      id: 'r',
      style: 'apa',
      locale: 'de-DE',
      text: `[${RIVER_TOKEN}]`,
      manifest: { version: 1, entries: ALL },
    };
    await writeFile(at('cases.jsonl'), JSON.stringify(row));
    expect(await citeCases({ cases: at('cases.jsonl'), out: at('out.jsonl') })).toBe(1);
    expect(JSON.parse(await readFile(at('out.jsonl'), 'utf8'))).toMatchObject({ id: 'r', unknown: [] });
  });
});
