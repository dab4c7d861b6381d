import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportCommand, type ExportFlags } from '#lanes/guide/cli/export-command.ts';
import { fileOf, guide, hours, type Said } from './guide-world.ts';

const LONG = 'Two brothers come home after twenty years and find the house empty.';
const show = (
  title: string,
  episodes: readonly (readonly [season: number, number: number, title: string, day?: string])[],
  more = {},
) => ({
  title,
  seasons: [...new Set(episodes.map(([season]) => season))].map((season) => ({
    number: season,
    episodes: episodes
      .filter(([of]) => of === season)
      .map(([, number, name, day]) => ({ number, title: name, air_date: day ?? null })),
  })),
  ...more,
});

/** What is filled of programmes one after the other: `place field value`. */
async function filled(said: readonly Said[], shows: readonly object[] | null = null): Promise<string[]> {
  const lines: string[] = [];
  const out = `${fileOf('')}.out`;
  const flags: ExportFlags = { out, mend: true };
  if (shows !== null) flags.shows = fileOf(JSON.stringify({ shows }), 'json');
  await exportCommand(fileOf(guide(hours(said))), flags, (line) => lines.push(line));
  expect(readFileSync(out, 'utf8')).toContain('</tv>');
  return lines.flatMap((line) => {
    const found = /^a@20240501(\d\d)0000 \+0000: (\S+) is "(.*?)": \S/.exec(line);
    return found === null ? [] : [`${Number(found[1])} ${found[2]} ${found[3]}`];
  });
}
const sub = (text: string): string => `<sub-title>${text}</sub-title>`;
const desc = (text: string): string => `<desc>${text}</desc>`;
const number = (text: string): string => `<episode-num system="xmltv_ns">${text}</episode-num>`;
const film = (date = ''): string => `${date === '' ? '' : `<date>${date}</date>`}<category>Film</category>`;

test.each([
  ['S02E05', '1.4.'],
  ['s2e5', '1.4.'],
  ['S2 Ep5', '1.4.'],
  ['S02.E05', '1.4.'],
  ['The Return (S2, E5)', '1.4.'],
  ['2x05', '1.4.'],
  ['2x05: The Return', '1.4.'],
  ['Season 2, Episode 5', '1.4.'],
  ['Series 2 Ep. 5', '1.4.'],
  ['Staffel 2, Folge 5', '1.4.'],
  ['2. Staffel, Folge 5', '1.4.'],
  ['2. Staffel, 5. Folge', '1.4.'],
  ['Saison 2 - Épisode 5', '1.4.'],
  ['Temporada 2, Capítulo 5', '1.4.'],
  ['T2 E5', '1.4.'],
  ['T02E05', '1.4.'],
  ['Stagione 2 Episodio 5', '1.4.'],
  ['Seizoen 2 Aflevering 5', '1.4.'],
  ['Säsong 2 avsnitt 5', '1.4.'],
  ['Kausi 2. Jakso 5', '1.4.'],
  ['Sezon 2, odcinek 5', '1.4.'],
  ['2. série, 5. díl', '1.4.'],
  ['2. évad, 5. rész', '1.4.'],
  ['Sezon 2 Bölüm 5', '1.4.'],
  ['2. Sezon 5. Bölüm', '1.4.'],
  ['Сезон 2, серия 5', '1.4.'],
  ['2 сезон 5 серия', '1.4.'],
  ['2-й сезон, 5-я серия', '1.4.'],
  ['Σεζόν 2, Επεισόδιο 5', '1.4.'],
  ['الموسم 2 الحلقة 5', '1.4.'],
  ['الموسم ٢ الحلقة ٥', '1.4.'],
  ['עונה 2 פרק 5', '1.4.'],
  ['第2季第5集', '1.4.'],
  ['シーズン2 第5話', '1.4.'],
  ['시즌 2 5회', '1.4.'],
  ['Episode 5, Season 2', '1.4.'],
  ['Folge 5 (Staffel 2)', '1.4.'],
])('GUIDE-31 a sub-title "%s"', async (text, value) => {
  expect(await filled([{ inside: sub(text) }])).toEqual([`0 episode-num ${value}`]);
});

test.each([
  [`S02E05. ${LONG}`],
  [`(S2 Ep5) ${LONG}`],
  [`[S02E05] ${LONG}`],
  [`Staffel 2, Folge 5: ${LONG}`],
  [`2x05 - ${LONG}`],
  [`${LONG} S02E05`],
  [`${LONG} (S2 E5)`],
  [`${LONG} (Season 2, Episode 5)`],
  [`${LONG} [2x05].`],
  [`Series 2, Episode 5. ${LONG}`],
  [`Saison 2, épisode 5. ${LONG}`],
])('GUIDE-31 a description "%s"', async (text) => {
  expect(await filled([{ inside: desc(text) }])).toEqual(['0 episode-num 1.4.']);
});

