import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyTexts } from '#lanes/documents/cli/identify-texts.ts';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';
import { ownTextFigures } from '#lanes/documents/cli/eval/text-figures.ts';
import { ownIdentifiers, type OwnIdentifiers } from '#lanes/documents/core/identify/own.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const own = (text: string): OwnIdentifiers => ownIdentifiers(text, findIdentifiers(text));
const OWN = '10.5555/river.2019.42';
const CITED = ['10.5555/cited.2001', '10.5555/cited.2002', '10.5555/cited.2003'];
const BODY = 'The river was measured twice a year, and the banks moved by some metres in each of them. '.repeat(150);

interface Parts {
  head?: string;
  heading?: string;
  foot?: string;
}

/** A paper with its title page, a long body and a list of what it cites. */
const paper = ({
  head = `River Res 12 (2019) 1-9\nhttps://doi.org/${OWN}`,
  heading = 'References',
  foot = '',
}: Parts = {}): string =>
  [
    head,
    'Rivers and their banks',
    'A. Person, B. Person',
    BODY,
    heading,
    ...CITED.map((doi, i) => `${i + 1}. Person C (200${i}) A bank. River Res 1:2-3. doi:${doi}.`),
    foot,
  ].join('\n');

describe("the document's own identifier", () => {
  test('DOCUMENT-10 what is cited is never its own, under any heading', () => {
    for (const heading of [
      'References',
      'REFERENCES',
      '7. Literature Cited',
      'Literatur',
      'Bibliographie',
      'Referencias',
      '参考文献',
      'R E F E R E N C E S',
    ])
      expect(own(paper({ head: '', heading })).doi, heading).toBeNull();
  });

  test.each([
    ['on the title page', paper()],
    [
      'as how to cite, behind the references',
      paper({ head: '', foot: `Supporting information\nHow to cite: Person A. https://doi.org/${OWN}` }),
    ],
    [
      'beside the DOI of its data',
      paper({ foot: '' }).replace(BODY, `${BODY}Data are available at https://doi.org/10.5281/zenodo.42. ${BODY}`),
    ],
    ['beside the article that it corrects', `Correction to: Rivers, https://doi.org/10.5555/river.2018.1\n${paper()}`],
    [
      'beside the article that it comments on, in a journal with an abbreviated name',
      `Comment on "Rivers" by E. Costa, C. Rahman\nMade Res. Lett., https://doi.org/10.5555/river.2018.1\n${paper()}`,
    ],
    [
      'beside its reviews',
      paper({ head: `Peer review reports: https://doi.org/10.5555/reviews.1\nhttps://doi.org/${OWN}` }),
    ],
    [
      'beside where a preprint was published',
      paper({
        head: `It was later published in Made Res. Lett., https://doi.org/10.5555/later.1\nhttps://doi.org/${OWN}`,
      }),
    ],
    [
      'beside its funder',
      paper({ head: `Made Foundation (https://doi.org/10.13039/100000001)\nhttps://doi.org/${OWN}` }),
    ],
    ['beside a DOI in a sentence', paper().replace(BODY, `as in the trial (doi:10.5555/trial.7) of before. ${BODY}`)],
    ["beside the journal's", `https://doi.org/10.5555/(ISSN)1234-5678\n${paper()}`],
  ])('DOCUMENT-11 %s', (_name, text) => expect(own(text).doi).toBe(OWN));

  test("DOCUMENT-11 a figure's DOI speaks for its article", () => {
    const text = paper({ head: `River One\nhttps://doi.org/${OWN}` }).replace(
      BODY,
      `${BODY}\nhttps://doi.org/${OWN}.g001\n${BODY}`,
    );
    const { doi, readings } = own(text);
    expect([doi, readings.length]).toEqual([OWN, 1]);
  });

  test.each([
    [
      'data alone',
      paper({ head: '' }).replace(BODY, `${BODY}Data are available at https://doi.org/10.5061/dryad.42. ${BODY}`),
    ],
    ['a funder alone', paper({ head: 'Funded by Made Foundation https://doi.org/10.13039/100000001' })],
    ['its supporting information alone', paper({ head: 'Supporting information: https://doi.org/10.5555/si.1' })],
    ['a corrected article alone', paper({ head: 'Correction to: Rivers, https://doi.org/10.5555/river.2018.1' })],
  ])('DOCUMENT-11 %s is not claimed', (_name, text) => expect(own(text).doi).toBeNull());

  test('DOCUMENT-12 two readings that are alike stay both, and none is claimed', () => {
    const { doi, readings } = own(paper({ head: 'https://doi.org/10.5555/one.1\nhttps://doi.org/10.5555/two.2' }));
    expect(doi).toBeNull();
    expect(readings.map(({ value }) => value)).toEqual(['10.5555/one.1', '10.5555/two.2']);
    expect(readings[0]?.signs.map(({ text }) => text)).toContain('stands on the title page');
  });

  test('DOCUMENT-13 changes that say nothing change nothing, and without its own it claims none', () => {
    const changes: ((text: string) => string)[] = [
      (text) => text.replaceAll('\n', '\r\n'),
      (text) => text.replace(OWN, OWN.toUpperCase()),
      (text) => text.replace('References\n', ''),
      (text) => text.replace('References', 'Notes and sources'),
      (text) => text.replaceAll(' ', '\u00A0'),
    ];
    for (const change of changes) {
      expect(own(change(paper())).doi).toBe(OWN);
      expect(own(change(paper({ head: 'River Res 12 (2019) 1-9' }))).doi).toBeNull();
    }
  });

  test("DOCUMENT-4 arXiv's stamp is its own, a cited number is not; ISBNs of the title pages are a book's", () => {
    expect(own(`arXiv:2104.07268v1 [cs.CV] 15 Apr 2021\n${BODY}\nsee arXiv:1901.00001 for more`).arxiv).toBe(
      '2104.07268v1',
    );
    expect(own(`ISBN 978-0-306-40615-7 (print)\n${BODY}`).isbn).toEqual(['9780306406157']);
  });

  test('DOCUMENT-14 `documents identify --texts` answers each text', async () => {
    await using folder = await temporaryFolder();
    const [texts, out] = [join(folder.base, 'texts.jsonl'), join(folder.base, 'out.jsonl')];
    await writeFile(
      texts,
      `${JSON.stringify({ id: 'a', text: paper() })}\n${JSON.stringify({ id: 'b', text: 'nothing' })}\n`,
    );
    expect(await identifyTexts({ texts, out })).toEqual({ texts: 2, identified: 1 });
    const [first, second] = (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ id: 'a', doi: OWN, arxiv: null, isbn: [] });
    expect(first?.['found']).toHaveLength(4);
    expect(second).toEqual({ id: 'b', doi: null, arxiv: null, isbn: [], found: [] });
  });

  test('DOCUMENT-11 a notice names what it retracts, and is not it', () => {
    const notice = `J Tests (2010) 4:1\nhttps://doi.org/${OWN}\nRetraction Note: The river\nC. Rahman, B. Keller\nRetraction Note to: J Tests https://doi.org/10.5555/other.2001.7, published 2001\n${BODY}`;
    expect(own(notice).doi).toBe(OWN);
  });

  test('DOCUMENT-11 a report that is kept among data is its DOI where that stands alone on its title page', () => {
    const report = (said: string) =>
      `The river\nTechnical report\nB. Keller\n${said}\nThis work is under CC BY.\n${BODY}`;
    expect(own(report('DOI: 10.5281/zenodo.951571')).doi).toBe('10.5281/zenodo.951571');
    expect(own(report('The data are at\n10.5281/zenodo.951571')).doi).toBeNull();
  });

  test("DOCUMENT-12 of the project's own texts none is claimed to be another document", async () => {
    const figures = await ownTextFigures('tests/fixtures/documents/texts-seen.jsonl', 'own');
    expect(figures['own.no_false']).toBe(1);
    expect(figures['own.doi']).toBeGreaterThan(0.95);
  });
});

