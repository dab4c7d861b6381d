import { describe, expect, test } from 'vitest';
import { fillTemplate, type FillOptions, type Values } from '#core/naming/fill-template.ts';
import { bytesOf } from '#core/naming/safe-name.ts';
import { fillOptions, parseTemplate, type Template } from '#lanes/video/core/naming/episode-names.ts';
import type { Style, Token } from '#lanes/video/core/naming/presets.ts';

const EPISODE: Values<Token> = {
  show: 'Quiet Orbit',
  year: 2019,
  season: 2,
  episode: [3],
  absolute: [15],
  title: 'The Quay',
  date: '2020-01-31',
  part: null,
  quality: '1080p',
  version: null,
  name: 'qo.203',
  ext: '.mkv',
};

function filled({ pieces, style }: Template, values: Partial<Values<Token>>, more: Partial<FillOptions<Token>> = {}) {
  return fillTemplate(pieces, { ...EPISODE, ...values }, { ...fillOptions(style), ...more });
}

function fill(text: string, values: Partial<Values<Token>> = {}, style?: Style): string {
  const parsed = parseTemplate(text, style);
  if (!parsed.ok) return `bad template: ${parsed.error.sentence}`;
  const name = filled(parsed.template, values);
  return name.ok ? name.path : `no name: ${name.sentence}`;
}

describe('VIDEO-50 tokens, zeros, and parts that vanish', () => {
  test.each([
    ['{show} - S{season:00}E{episode:00} - {title}{ext}', {}, 'Quiet Orbit - S02E03 - The Quay.mkv'],
    ['{show} {season}x{episode:00}', {}, 'Quiet Orbit 2x03.mkv'],
    ['{absolute:000}', {}, '015.mkv'],
    ['{show} - {date}[ - {title}]', { title: null }, 'Quiet Orbit - 2020-01-31.mkv'],
    ['{episode}[ - {title}][ ({quality})]', { quality: null }, '3 - The Quay.mkv'],
    ['{episode}[ - {title} {version}]', {}, '3.mkv'],
    ['{episode} [[{quality}]]', {}, '3 [1080p].mkv'],
    ['[Group] {show} - {episode:00}', {}, '[Group] Quiet Orbit - 03.mkv'],
    ['{{{episode}}}', {}, '{3}.mkv'],
    ['{show}/Season {season:00}/{episode:00}', {}, 'Quiet Orbit/Season 02/03.mkv'],
    ['{show}/Season {season:00}/{episode:00}', { season: 2018 }, 'Quiet Orbit/Season 2018/03.mkv'],
    ['{ episode }{EXT}', {}, '3.mkv'],
    ['{episode} - {title}', { title: null }, 'no name: Nothing is known for {title}.'],
    ['{absolute}', { absolute: [26.5] }, '26.5.mkv'],
    ['{absolute:000}', { absolute: [26.5] }, '026.5.mkv'],
    ['{name}{episode}', {}, 'qo.2033.mkv'],
    ['{episode}', { ext: '' }, '3'],
  ])('VIDEO-106 %s %o', (text, values, path) => {
    expect(fill(text, values)).toBe(path);
  });
});

describe('VIDEO-54 several episodes in one file', () => {
  const range: Style = { multi: 'range', specials: null };
  const each: Style = { multi: 'each', specials: null };
  test.each([
    ['S{season:00}E{episode:00}', [1, 2], range, 'S02E01-E02.mkv'],
    ['S{season:00}E{episode:00}', [1, 2, 3], range, 'S02E01-E03.mkv'],
    ['S{season:00}E{episode:00}', [1, 3], range, 'S02E01E03.mkv'],
    ['S{season:00}E{episode:00}', [1, 2, 4], range, 'S02E01E02E04.mkv'],
    ['s{season:00}e{episode:00}', [1, 2, 3], each, 's02e01e02e03.mkv'],
    ['{season}x{episode:00}', [1, 2], range, '2x01-02.mkv'],
    ['{season}x{episode:00}', [1, 2, 3], each, '2x01-02-03.mkv'],
    ['{season}x{episode:00}', [1, 3], range, '2x01+03.mkv'],
    ['Episode {episode}', [8, 9, 10], range, 'Episode 8-10.mkv'],
    ['Ep{episode:00}', [8, 9], range, 'Ep08-Ep09.mkv'],
  ])('%s of %j', (text, episodes, style, path) => {
    expect(fill(text, { episode: episodes }, style)).toBe(path);
  });

  test('VIDEO-52 specials lie in the folder that the server knows', () => {
    const style: Style = { multi: 'range', specials: 'Specials' };
    const text = '{show}/Season {season:00}/S{season:00}E{episode:00}';
    expect(fill(text, { season: 0 }, style)).toBe('Quiet Orbit/Specials/S00E03.mkv');
    expect(fill(text, { season: 1 }, style)).toBe('Quiet Orbit/Season 01/S01E03.mkv');
    expect(fill(text, { season: 0 })).toBe('Quiet Orbit/Season 00/S00E03.mkv');
  });
});