test.each([
  [desc('They win 2x05 metres of rope.')],
  [desc('2x05 metres of rope are missing.')],
  [desc('Rated 5/10.')],
  [desc(`${LONG} In S02E05 it was different. Now it is not.`)],
  [sub('S02E05-E06')],
  [sub('S02E05 and S02E06').replace(' and ', '-')],
  [sub('Route 66')],
  [sub('Part 2')],
  [sub('1920x1080')],
  [sub('S00E05')],
  [desc('Episode 5')],
  [sub('S02E05') + desc(`S02E06. ${LONG}`)],
])('GUIDE-31 nothing is said by %s', async (inside) => {
  expect(await filled([{ inside }])).toEqual([]);
});

test('GUIDE-32 the catalog, by title, by title and year, and by day', async () => {
  const road = show('The Long Road', [
    [1, 1, 'Home', '2001-02-03'],
    [1, 2, 'Away', '2001-02-10'],
    [2, 1, 'Home Again', '2002-01-05'],
    [2, 2, 'Twice', '2002-01-12'],
    [2, 3, 'Twice', '2002-01-12'],
    [0, 1, 'Special', '2001-06-01'],
  ]);
  const of = (inside: string, title?: string, shows = [road]): Promise<string[]> =>
    filled([title === undefined ? { inside } : { inside, title }], shows);
  expect(await of(sub('Home again.'))).toEqual(['0 episode-num 1.0.']);
  expect(await of(sub('HOME'), 'the long road')).toEqual(['0 episode-num 0.0.']);
  expect(await of('<date>20010210</date>')).toEqual(['0 episode-num 0.1.']);
  expect(await of(`${sub('Nothing like it')}<date>20010210</date>`)).toEqual(['0 episode-num 0.1.']);
  expect(await of(`${sub('Away')}<date>20010210</date>`)).toEqual(['0 episode-num 0.1.']);
  // Title and day name different ones; two of one title, two of one day; a special; nothing.
  expect(await of(`${sub('Home')}<date>20010210</date>`)).toEqual([]);
  expect(await of(sub('Twice'))).toEqual([]);
  expect(await of('<date>20020112</date>')).toEqual([]);
  expect(await of(sub('Special'))).toEqual([]);
  expect(await of('<date>2001</date>')).toEqual([]);
  expect(await of(sub('Home'), 'The Short Road')).toEqual([]);
  const remakes = [
    { ...road, year: 2001 },
    show('The Long Road', [[3, 3, 'Home']], { year: 2015, titles: ['Der lange Weg'] }),
  ];
  expect(await of(sub('Home'), undefined, remakes)).toEqual([]);
  expect(await of(sub('Home'), 'The Long Road (2015)', remakes)).toEqual(['0 episode-num 2.2.']);
  expect(await of(`${sub('Home')}<date>2015</date>`, undefined, remakes)).toEqual(['0 episode-num 2.2.']);
  expect(await of(sub('Home'), 'DER LANGE WEG', remakes)).toEqual(['0 episode-num 2.2.']);
});

test('GUIDE-33 the same programme elsewhere in the guide', async () => {
  expect(await filled([{ inside: sub('Home') }, { inside: sub('HOME!') + number('1.4.') }])).toEqual([
    '0 episode-num 1.4.',
  ]);
  expect(
    await filled([
      { inside: sub('Home') },
      { inside: `${sub('Home')}<episode-num system="onscreen">S2 E5</episode-num>` },
    ]),
  ).toEqual(['0 episode-num 1.4.']);
  expect(await filled([{ inside: desc(LONG) }, { inside: desc(LONG) + number('0.4/10.0/2') }])).toEqual([
    '0 episode-num 0.4.',
  ]);
  expect(await filled([{ inside: desc('Short.') }, { inside: desc('Short.') + number('0.4.') }])).toEqual([]);
  expect(await filled([{ inside: '' }, { inside: number('0.4.') }])).toEqual([]);
  expect(
    await filled([
      { inside: sub('Home') },
      { inside: sub('Home') + number('1.4.') },
      { inside: sub('Home') + number('1.5.') },
    ]),
  ).toEqual([]);
  expect(await filled([{ inside: sub('Home') }, { title: 'Another', inside: sub('Home') + number('1.4.') }])).toEqual(
    [],
  );
  // One voice against another.
  expect(
    await filled(
      [{ inside: sub('Home') }, { inside: sub('Home') + number('1.4.') }],
      [show('The Long Road', [[1, 1, 'Home']])],
    ),
  ).toEqual([]);
});

