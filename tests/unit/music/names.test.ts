import { describe, expect, it } from 'vitest';
import { foldText } from '#core/text/fold.ts';
import { parseName, discOfFolder, isGenericFolder, isGenericTitle } from '#lanes/music/core/names/names.ts';
import { readUnit } from '#lanes/music/core/names/reading.ts';
import { repairText } from '#lanes/music/core/names/repair.ts';
import { textKey, textSimilarity } from '#core/text/similarity.ts';
import { file } from './small-catalog.ts';

describe('a name that all share', () => {
  it('MATCH-68: is no title, whatever number is before it', () => {
    const names = ['01_shelf143.mp3', '02_shelf143.mp3', '03_shelf143.mp3', '04_shelf143.mp3'];
    const readings = readUnit(names.map((name) => ({ evidence: file(name, 100), name: parseName(name) })));
    expect(readings.flatMap(({ titles }) => titles)).toEqual([]);
    expect(readings.map(({ positions }) => positions[0]?.position)).toEqual([1, 2, 3, 4]);
  });

  it('MATCH-68: but a tag may say of all that they are one song', () => {
    const names = ['01.mp3', '02.mp3', '03.mp3', '04.mp3'];
    const evidence = names.map((name) => file(name, 100, { title: 'One Song' }));
    const readings = readUnit(evidence.map((one) => ({ evidence: one, name: parseName(one.path) })));
    expect(readings.map(({ titles }) => titles.map(({ text }) => text))).toEqual(names.map(() => ['One Song']));
  });
});

describe('names that say nothing more', () => {
  it.each([
    '01 Track 1',
    '01 - Pista 1',
    'Kappale 01',
    'Track 1 of 12',
    'Unknown Artist - Unknown Album - 01 - Track 1',
  ])('MATCH-100: "%s" is track 1 and no title', (name) => {
    expect(parseName(`${name}.mp3`)).toMatchObject({ titles: [], segments: [], positions: [{ position: 1 }] });
    expect(isGenericTitle(name)).toBe(true);
  });

  it('MATCH-100: a disc is read beside it, and other words make a title', () => {
    expect(parseName('CD2_Track_05.mp3').positions).toEqual([{ disc: 2, position: 5 }]);
    expect(parseName('05 Track of Tears.mp3').titles).toContain('Track of Tears');
    expect(parseName('02 Untitled 1.mp3').titles[0]).toContain('Untitled 1');
    expect(parseName('07 Unknown Pleasures 2.mp3').titles[0]).toBe('Unknown Pleasures 2');
  });

  it('MATCH-101: an id of a video is no part of a name, a word of eleven letters is', () => {
    expect(parseName('Some Artist - A Title-dQw4w9WgXcQ.mp3').base).toBe('Some Artist - A Title');
    expect(parseName('Some Artist - A Title [8n2_kX-2bQs].mp3').base).toBe('Some Artist - A Title');
    expect(parseName('A Song-Imagination.mp3').base).toBe('A Song-Imagination');
    expect(parseName('Miz_-_07_-_0x29A.mp3').base).toBe('Miz_-_07_-_0x29A');
    expect(parseName('A Song-BandNameTwo.mp3').base).toBe('A Song-BandNameTwo');
  });

  it.each([
    ['M÷tley Crⁿe', 'Mötley Crüe'],
    ['CafΘ del Mar', 'Café del Mar'],
    ['Τραγούδι', 'Τραγούδι'],
    ['A ÷ B', 'A ÷ B'],
    ['n°5', 'n°5'],
  ])('MATCH-99: %s is read as %s', (raw, repaired) => expect(repairText(raw)).toBe(repaired));
});

describe('repair', () => {
  it.each([
    ['RecÃ³rcholis', 'Recórcholis'],
    ['Tom &amp; Jerry &#39;s', "Tom & Jerry 's"],
    ['Come%20Together', 'Come Together'],
    ['100% Pure', '100% Pure'],
    ['Ôèëüì î ëþáâè', 'Фильм о любви'],
    ['ＦＵＬＬ　Ｗｉｄｔｈ', 'FULL Width'],
    ['Motörhead', 'Motörhead'],
    ['M├╢tley Cr├╝e', 'Mötley Crüe'],
    ['Iambic²', 'Iambic2'],
  ])('MATCH-3: %s is read as %s', (raw, repaired) => {
    expect(repairText(raw)).toBe(repaired);
  });

  it('MATCH-3: other scripts meet their Latin spelling', () => {
    expect(foldText('ラジオの まちあかり')).toBe('rajiono machiakari');
    expect(textSimilarity(textKey('Gyeoul Bada'), textKey('겨울 바다'))).toBeGreaterThan(0.9);
    expect(textSimilarity(textKey('Pyatyj Ugol'), textKey('Пятый угол'))).toBeGreaterThan(0.8);
    expect(textSimilarity(textKey('Hai Bian De Wei Xiao'), textKey('海边的微笑'))).toBeGreaterThan(0.9);
  });

  it('MATCH-3: damage is forgiven, other numbers are not', () => {
    expect(textSimilarity(textKey('Tr3a5ur3'), textKey('Treasure'))).toBeGreaterThan(0.9);
    expect(textSimilarity(textKey('Pcfc'), textKey('Pacific'))).toBeGreaterThan(0.85);
    expect(textSimilarity(textKey('Weatherman, The Dada'), textKey('The Dada Weatherman'))).toBeGreaterThan(0.9);
    expect(textSimilarity(textKey('Interlude 1'), textKey('Interlude 2'))).toBeLessThanOrEqual(0.8);
  });
});

