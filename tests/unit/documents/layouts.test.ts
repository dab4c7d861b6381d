import { describe, expect, test } from 'vitest';
import { ownTextFigures } from '#lanes/documents/cli/eval/text-figures.ts';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';
import { ownIdentifiers, type OwnIdentifiers } from '#lanes/documents/core/identify/own.ts';

const own = (...lines: string[]): OwnIdentifiers => {
  const text = lines.join('\n');
  return ownIdentifiers(text, findIdentifiers(text));
};
const dois = (text: string): string[] =>
  findIdentifiers(text).flatMap(({ kind, value }) => (kind === 'doi' ? [value] : []));

const OWN = '10.5555/river.2019.42';
const OTHER = '10.5555/bank.2011.7';
const TITLE = 'Rivers and their moving banks';
const ABSTRACT = 'Abstract\nThe banks of rivers moved by some metres in each of the years.';
const ENTRY = 'Person, A., & Novak, B. (2011). Older surveys of quiet valleys. River Research, 12(3), 1–9.';

describe('identifiers that a layout parted', () => {
  test.each([
    ['10.1109/ACCESS. 2013. 2768662', '10.1109/access.2013.2768662'],
    ['10.1080/10885318 .2020 .1414552', '10.1080/10885318.2020.1414552'],
    ['10.1038/s41586- 018- 12775- x', '10.1038/s41586-018-12775-x'],
    ['10.1016 /j . neunet . 2018 . 09 . 036', '10.1016/j.neunet.2018.09.036'],
    ['10.3390/s902\n7072', '10.3390/s9027072'],
    ['10.1145/2831870.\n3488893', '10.1145/2831870.3488893'],
    ['10.1111\n/ece3.16354', '10.1111/ece3.16354'],
    ['10.1007/s10694-010-\n5370-z', '10.1007/s10694-010-5370-z'],
  ])('DOCUMENT-114 %j is one DOI', (given, value) => {
    expect(dois(`doi: ${given}\nReceived 3 May 2018`)).toEqual([value]);
  });

  test.each([
    ['10.3390/s9027072\n7073', '10.3390/s9027072'],
    ['10.1145/2831870\nReceived 2018', '10.1145/2831870'],
    ['10.5555/ece3.16354. 12. Novak', '10.5555/ece3.16354'],
  ])('DOCUMENT-114 what follows %j is not the DOI', (given, value) => {
    expect(dois(`doi:${given}`)).toEqual([value]);
  });

  test.each([
    [[...'arXiv:2103.01234v2[cs.LG]5Mar2021'].join('\n'), '2103.01234v2'],
    [[...'arXiv:1103.0123v1[cs.LG]'].join(' '), '1103.0123v1'],
    [[...'arXiv:hep-th/9901001v1'].join(' '), 'hep-th/9901001v1'],
    [[...'arXiv:2103.01234v2 [cs.LG] 5 Mar 2021'].toReversed().join(''), '2103.01234v2'],
  ])('DOCUMENT-117 the turned stamp %j', (stamp, value) => {
    expect(own(TITLE, 'A. Person', stamp, ABSTRACT).arxiv).toBe(value);
  });

  test('DOCUMENT-117 figures that make no number of their month are no stamp', () => {
    expect(own(TITLE, [...'arXiv:2113.01234'].join(' '), ABSTRACT).arxiv).toBeNull();
    expect(own(TITLE, [...'arXiv:2103.0123'].join(' '), ABSTRACT).arxiv).toBeNull();
  });
});

