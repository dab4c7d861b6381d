import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';

const dois = (text: string): string[] =>
  findIdentifiers(text)
    .filter(({ kind }) => kind === 'doi')
    .map(({ value }) => value);
const isbns = (text: string): string[] =>
  findIdentifiers(text)
    .filter(({ kind }) => kind === 'isbn')
    .map(({ value }) => value);

describe('DOIs', () => {
  test.each([
    ['bare', 'as 10.5555/abc.12 says', '10.5555/abc.12'],
    ['labelled', 'doi:10.5555/ABC-12.', '10.5555/abc-12'],
    ['in an address', 'https://doi.org/10.5555/abc(12)3, where', '10.5555/abc(12)3'],
    ["in a publisher's address", 'https://www.example.org/doi/full/10.5555/abc12?x=1#y', '10.5555/abc12'],
    ['with what readers add', 'https://www.example.org/doi/10.5555/abc12/full', '10.5555/abc12'],
    ['in brackets of the sentence', '(see 10.5555/abc(12)).', '10.5555/abc(12)'],
    ['in quotes', '"10.5555/abc12",', '10.5555/abc12'],
    ['percent-encoded', 'https://doi.org/10.5555%2Fabc%2812%29', '10.5555/abc(12)'],
    ['glued to its label', 'onlineDOI10.5555/abc12 Received', '10.5555/abc12'],
    ['glued to a sentence', 'doi:10.5555/abc12.Received 3 May', '10.5555/abc12'],
    ['before a remark', 'doi:10.5555/abc12[arXiv:1301.00001]', '10.5555/abc12'],
    [
      'with a SICI',
      '10.5555/(SICI)1096(1996)99:1<135::AID-X8>3.0.CO;2-#',
      '10.5555/(sici)1096(1996)99:1<135::aid-x8>3.0.co;2-#',
    ],
    ['with escaped signs', String.raw`10.5555/978-3\_7`, '10.5555/978-3_7'],
    ['short', 'doi:10/abc12 end', '10/abc12'],
  ])('DOCUMENT-1 a DOI %s', (_name, text, value) => expect(dois(text)).toEqual([value]));

  test.each(['110.5555/abc', '2010.5555/abc', '1.1/1.1', '10.5555/!).",', "it's 10:30", '10.978.8898392/NotAnIsbn'])(
    'DOCUMENT-1 no DOI in %s',
    (text) => expect(dois(text)).toEqual([]),
  );

  test.each([
    ['by a blank behind the slash', 'doi: 10.5555/ abc.2012', '10.5555/abc.2012'],
    ['by a blank behind the point', 'doi:10. 5555/abc.2012', '10.5555/abc.2012'],
    ['by a line behind the slash', 'doi: 10.5555/\nABC.0012; Published', '10.5555/abc.0012'],
    ['by a line behind a dash', '10.5555/0304-\n3835(95)03741-e\nReceived', '10.5555/0304-3835(95)03741-e'],
    ['by a line behind year and month', '10.5555/j.pain.2013.06.\n022\nAbstract', '10.5555/j.pain.2013.06.022'],
    ['in its address', 'https://doi.\norg/10.5555/abc12\nEditor', '10.5555/abc12'],
    ['by soft hyphens', 'doi:10.5555/ab\u00ADc\u00AD\n12', '10.5555/abc12'],
    ['with other dashes', 'doi:10.5555/0021‐9991', '10.5555/0021-9991'],
  ])('DOCUMENT-2 a DOI parted %s', (_name, text, value) => expect(dois(text)).toEqual([value]));

  test.each([
    ['the number of the next entry', 'doi:10.5555/abc98.\n2.\nBusto G (2010)', '10.5555/abc98'],
    ['the next entry', 'doi:10.5555/abc98\n43. Smith J', '10.5555/abc98'],
    ['a capital', 'doi:10.5555/abc98.\nThe next', '10.5555/abc98'],
    ['a year', 'https://doi.org/10.5555/abc98\n2004 Elsevier', '10.5555/abc98'],
  ])('DOCUMENT-2 %s on the next line is not part of it', (_name, text, value) => expect(dois(text)).toEqual([value]));

  test('DOCUMENT-1 brackets and quotes of any script end a DOI, and so does the punctuation of Chinese and Japanese', () => {
    const pairs = [
      '⟨⟩',
      '〈〉',
      '〈〉',
      '⟪⟫',
      '《》',
      '「」',
      '『』',
      '【】',
      '（）',
      '［］',
      '｛｝',
      '‹›',
      '«»',
      '“”',
      '„“',
      '‘’',
      '❨❩',
      '⁅⁆',
    ];
    const suffix = fc.stringMatching(/^[a-z0-9]{1,6}([._/-][a-z0-9]{1,6}){0,3}$/).filter((text) => /\d/.test(text));
    const behind = fc.constantFrom('', '.', ', ', '。', '. ⟨hal-01234567⟩', '\n', ' and');
    fc.assert(
      fc.property(suffix, fc.constantFrom(...pairs), behind, (end, [open = '', close = ''], rest) => {
        expect(dois(`Tests, 2019, 12 (3). ${open}10.5555/${end}${close}${rest}`)).toEqual([`10.5555/${end}`]);
      }),
    );
    for (const sign of '、。，；：！？｡､') expect(dois(`见10.5555/abc12${sign}其后`)).toEqual(['10.5555/abc12']);
  });

  test('DOCUMENT-1 any DOI is found between words, whatever surrounds it', () => {
    const suffix = fc.stringMatching(/^[a-z0-9]{1,6}([._/-][a-z0-9]{1,6}){0,3}$/).filter((text) => /\d/.test(text));
    const around = fc.constantFrom(
      ['', ''],
      ['(', ')'],
      ['[', ']'],
      ['"', '"'],
      ['<doi:', '>'],
      ['doi: ', '.'],
      ['https://doi.org/', ','],
    );
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 99_999 }), suffix, around, (registrant, tail, [open, close]) => {
        const value = `10.${registrant}/${tail}`;
        expect(dois(`They wrote ${open}${value}${close} and left`)).toEqual([value]);
      }),
    );
  });
});

