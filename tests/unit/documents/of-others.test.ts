/** What a document names and is not, by what its lines, headings and lists say; what of its own parts speaks for it. */
import { describe, expect, test } from 'vitest';
import { ownTextFigures } from '#lanes/documents/cli/eval/text-figures.ts';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';
import { ownIdentifiers, type OwnIdentifiers } from '#lanes/documents/core/identify/own.ts';

const own = (...lines: string[]): OwnIdentifiers => {
  const text = lines.join('\n');
  return ownIdentifiers(text, findIdentifiers(text));
};
const OWN = '10.5555/river.2019.42';
const OTHER = '10.5555/bank.2011.7';
const TITLE = 'Rivers and their moving banks';
const ABSTRACT = 'Abstract\nThe banks of rivers moved by some metres in each of the years.';

describe('what it leads to', () => {
  test.each([
    ['Twin study:', `https://doi.org/${OTHER}`],
    ['Poster and video:', `doi:${OTHER}`],
    ['Onze andere studie:', OTHER],
    ['Original DOI:', OTHER],
    ['Full article:', `https://doi.org/${OTHER}`],
    ['See Comment', `https://doi.org/${OTHER}`],
    ['Associated publication:', `https://doi.org/${OTHER}`],
    ['Read: Novak (2012), Older banks,', `https://doi.org/${OTHER}`],
  ])('DOCUMENT-130 a line that is called "%s" is not claimed, on one line or two', (label, given) => {
    expect(own(TITLE, 'A. Person', `${label} ${given}`, ABSTRACT).doi).toBeNull();
    expect(own(TITLE, 'A. Person', label, given, ABSTRACT).doi === null || !label.endsWith(':')).toBe(true);
    expect(own(TITLE, 'A. Person', `${label} ${given}`, `doi:${OWN}`, ABSTRACT).doi).toBe(OWN);
  });

  test.each([
    'DOI:',
    'Article DOI:',
    'Permanent link:',
    'Available online:',
    'DOI (link to publication from Publisher):',
    'Further information on publisher’s website:',
    'To link to this article:',
    'Verfügbar unter:',
    'Disponible en:',
    'Stable URL:',
    'Digital Object Identifier',
    'This correction:',
  ])('DOCUMENT-130 "%s" is what publishers and repositories call its own', (label) => {
    expect(own(TITLE, 'A. Person', `${label} https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
    expect(own(TITLE, 'A. Person', label, `https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
  });

  const BODY = 'The banks were measured in each of the years, from the same boat.';
  test.each([
    [
      'initials with a hyphen',
      `This follows the BANKS statement: Lin Q-R, et al. Ann River Res 2011;15:20–7. doi:${OTHER}`,
    ],
    [
      'a mark of four digits',
      `[0004] See also Halloran M, Petri O.\nQuart. J. Banks\n2011;7(4):675–687.\nhttps://doi.org/${OTHER}.`,
    ],
    [
      'a dot before it',
      `To be read for Monday:\n• Halloran M, Petri O, Lund S. Bank. Res.\n2011;12(7):77–80.\ndoi:${OTHER}`,
    ],
  ])('DOCUMENT-139 a citation of people who stand nowhere else, with %s, is of another work', (_what, cited) => {
    expect(own(TITLE, 'A. Person', BODY, cited).doi).toBeNull();
    expect(own(TITLE, `doi:${OWN}`, 'A. Person', BODY, cited).doi).toBe(OWN);
    // The same of those who wrote this: what it is stays open to its other signs.
    const title = ['Maria Halloran, Qi-Rui Lin, O. Petri, S. Lund', TITLE];
    expect(
      own(...title, BODY, cited.replace(/^.*[Ss]ee also |^.*: (?=Lin)/, '')).readings[0]?.signs,
    ).not.toContainEqual(expect.objectContaining({ text: 'ends an entry with another title' }));
  });

  test.each([
    ['in a remark', `Page 3, line 12: see also\nhttps://doi.org/${OTHER}.`],
    ['after its words', `That was shown before, cf. doi:${OTHER}`],
    ['in BibTeX', `@article{banks,\n  year = {2011},\n  doi = {${OTHER}}\n}`],
  ])('DOCUMENT-140 what is pointed to %s is another work', (_what, given) => {
    expect(own(TITLE, 'A. Person', BODY, given).doi).toBeNull();
    expect(own(TITLE, `doi:${OWN}`, 'A. Person', BODY, given).doi).toBe(OWN);
  });

  test.each([
    'Related articles',
    'Selected publications',
    'You may also like',
    'ARTICLES YOU MAY BE INTERESTED IN',
    'List of papers',
    'Artículos relacionados',
  ])('DOCUMENT-130 below "%s" nothing is its own', (heading) => {
    const entry = `Older banks\nRiver Research 12 (2011); https://doi.org/${OTHER}`;
    expect(own(TITLE, 'A. Person', heading, entry).doi).toBeNull();
    expect(own(TITLE, `doi:${OWN}`, 'A. Person', heading, entry, ABSTRACT).doi).toBe(OWN);
    expect(own(TITLE, heading, entry, 'Published online 3 May 2019', `https://doi.org/${OWN}`).doi).toBe(OWN);
  });

  test.each([
    ['Press release', '3 May 2019'],
    ['Curriculum vitae', 'A. Person'],
    ['Syllabus', 'Spring 2019'],
    ['Referee report', 'Minor revision'],
    ['README for the data', 'A. Person'],
  ])('DOCUMENT-130 a document that is a %s names others', (kind, line) => {
    expect(own(kind, line, 'Rivers are told of here.', `DOI: ${OTHER}`).doi).toBeNull();
  });

  test('DOCUMENT-130 a title in quotes that stands nowhere else is another work, and a sentence that goes on behind it', () => {
    expect(own(TITLE, 'We read the article by Novak “Banks of old”', `https://doi.org/${OTHER}`).doi).toBeNull();
    expect(
      own(TITLE, `It goes on from what was measured there (${OTHER}) and was then`, `https://doi.org/${OWN}`).doi,
    ).toBe(OWN);
    expect(own(TITLE, `The data of the older survey, ${OTHER}, which was lost`, ABSTRACT).doi).toBeNull();
  });
});

describe('lists', () => {
  const entries = [1, 2, 3, 4].map((n) => `Person, A. (200${n}). Banks, part ${n}. River Res 1:2. doi:10.5555/p.${n}`);

  test('DOCUMENT-133 entries in a row are a list without its heading', () => {
    expect(own('A. Person', TITLE, `doi:${OWN}`, ...entries).doi).toBe(OWN);
    expect(own('A. Person', 'What I wrote', ...entries).readings).toEqual([]);
  });

  test.each(['■ REFERENCES', 'Kaynaklar / References', 'Notes and references', 'Daftar Pustaka', 'Seznam literatury'])(
    'DOCUMENT-133 "%s" heads a list',
    (heading) => {
      const list = [heading, ...entries.slice(0, 2)];
      expect(own(TITLE, 'A. Person', ABSTRACT, ...list).readings).toEqual([]);
    },
  );

  test('DOCUMENT-133 "Bibliography" over the imprint is no list', () => {
    const imprint = [`DOI https://doi.org/`, OWN, 'River Res 2019; 40: 1–9', 'published online: 3.5.2019'];
    expect(own(TITLE, 'A. Person', 'Bibliography', ...imprint, ABSTRACT).doi).toBe(OWN);
    expect(own(TITLE, 'A. Person', 'Bibliografie', ...imprint, ABSTRACT).doi).toBe(OWN);
  });
});

describe('parts of it', () => {
  test.each([
    `www.example.org/lookup/suppl/doi:${OWN}/-/DCSupplemental`,
    `https://doi.org/${OWN}-supplement`,
    `https://doi.org/${OWN}.s001`,
  ])('DOCUMENT-134 %s speaks for its article', (part) => {
    expect(own(TITLE, `doi:${OWN}`, ABSTRACT, `It has more at ${part}.`).doi).toBe(OWN);
  });

  test('DOCUMENT-134 the volume at the foot of a chapter is not another work', () => {
    const foot = 'B. Novak and C. Tak (Eds.): Older Surveys of Quiet Valleys 2019, LNCS 11210, pp. 1–17, 2019.';
    expect(own(TITLE, 'A. Person', ABSTRACT, foot, `https://doi.org/${OWN}`).doi).toBe(OWN);
  });

  test('DOCUMENT-134 a report that is kept among data is its own where it says how to cite it', () => {
    const cite = (of: string) => `Cite as: Person, A. (2019). ${of}. Zenodo. https://doi.org/10.5281/zenodo.42`;
    expect(own(TITLE, 'Version 1.2', cite(TITLE)).doi).toBe('10.5281/zenodo.42');
    expect(own(TITLE, 'Version 1.2', cite('Data of the survey')).doi).toBeNull();
  });
});

describe('text that is made to be slow', () => {
  const LENGTH = 300_000;
  const full = (piece: (n: number) => string): string => {
    const pieces: string[] = [];
    for (let n = 0, length = 0; length < LENGTH; n++) {
      const next = piece(n);
      pieces.push(next);
      length += next.length;
    }
    return pieces.join('');
  };

  // Each took seconds, or grew with the square of its length; at a thousand times the cost none of them would end here.
  test.each([
    ['DOIs that are parted again and again', () => full((n) => `10.1000/a${n}.\n2019.\n12.\n`)],
    ['DOIs between names', () => full((n) => `Ab A. B., Cd C. D. 2001, 12(3), 10.1000/a${n} `)],
    ['DOIs without a line', () => full((n) => `10.1000/a${n} b `)],
    ['DOIs that go on from each other', () => full((n) => `10.1000/${'a.'.repeat(n % 50)}a${n}\n`)],
    ['one DOI in very many places', () => full((n) => `doi:${OWN} ${n % 7}\n`)],
    ['headings of lists', () => full((n) => `References\n2001 2002 10.1000/a${n}\n`)],
    ['ISBNs', () => full(() => 'ISBN 978-0-306-40615-7 0-306-40615-2\n')],
    ['arXiv numbers', () => full((n) => `arXiv:2104.${String(10_000 + n)} a r X i v : 2 1 0 4\n`)],
    ['brackets', () => full(() => '10.1000/(((((([[[[a]]]]]))))) ((( ')],
  ])('DOCUMENT-135 %s are read to the end', (_name, make) => {
    const text = `${TITLE}\nhttps://doi.org/10.5555/own.1\n\n${make()}`;
    const { readings } = own(text);
    expect(readings.some(({ value }) => value === '10.5555/own.1')).toBe(true);
  });
});

describe('what a title says', () => {
  test.each([
    'Bacterial response to heat',
    'Correction of the spine in children',
    'Models for grain that is stored',
    'Study protocol for a trial of slow walking',
    'A reply to drought: how banks move',
  ])('DOCUMENT-138 "%s" above an identifier says nothing of it', (title) => {
    expect(own('River Research', title, 'A. Person', `https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
    expect(own('River Research', title, `https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
    expect(own('River Research', title, `River Res 2019;12:1–9. doi:${OWN}`, ABSTRACT).doi).toBe(OWN);
  });

  test('DOCUMENT-138 what a notice or a line of its own says of it counts', () => {
    expect(own('CORRECTION', TITLE, 'Correction to: River Res (2018) 1:2', `https://doi.org/${OTHER}`).doi).toBeNull();
    expect(own(TITLE, `Reply to River Res (2018) 1:2, https://doi.org/${OTHER}`, ABSTRACT).doi).toBeNull();
    expect(own('Comment on “Banks of old” by B. Novak', `River Res, https://doi.org/${OTHER}`).doi).toBeNull();
  });

  test.each([
    ['10.1103/PhysRevLett.124.\n910501', '10.1103/physrevlett.124.910501'],
    ['10.1063/1.\n9051772', '10.1063/1.9051772'],
    ['10.1007/978-3-030-91231-1\n_12', '10.1007/978-3-030-91231-1_12'],
    ['10.1038/s41586-029-03819-2Received: 11 May', '10.1038/s41586-029-03819-2'],
    ['10.5555/abc.124.\n345', '10.5555/abc.124'],
  ])('DOCUMENT-114 %j is parted or glued', (given, value) => {
    expect(findIdentifiers(`doi: ${given}\n`).flatMap((one) => (one.kind === 'doi' ? [one.value] : []))).toEqual([
      value,
    ]);
  });
});

test('DOCUMENT-130 of pages of a hundred publishers, repositories and kinds of documents none is claimed to be another one', async () => {
  const figures = await ownTextFigures('tests/fixtures/documents/heads.jsonl', 'heads');
  expect(figures['heads.no_false']).toBe(1);
  expect(figures['heads.doi']).toBeGreaterThan(0.98);
});

describe('what has no identifier of its own', () => {
  const CITED = `Banks of old. https://doi.org/${OTHER}`;

  test.each([
    ['a patent', '(19) Halvor Patent Office', '(11) HV 3 214 877 B1', '(54) METHOD FOR DRYING KELP'],
    ['a patent in words', 'United States Patent', 'Drying kelp'],
    ['what a patent describes', 'Method for drying kelp', 'Field of the invention', 'Kelp is dried.'],
    ['a patent in German', 'Offenlegungsschrift', 'Verfahren zum Trocknen von Tang'],
    ['a patent in Japanese', '公開特許公報(A)', '昆布の乾燥方法'],
    ['a licence', 'License Number 4900120117342', 'Licensed Content Title Banks of old'],
    ['a letter on the web', 'Rapid response to: Banks of old', 'Dear Editor'],
    ['a file of reviews', 'Peer Review File', 'Banks of old'],
    ['a digest', 'Summary of: Banks of old', 'Prepared by the Rural Evidence Desk'],
  ])('DOCUMENT-142 %s claims nothing that it names', (_what, ...head) => {
    expect(own(...head, CITED).doi).toBeNull();
    expect(own(...head, `River Res (2011), doi:${OTHER}`, `The end.`).doi).toBeNull();
  });

  test.each([
    ['of patents', 'United States patents are read by few. We asked 412 engineers.'],
    ['of patents and inventors', 'The field of the invention is named in the first line of each.'],
    ['of reviews', 'Reviewer comments and how their authors answer each of them'],
    ['of an original study', 'ORIGINAL STUDY'],
    ['of numbered sentences', '(12) The vole sleeps.\n(13) The vole slept.'],
  ])('DOCUMENT-142 an article %s claims its own', (_what, line) => {
    expect(own(TITLE, line, 'A. Person', `https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
  });

  test.each([
    'Reviewer 2 thinks that you must also cite',
    'The authors should mention',
    'PREreview of',
    'A recommendation of:',
    'Chapter 2 appeared in Earth Surface Dynamics 8 (2020),',
    'Portions of this work: Chapter 3 appeared as “Banks of old” in River Research',
    'Die wichtigsten Ergebnisse wurden in Zeitschriften veröffentlicht, zuletzt unter',
    'Des parties de ce travail ont été publiées : Novak 2011,',
  ])('DOCUMENT-142 "%s" leads to another work', (words) => {
    expect(own('A paper', 'A. Person', `${words} https://doi.org/${OTHER}`, 'The end.').doi).toBeNull();
    expect(own(TITLE, `doi:${OWN}`, 'A. Person', `${words} https://doi.org/${OTHER}`, ABSTRACT).doi).toBe(OWN);
  });

  test.each(['Journal Reference:', 'Originalpublikation:', 'Most downloaded this quarter', 'Most viewed articles'])(
    'DOCUMENT-142 below "%s" stand works of others',
    (heading) => {
      expect(
        own('Beetles like trams', 'A. Person', heading, 'Banks of old', `https://doi.org/${OTHER}`).doi,
      ).toBeNull();
    },
  );

  test('DOCUMENT-142 a list of references may be a numbered part of a standard, its entries behind their keys', () => {
    const list = [
      'B.2 Informative references',
      '[BANKS]',
      `Banks of old. B. Novak. 2011. URL: https://doi.org/${OTHER}`,
    ];
    expect(own('Words for ports', 'Editors: A. Person', ABSTRACT, ...list).doi).toBeNull();
    expect(own('Words for ports', `doi:${OWN}`, ABSTRACT, ...list).doi).toBe(OWN);
  });
});

describe('books of others', () => {
  const BOOK = '9780306406157';

  test.each([
    ['Wells of the plain. By A. Person. Tarnby: Quay Press, 2016. Pp. xiv + 300. $107.00 (cloth). ISBN', 'The text.'],
    ['A. Person, Wells of the plain (Tarnby: Quay Press, 1998), 311 pp., ISBN', 'The scribe broke off.'],
    ['Wells of the plain, 2nd ed., Quay Press 2001, £24.50, ISBN', 'It is a book for students.'],
    ['Syllabus, Fall 2016\nRequired text: A. Person, Wells of the plain, ISBN', 'Week 1'],
    ['A Select Bibliography of Wells\nPerson, A. Wells of the plain. Tarnby: Quay Press, 2010. ISBN', 'B. Articles'],
  ])('DOCUMENT-145 %j is followed by the ISBN of another book', (words, rest) => {
    expect(own(`${words} ${BOOK}.`, rest).isbn).toEqual([]);
  });

  test.each([
    ['WELLS OF THE PLAIN', 'A. Person', 'First published 2016 by Quay Press, Tarnby', `ISBN ${BOOK}`],
    ['© 2016 Quay Press', 'Description: First edition. | Tarnby, 2016. | xii, 320 pages ; 24 cm', `ISBN ${BOOK}`],
    ['A bibliography of wells', 'A. Person', 'Quay Press 2016', `ISBN ${BOOK} (pbk)`],
  ])('DOCUMENT-145 %j is the page of a book that keeps its own', (...lines) => {
    expect(own(...lines).isbn).toEqual([BOOK]);
  });
});

test('DOCUMENT-142 of pages in thirty more classes few have another one claimed', async () => {
  const figures = await ownTextFigures('tests/fixtures/documents/others.jsonl', 'others');
  expect(figures['others.no_false']).toBeGreaterThan(0.98);
  expect(figures['others.doi']).toBeGreaterThanOrEqual(0.92);
  const strangers = await ownTextFigures('tests/fixtures/documents/strangers.jsonl', 'strangers');
  expect(strangers['strangers.no_false']).toBeGreaterThan(0.97);
  expect(strangers['strangers.doi']).toBeGreaterThan(0.86);
});