describe('one name', () => {
  it.each([
    ['01 - Airbag.mp3', [null, 1], 'Airbag'],
    ['07. Ghosts.flac', [null, 7], 'Ghosts'],
    ['(03) Dome.flac', [null, 3], 'Dome'],
    ['1-05 Graduation Day.flac', [1, 5], 'Graduation Day'],
    ['206 - The Villain.ogg', [2, 6], 'The Villain'],
    ['07TheBuilders.mp3', [null, 7], 'The Builders'],
    ['02_-_sprickor.mp3', [null, 2], 'sprickor'],
    ['0000042 Foo.mp3', [null, 42], 'Foo'],
  ])('MATCH-3: %s', (path, place, title) => {
    const parsed = parseName(path);
    expect([parsed.positions[0]?.disc, parsed.positions[0]?.position]).toEqual(place);
    expect(parsed.titles).toContain(title);
  });

  it('MATCH-3: sides of a record are sides', () => {
    expect(parseName('B2 Sweet Sore.flac').positions).toEqual([{ disc: null, position: 2, side: 2 }]);
  });

  it.each(['track01.mp3', 'Piste 01.wav', 'AudioTrack 07.flac', '01.m4a', 'Track 3.mp3', 'Titel 12.mp3'])(
    'MATCH-3: %s says nothing but a number',
    (path) => {
      const parsed = parseName(path);
      expect(parsed.generic).toBe(true);
      expect(parsed.titles).toEqual([]);
      expect(parsed.positions[0]?.position).toBeGreaterThan(0);
    },
  );

  it.each(['20000 Feet.mp3', 'UB40.mp3', '1979.mp3', 'Vanity 6.mp3'])(
    '%s keeps its number as part of the title',
    (path) => {
      expect(parseName(path).titles).toContain(path.replace('.mp3', '').replace('UB40', 'UB 40'));
    },
  );

  it('MATCH-17 folders of discs and formats lead home to their album', () => {
    expect(parseName('a.zip/Freeloaded/CD 2/01 - Q.mp3')).toMatchObject({
      home: 'a.zip/Freeloaded',
      disc: 2,
      folders: ['a', 'Freeloaded'],
    });
    expect(parseName('Old/FLAC/01 - Q.flac').home).toBe('Old');
    expect(discOfFolder('brewtality_live!_[disc_2]').disc).toBe(2);
    expect(['New Folder', 'Unknown Album (3-12-2009 10-22-11 PM)', 'upload'].every(isGenericFolder)).toBe(true);
    expect(isGenericFolder('Abbey Road')).toBe(false);
    expect(isGenericTitle('Faixa 04')).toBe(true);
  });

  it('copy marks and quality marks are no part of a title', () => {
    expect(parseName('04 - Winter Time (1).mp3')).toMatchObject({ copy: 1, base: '04 - Winter Time' });
    expect(parseName('ThoTho - Sous Les Cotes (320kbps).mp3').base).toBe('ThoTho - Sous Les Cotes');
  });
});

describe('a batch', () => {
  it('MATCH-3, MATCH-48: what most names share is not the title', () => {
    const titles = ['Crush At First', 'Watch You Sleep', 'Than Anyone', 'Part One', 'Look At Me'];
    const files = titles.map((title, i) => file(`Valzi - I Never - 0${i + 1} ${title}.ogg`, 100));
    const readings = readUnit(files.map((evidence) => ({ evidence, name: parseName(evidence.path) })));
    expect(readings.map((reading) => reading.titles[0]?.text)).toEqual(titles);
    expect(readings.map((reading) => reading.positions[0]?.position)).toEqual([1, 2, 3, 4, 5]);
    for (const reading of readings) expect(reading.titles.map((title) => title.text)).not.toContain('Valzi');
  });

  it('MATCH-48 placeholders in tags are no evidence', () => {
    const evidence = file('x.mp3', 100, { title: 'Track 01', artist: 'Unknown Artist', album: 'Unknown Album' });
    const [reading] = readUnit([{ evidence, name: parseName(evidence.path) }]);
    expect(reading?.titles.some((title) => title.source === 'tag')).toBe(false);
    expect([reading?.tagArtist, reading?.tagAlbum]).toEqual([null, null]);
  });
});