describe('ISBNs and arXiv numbers', () => {
  test.each([
    ['of thirteen digits', 'ISBN 978-0-306-40615-7', ['9780306406157']],
    ['of ten', 'ISBN 0-306-40615-2', ['9780306406157']],
    ['with X', '2 7594 0269 X', ['9782759402694']],
    ['over a line', 'ISBN 978-0-306-\n40615-7.', ['9780306406157']],
    ['beside a price', '978-0-306-40615-7/20/$31.00', ['9780306406157']],
    ['with a wrong digit', 'ISBN 978-0-306-40615-2', []],
    ['inside a DOI', 'https://doi.org/10.1007/978-0-306-40615-7_3', []],
    ['inside a DOI over a line', '10.1007/978-0-306-\n40615-7', []],
  ])('DOCUMENT-3 an ISBN %s', (_name, text, values) => expect(isbns(text)).toEqual(values));

  test('DOCUMENT-4, DOCUMENT-5 numbers of arXiv, with the places of all as they were given', () => {
    const text = 'arXiv:2104.07268v1\u00AD [cs.CV], arXiv :hep-th/9901001, 10.5555/a\u200B1, arXiv:9913.12345';
    const found = findIdentifiers(text);
    expect(found.map(({ kind, value }) => [kind, value])).toEqual([
      ['arxiv', '2104.07268v1'],
      ['arxiv', 'hep-th/9901001'],
      ['doi', '10.5555/a1'],
    ]);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
      '2104.07268v1',
      'hep-th/9901001',
      '10.5555/a\u200B1',
    ]);
  });
});