test('GUIDE-34 years of films', async () => {
  expect(await filled([{ title: 'Harbour (1987)', inside: film() }])).toEqual(['0 date 1987']);
  expect(
    await filled([
      { title: 'Harbour', inside: desc('A ship.') + film() },
      { title: 'HARBOUR', inside: desc('A ship.') + film('19870101') },
    ]),
  ).toEqual(['0 date 1987']);
  expect(
    await filled([
      { title: 'Harbour', inside: desc('A ship.') + film() },
      { title: 'Harbour', inside: desc('Another ship.') + film('1987') },
    ]),
  ).toEqual([]);
  expect(
    await filled([
      { title: 'Winter of 1942', inside: film() },
      { title: '1984', inside: film() },
      { title: 'Harbour (3000)', inside: film() },
    ]),
  ).toEqual([]);
  expect(
    await filled([
      { title: 'Harbour (1987)', inside: desc('A ship.') + film() },
      { title: 'Harbour', inside: desc('A ship.') + film('1990') },
    ]),
  ).toEqual([]);
  // A year that is there stays, whatever is said.
  expect(await filled([{ title: 'Harbour (1987)', inside: film('1988') }])).toEqual([]);
});

test.each([
  ['The.Long.Road.S02E05.1080p.WEB-DL.x264-ABC.mkv', ['0 title The Long Road', '0 episode-num 1.4.']],
  ['The Long Road - 2x05 - Home.avi', ['0 title The Long Road', '0 episode-num 1.4.']],
  ['/media/Der lange Weg/Der_lange_Weg_S02E05.ts', ['0 title Der lange Weg', '0 episode-num 1.4.']],
  ['Long Road.mkv', ['0 title Long Road']],
  ['The.Long.Road.S02E05.720p.HDTV.x264-ABC', ['0 title The Long Road', '0 episode-num 1.4.']],
  ['IMG_2041.MOV', []],
  ['video.mp4', []],
  ['VTS_01_1.VOB', []],
])('GUIDE-35 a file "%s"', async (title, fills) => {
  expect(await filled([{ title, inside: '' }])).toEqual(fills);
});

test('GUIDE-35 a film’s file, and a file of another episode', async () => {
  expect(await filled([{ title: 'Harbour.1987.1080p.BluRay.x264.mkv', inside: film() }])).toEqual([
    '0 title Harbour',
    '0 date 1987',
  ]);
  expect(await filled([{ title: '2001 A Space Walk (1968).mkv', inside: film() }])).toEqual([
    '0 title 2001 A Space Walk',
    '0 date 1968',
  ]);
  expect(await filled([{ title: 'The Long Road - 2x05.avi', inside: number('1.5.') }])).toEqual([]);
  expect(await filled([{ title: 'The Long Road - 2x05.avi', inside: number('1.4.') }])).toEqual([
    '0 title The Long Road',
  ]);
});

test('GUIDE-36 titles of placeholders', async () => {
  const road = [show('The Long Road', [[2, 5, 'Home']]), show('Another', [[2, 6, 'Home']])];
  expect(await filled([{ title: 'TBA', inside: sub('Home') + number('1.4.') }], road)).toEqual([
    '0 title The Long Road',
  ]);
  expect(
    await filled([{ title: 'TBA', inside: sub('Home') + number('1.4.') }], [...road, show('Third', [[2, 5, 'Home']])]),
  ).toEqual([]);
  expect(await filled([{ title: 'TBA', inside: sub('Home') }], road)).toEqual([]);
  const same = sub('Home') + desc('They are home.');
  expect(await filled([{ title: 'TBA', inside: same + number('1.4.') }, { inside: same + number('1.4.') }])).toEqual([
    '0 title The Long Road',
  ]);
  // What is filled proves the number, too.
  expect(await filled([{ title: 'TBA', inside: same }, { inside: same + number('1.4.') }])).toEqual([
    '0 title The Long Road',
    '0 episode-num 1.4.',
  ]);
  expect(
    await filled([
      { title: 'TBA', inside: same + number('1.4.') },
      { inside: same + number('1.4.') },
      { title: 'Another', inside: same + number('1.4.') },
    ]),
  ).toEqual([]);
  expect(
    await filled([
      { title: 'TBA', inside: sub('Home') + desc('Other.') + number('1.4.') },
      { inside: same + number('1.4.') },
    ]),
  ).toEqual([]);
});

test('GUIDE-30 nothing that is there is filled, and without --mend nothing at all', async () => {
  expect(
    await filled([
      { inside: sub('S02E05') + number('0.0.') },
      { title: 'News S02E05', inside: '<category>News</category>' },
    ]),
  ).toEqual([]);
  const out = `${fileOf('')}.out`;
  const lines: string[] = [];
  await exportCommand(fileOf(guide(hours([{ inside: sub('S02E05') }]))), { out }, (line) => lines.push(line));
  expect(lines).toEqual([`1 programmes are in ${out}, 0 fields were filled`]);
});