describe('whose identifier it is', () => {
  test('DOCUMENT-115 what ends an entry with another title is not its own', () => {
    expect(own(TITLE, 'A thesis', 'Publications', `${ENTRY} https://doi.org/${OTHER}`, ABSTRACT).doi).toBeNull();
    expect(
      own('RiverTool 3 manual', `If you use RiverTool, please cite:\n${ENTRY}\nhttps://doi.org/${OTHER}`).doi,
    ).toBeNull();
    expect(
      own(TITLE, `[1] B. Novak, A. Person, Older surveys of quiet valleys, River Res. 12 (2011) 1–9.\ndoi:${OTHER}`)
        .doi,
    ).toBeNull();
  });

  test('DOCUMENT-115 an entry with its title, and what it says to be cited as, is its own', () => {
    const entry = ENTRY.replace('Older surveys of quiet valleys', TITLE);
    expect(own(TITLE, 'A. Person', `${entry} https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
    expect(own(TITLE, `Cite this article as: ${ENTRY} https://doi.org/${OWN}`, ABSTRACT).doi).toBe(OWN);
    expect(
      own(
        TITLE,
        'L. A. Person',
        'Department of Rivers and Other Waters, CA 92093',
        'River Res (2010) 14:679-687',
        `DOI ${OWN}`,
      ).doi,
    ).toBe(OWN);
  });

  test('DOCUMENT-115 how to cite it in Russian and Chinese is its own; a work that a line names is not', () => {
    for (const words of [
      'Для цитирования: Иванов И. И. Реки // Вестник. 2018. № 3. С. 15-24. DOI:',
      '引用格式:张伟.河流[J].学报,2015,31(3):1-9. DOI：',
    ])
      expect(own('Берега', `${words} ${OWN}`).doi, words).toBe(OWN);
    expect(own(TITLE, 'A poster', `Published: Person et al. (2019), River Research, doi:${OTHER}`).doi).toBeNull();
    expect(own(TITLE, `Person et al. River Res (2019) 9:12\ndoi:${OWN}`, ABSTRACT).doi).toBe(OWN);
  });

  test('DOCUMENT-11 letters of editors of eLife speak for their article', () => {
    const letter = 'Decision letter and author response\nhttps://doi.org/10.7554/eLife.34929.017';
    expect(own(TITLE, 'DOI: https://doi.org/10.7554/eLife.34929', ABSTRACT, letter).doi).toBe('10.7554/elife.34929');
  });

  test('DOCUMENT-115 many names before an identifier are read in no time that grows with their number', () => {
    const hostile = `${'Ab A. '.repeat(70)}${'A. B. '.repeat(70)} 2001 12(3)`;
    expect(own(TITLE, hostile, `https://doi.org/${OWN}`).readings).toHaveLength(1);
  });

  test('DOCUMENT-116 the end of the article before says nothing of this one', () => {
    const below = ['SHORT COMMUNICATION', TITLE, 'A. Person', `doi: ${OWN}`, ABSTRACT];
    expect(own('The first sentence ended here.', 'And so did the second.', `DOI: ${OTHER}`, ...below).doi).toBe(OWN);
    const list = ['References', `1. ${ENTRY} doi:${OTHER}.`, '2. Novak B. Banks. River Res 2009;4:1-9.'];
    expect(own('The text ended here.', ...list, ...below).doi).toBe(OWN);
    expect(own('The text ended here.', ...list, ...below.slice(1)).doi).toBe(OWN);
  });

  test('DOCUMENT-116 an abstract behind a list of references is not the list', () => {
    const list = ['References', '1. Novak B. Banks. River Res 2009;4:1-9.', `2. ${ENTRY}`];
    expect(own(TITLE, 'A. Person', `doi:${OWN}`, ...list, `https://doi.org/${OTHER}`, 'x '.repeat(5_000)).doi).toBe(
      OWN,
    );
  });

  test('DOCUMENT-118 a volume is the DOI before its contents', () => {
    const parts = [1, 2, 3, 4].map((part) => `A part about rivers\nhttps://doi.org/10.5555/parts.${part}`);
    const volume = (imprint: string) =>
      own('Proceedings of a meeting', 'Editors: A. Person', imprint, 'Contents', ...parts);
    expect(volume(`https://doi.org/${OWN}`).doi).toBe(OWN);
    expect(volume('Made Press').doi).toBeNull();
  });

  test('DOCUMENT-118 news claim nothing', () => {
    const item = `From our blog\nThe banks moved.\ndoi:${OTHER}`;
    expect(own('RIVER NEWSLETTER', 'Issue 4', item).doi).toBeNull();
    expect(own(TITLE, item).doi).toBe(OTHER);
    expect(own(TITLE, 'Slides of a talk', 'Read the paper', `https://doi.org/${OTHER}`).doi).toBeNull();
    expect(own(TITLE, 'Thank you!', 'These slides:', 'https://doi.org/10.5281/zenodo.42').doi).toBe(
      '10.5281/zenodo.42',
    );
  });

  test("DOCUMENT-118 a manuscript's cover says where it was published", () => {
    for (const cover of [
      `This is the peer reviewed version of the following article: ${TITLE}, which has been published in final form at\nhttps://doi.org/${OWN}. It may be used for non-commercial purposes.`,
      `Citation for the original published paper (version of record):\nPerson, A. (2017)\n${TITLE}\nhttps://doi.org/${OWN}`,
    ])
      expect(own(cover, TITLE, 'A. Person', ABSTRACT).doi, cover).toBe(OWN);
  });

  test('DOCUMENT-119 an article in Japanese with full-width signs', () => {
    const list = [
      '文　献',
      ...[1, 2, 3, 4].map((n) => `${n}） 佐藤：河川，日本誌，${n}，1-9，200${n}．doi：10.5555/old.${n}`),
    ];
    for (const line of [
      'ＤＯＩ：１０．５５５５／ｎｅｗ．１',
      '【DOI】10.5555/new.1',
      '［DOI：10.5555/new.1］',
      'DOI: 10.5555/new.1受付日：2016年',
    ])
      expect(own('河川の研究', '田中 太郎', line, '要旨', '結果を示す。', ...list).doi, line).toBe('10.5555/new.1');
  });

  test('DOCUMENT-112 of made layouts of many publishers none is claimed to be another document', async () => {
    const figures = await ownTextFigures('tests/fixtures/documents/layouts.jsonl', 'layouts');
    expect(figures['layouts.no_false']).toBeGreaterThan(0.99);
    expect(figures['layouts.doi']).toBeGreaterThan(0.98);
    expect(figures['layouts.arxiv']).toBeGreaterThan(0.9);
  });
});