describe('where an identifier stands', () => {
  const page = (...lines: string[]): string =>
    [
      ...lines,
      'Rivers and their banks',
      'Abstract',
      'The banks of rivers moved by some metres in each of the years.',
    ].join('\n');
  const HEAD = `River Res 12 (2019) 1-9; doi:${OWN}`;

  test('DOCUMENT-112 a sentence, a footnote and a label of something else speak against it', () => {
    for (const line of [
      `The banks were taken from an older survey of the valley (Person 2001,\nhttps://doi.org/${CITED[0]}), which had none.`,
      `The lengths agree with what was found by others in ${CITED[0]} for the valley.`,
      `1 B. Novak, A bank, River Res 4 (2001), 3, doi:${CITED[0]}.`,
      `[2] See Novak, A bank, doi.org/${CITED[0]}.`,
      `Pre-registration: ${CITED[0]}`,
      `Archive: https://doi.org/${CITED[0]}`,
      `A file that describes the reported data:\nhttps://doi.org/${CITED[0]}`,
      `Version of Record: it was published later at https://doi.org/${CITED[0]}.`,
    ]) {
      expect(own(page(HEAD, line)).doi, line).toBe(OWN);
      expect(own(page(line, '', HEAD)).doi, line).toBe(OWN);
    }
  });

  test('DOCUMENT-112 a notice about another article claims nothing of it, and numbers of files are no DOIs of it', () => {
    expect(
      own(`ERRATA\n\nIn the article by A. Person, "A bank" (River Res 9: 12, doi:${CITED[0]}), the following is wrong:`)
        .doi,
    ).toBeNull();
    expect(
      own(`STATEMENT OF RETRACTION\n\nWe have retracted the following article:\n\nA. Person. A bank. DOI: ${CITED[0]}`)
        .doi,
    ).toBeNull();
    expect(own('Report on bridges\nFile ref. 10.4417/88\nPrepared by the Bridges Section').doi).toBeNull();
  });

  test('DOCUMENT-112 what stands alone on its line, or says so, comes before what merely stands there', () => {
    expect(own(page(`Note of somebody else ${CITED[0]}`, `DOI of this note: ${OWN}`)).doi).toBe(OWN);
    expect(own(page(`A print after ${CITED[0]} by B. Tak`, '', `DOI: ${OWN}`)).doi).toBe(OWN);
    expect(own('hep-th/9812988\nDecember 1998\nMirror maps').arxiv).toBe('hep-th/9812988');
  });

  test('DOCUMENT-112 figures of full width, joined letters, blanks and narrow columns are read', () => {
    const values = (text: string): string[] => findIdentifiers(text).map(({ value }) => value);
    expect(values('ＤＯＩ：１０．５５５５／ｊｊｔ．４５．２１２')).toEqual(['10.5555/jjt.45.212']);
    expect(values('ＩＳＢＮ９７８－０－３０６－４０６１５－７')).toEqual(['9780306406157']);
    expect(values('doi:10.5555/a\uFB03nis.2017.\uFB02-22')).toEqual(['10.5555/affinis.2017.fl-22']);
    expect(values('DOI : 10. 5555 / kbm. 2008. 15 in words')).toEqual(['10.5555/kbm.2008.15']);
    expect(values('DOI: 10.5555/ opt.2005 .1183')).toEqual(['10.5555/opt.2005.1183']);
    expect(values('DOI https://doi.org/10.5555/press.wald\nwege\n')).toEqual(['10.5555/press.waldwege']);
    expect(values('doi:10.5555/18089582\nmolecules\nISSN 1420-3049')).toEqual(['10.5555/18089582']);
    expect(values('https://doi.org/10.5555/18089\n977\n')).toEqual(['10.5555/18089']);
  });

  test('DOCUMENT-112 books that are reviewed, offered or named in a footnote are not the document', () => {
    const isbn = 'ISBN 978-0-306-40615-7';
    expect(own(`REVIEWS\n\nA. Person, Banks. River Press, 2016. ${isbn}. A good one.`).isbn).toEqual([]);
    expect(own(`Rain\n${isbn}\n\nALSO FROM RIVER PRESS\nBanks, by A. Leaf  ISBN 0-306-40615-2`).isbn).toEqual([
      '9780306406157',
    ]);
    expect(own(`Rain\n\nALSO FROM RIVER PRESS\nBanks, by A. Leaf  ${isbn}`).isbn).toEqual([]);
    expect(own(`Rain\n\nThe banks are told of.\n1 Banks (River Press, 1979), ${isbn} as corrected.`).isbn).toEqual([]);
    expect(own(`Rain\nRiver Press 2016\n${isbn}`).isbn).toEqual(['9780306406157']);
  });
});