describe('VIDEO-53 names that every system takes', () => {
  test.each([
    ['Mission: Return', 'Mission - Return'],
    ['12:30', '12-30'],
    ['Who?', 'Who'],
    ['What??? No!', 'What No!'],
    ['AC/DC', 'AC-DC'],
    ['a\\b', 'a-b'],
    ['"Quoted"', "'Quoted'"],
    ['<b>', '(b)'],
    ['a|b', 'a-b'],
    ['Five*', 'Five'],
    ['To be continued...', 'To be continued'],
    ['...And Then', 'And Then'],
    [' spaced   out ', 'spaced out'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['tab\there', 'tabhere'],
    ['evil\u202egpj', 'evilgpj'],
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['Lpt1', 'Lpt1_'],
    ['Console', 'Console'],
    ['第一話：夜', '第一話：夜'],
    ['\ud800broken', 'broken'],
  ])('%j', (title, name) => {
    expect(fill('{title}', { title })).toBe(`${name}.mkv`);
  });

  test('folders end in no dot or blank', () => {
    expect(fill('{show}/{episode}', { show: 'Etc. ' })).toBe('Etc/3.mkv');
    expect(fill('{show}/{episode}', { show: 'AUX' })).toBe('AUX_/3.mkv');
    expect(fill('{show}/{episode}', { show: '???' })).toBe('no name: Nothing is known for {show}.');
    expect(fill('{show}/{episode}', { show: '..' })).toBe('no name: Nothing is left of the name.');
  });

  test('what was changed is said', () => {
    const parsed = parseTemplate('{show} {episode} {title}');
    if (!parsed.ok) throw new Error(parsed.error.sentence);
    const name = filled(parsed.template, { show: 'A: B', title: 'C: D?' });
    expect(name).toMatchObject({
      path: 'A - B 3 C - D.mkv',
      why: [
        'A colon becomes " - ": Windows refuses it.',
        'Question marks and asterisks are left out: Windows refuses them.',
      ],
    });
  });
});

describe('VIDEO-53 at most 255 bytes, and numbers are never cut', () => {
  test.each([
    ['a', 300],
    ['語', 120],
    ['👩‍👩‍👧', 40],
    ['é', 200],
  ])('VIDEO-107 a title of %s, %i times', (letter, times) => {
    const title = letter.repeat(times);
    const name = fill('{show} S{season:00}E{episode:00} - {title}{ext}', { title });
    expect(bytesOf(name)).toBeLessThanOrEqual(255);
    expect(bytesOf(name)).toBeGreaterThan(225);
    expect(name).toMatch(/^Quiet Orbit S02E03 - .*…\.mkv$/u);
    // No letter is cut in two.
    expect(title.startsWith(name.slice('Quiet Orbit S02E03 - '.length, -'….mkv'.length))).toBe(true);
  });

  test('VIDEO-107 a long show gives way after the title, also where it is written twice', () => {
    const name = fill('{show} {show} S{season:00}E{episode:00}[ - {title}]', { show: 'x'.repeat(200), title: 'Quay' });
    expect(bytesOf(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^x+… x+… S02E03\.mkv$/);
  });

  test('each folder has its own 255', () => {
    const path = fill('{show}/{show} {episode}', { show: 'x'.repeat(300) });
    expect(path.split('/').map(bytesOf)).toEqual([255, 255]);
  });

  test('room that is kept for what follows the video', () => {
    const parsed = parseTemplate('{title} {episode}');
    if (!parsed.ok) throw new Error(parsed.error.sentence);
    const name = filled(parsed.template, { title: 'x'.repeat(300) }, { room: 20 });
    expect(name.ok && bytesOf(name.path)).toBe(235);
  });

  test('too long without a title', () => {
    expect(fill('{episode}'.repeat(1), { episode: Array.from({ length: 99 }, (_, at) => at * 2 + 1) })).toContain(
      'longer than 255 bytes',
    );
  });
});
