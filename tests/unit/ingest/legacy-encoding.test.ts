import { expect, test } from 'vitest';
import { latin1Repair } from '#adapters/media/latin1-repair.ts';
import { decodeLegacy, decodeTextFile } from '#adapters/media/legacy-text.ts';
import { parseCue } from '#core/ingest/cue.ts';
import { guessEncoding } from '#core/ingest/legacy-encoding.ts';
import { encodeLegacy } from '../../fixtures/legacy.ts';

const RUSSIAN = [
  'Кино - Группа крови.mp3',
  'Земфира',
  'Мумий Тролль',
  'ДДТ',
  'Алла Пугачёва - Миллион алых роз',
  'я свободен',
  'Океан Ельзи - Обійми',
  '«Звезда по имени Солнце» — 1989',
];
const WRITTEN: Record<string, string[]> = {
  'windows-1251': RUSSIAN,
  'koi8-r': RUSSIAN.filter((name) => !/[іґ—]/.test(name)),
  ibm866: RUSSIAN.filter((name) => !/[іґ—«]/.test(name)),
  shift_jis: ['残酷な天使のテーゼ', '東京', '椎名林檎 - 無罪モラトリアム', '宇多田ヒカル'],
  gbk: ['周杰伦 - 范特西', '王菲', '月亮代表我的心', '邓丽君 甜蜜蜜'],
  big5: ['張惠妹', '周杰倫 - 七里香', '五月天', '鄧麗君'],
  'euc-kr': ['사랑했지만', '서태지와 아이들', '김광석 - 서른 즈음에'],
};
const cases = Object.entries(WRITTEN).flatMap(([encoding, names]) => [
  ...names.map((name): [string, string[]] => [encoding, [name]]),
  [encoding, names] satisfies [string, string[]],
]);

test.each(cases)('STAGE-66 %s is told from what it reads as: %j', (encoding, names) => {
  const bytes = names.map((name) => encodeLegacy(name, encoding));
  expect(guessEncoding(bytes, decodeLegacy)).toBe(encoding);
});

const WESTERN = [
  ...['Björk', 'Für Elise', 'Ágætis byrjun', 'Café Tacvba', 'À la pêche aux moules', 'Señorita', 'Blåbärsoppa'],
  ...['«Émilie Jolie» – où ?', 'Ça ira', 'Øya', 'Yé-Yé', 'ÄÖÜ', 'Ó', 'España', 'Jóga “live” – 1997…'],
];
test.each([...WESTERN.map((name) => [name]), WESTERN])('STAGE-66 western letters are none of them: %s', (...names) => {
  const bytes = names.map((name) => encodeLegacy(name, 'windows-1252'));
  expect(guessEncoding(bytes, decodeLegacy)).toBeNull();
});

test.each(['windows-1251', 'koi8-r', 'windows-1252'])('MEDIA-60 a CUE sheet in %s', (encoding) => {
  const title = encoding === 'windows-1252' ? 'Hoppípolla' : 'Группа крови';
  const sheet = `PERFORMER "Кино"\r\nFILE "a.flac" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE "${title}"\r\n    INDEX 01 00:00:00`;
  const text = encoding === 'windows-1252' ? sheet.replace('Кино', 'Sigur Rós') : sheet;
  expect(parseCue(decodeTextFile(encodeLegacy(text, encoding)))?.files[0]?.tracks[0]?.title).toBe(title);
});

test('MEDIA-60 tags that were read as Latin-1 are put right, those that are Latin-1 stay', () => {
  const misread = (text: string, encoding: string): string =>
    Buffer.from(encodeLegacy(text, encoding)).toString('latin1');
  const [title, artist] = [misread('Группа крови', 'windows-1251'), misread('Би-2', 'windows-1251')];
  const right = latin1Repair([title, artist, undefined]);
  // Alone, so short a name says nothing.
  expect([right(title), right(artist), right('Kino'), right('Кино')]).toEqual(['Группа крови', 'Би-2', 'Kino', 'Кино']);
  expect(latin1Repair([artist])(artist)).toBe(artist);
  const western = latin1Repair(['Björk', 'Jóga', Buffer.from('Ágætis – 漢').toString('latin1')]);
  expect([western('Björk'), western(Buffer.from('Ágætis – 漢').toString('latin1'))]).toEqual(['Björk', 'Ágætis – 漢']);
  const windows = new TextDecoder('windows-1252').decode(encodeLegacy('周杰伦', 'gbk'));
  expect(latin1Repair([windows])(windows)).toBe('周杰伦');
});
