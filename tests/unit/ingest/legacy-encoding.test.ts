import { expect, test } from 'vitest';
import { latin1Repair, decodeLegacy, decodeTextFile } from '#adapters/media/legacy-text.ts';
import { parseCue } from '#lanes/music/core/evidence/cue.ts';
import { decodeEntryNames } from '#core/ingest/paths.ts';
import { guessEncoding } from '#core/ingest/legacy-encoding.ts';
import { encodeDos } from '../../fixtures/dos.ts';
import { encodeLegacy } from '../../fixtures/legacy.ts';

const RUSSIAN = [
  'Кино - Группа крови.mp3',
  'Земфира',
  'Мумий Тролль',
  'Ария',
  'Океан',
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

const WEST = [
  ...['Björk', 'Für Elise', 'Ágætis byrjun', 'Café Tacvba', 'À la pêche aux moules', 'Señorita', 'Blåbärsoppa'],
  ...['«Émilie Jolie» – où ?', 'Ça ira', 'Øya', 'Yé-Yé', 'ÄÖÜ', 'Ó', 'España', 'Jóga “live” – 1997…', 'Château'],
  ...['Pâques', 'Ode à Paris', 'La vita è bella', "C'è o non c'è", "Cos'è la vita", 'ESPAÑA', 'NIÑO', 'É o Tchan'],
  ...['9½ Weeks', 'DIE ÄRZTE', 'À la vie, à la mort', 'MÄDCHEN', 'SÃO PAULO', 'ÁNGEL', 'KÆRLIGHED', 'MÃE', 'ÅÄÖ'],
  ...['ÆØÅ', 'Åäö', 'è', 'à', 'É', 'Öö', 'ÉLÉVATION', 'CITTÀ', 'PERCHÉ È COSÌ', 'Ção', 'EMOÇÕES', 'LIÇÃO', 'ÞÓR'],
  ...['Þú og ég', 'HYVÄÄ YÖTÄ', 'Häää', 'Rødgrød med fløde', 'RÄKSMÖRGÅS', 'Å leve', 'Nº 5', '¿Qué?', 'CRÉÉE'],
  ...['Příliš žluťoučký kůň', 'Žižkov', 'Gęślą jaźń', 'ŻÓŁĆ', 'Źdźbło', 'Árvíztűrő tükörfúrógép', 'ŐRÜLT NŐ', 'Țară'],
  ...['Şıkıdım', 'ÜÇ ÖĞÜT', 'ÇİÇEK', 'Müslüm Gürses - Öğün', 'Šķērsām', 'Ačiū Žemė', 'Đêm đông', 'ĐỂ GIÓ', 'Ở đời'],
];
const GREEK = [
  ...['Χάρις Αλεξίου - Τα τραγούδια μου', 'ΕΛΛΑΣ', 'ΕΛΛΑΔΑ', 'ΑΓΑΠΗ', 'ΜΑΖΙ', 'Μίκης Θεοδωράκης', 'ΜΙΚΗΣ ΘΕΟΔΩΡΑΚΗΣ'],
  ...['ΖΟΡΜΠΑΣ', 'ΚΑΛΗΜΕΡΑ', 'Καλημέρα', 'ΠΑΜΕ', 'ΗΛΙΟΣ'],
];
const HEBREW = ['שלום חנוך', 'עידן רייכל - ממעמקים', 'ערב', 'הגבעטרון', 'אהבה'];
const ARABIC = ['فيروز', 'أم كلثوم - أنت عمري', 'ليلى', 'حبيبي'];

/** In each encoding those names that it has; a row apiece, and all of them together. */
function written(names: readonly string[], encodings: readonly string[]): [string, string[], Uint8Array[]][] {
  return encodings.flatMap((encoding) => {
    const all = names.flatMap((name) => {
      const bytes = encodeDos(name, encoding);
      return bytes === null ? [] : [{ name, bytes }];
    });
    const rows = all.map(({ name, bytes }): [string, string[], Uint8Array[]] => [encoding, [name], [bytes]]);
    return [...rows, [encoding, all.map(({ name }) => name), all.map(({ bytes }) => bytes)]];
  });
}
const NONE = [
  ...written(WEST, ['cp437', 'cp850', 'cp852', 'windows-1252', 'windows-1250', 'windows-1254', 'windows-1257']),
  ...written(WEST, ['windows-1258', 'iso-8859-2', 'iso-8859-15', 'macintosh']),
  ...written(GREEK, ['windows-1253', 'iso-8859-7']),
  ...written(HEBREW, ['windows-1255']),
  ...written(ARABIC, ['windows-1256']),
];
test.each(NONE)(
  'STAGE-66, STAGE-108 what is Western, Greek, Hebrew or Arabic in %s is none of them: %j',
  (_, names, samples) => {
    expect(samples).toHaveLength(names.length);
    expect(guessEncoding(samples, decodeLegacy)).toBeNull();
    // An album's folder, whose name stands before each of its files.
    const folder = samples.flatMap((name) => ['/01.mp3', '/02.mp3', '/03.mp3'].map((file) => joined(name, file)));
    expect(guessEncoding(folder, decodeLegacy)).toBeNull();
  },
);
const joined = (name: Uint8Array, file: string): Uint8Array => Uint8Array.from([...name, ...Buffer.from(file)]);

test('STAGE-66, STAGE-108, STAGE-109 what so few letters may be nobody can tell; beside others they are told', () => {
  for (const [encoding, name] of [
    ['windows-1251', 'ДДТ'],
    ['windows-1251', 'Би-2'],
    ['ibm866', 'КИНО'],
    ['gbk', '后来'],
    ['euc-kr', '봄날'],
  ] as const) {
    expect(guessEncoding([encodeLegacy(name, encoding)], decodeLegacy)).toBeNull();
    const beside = WRITTEN[encoding] ?? [];
    expect(
      guessEncoding(
        [name, ...beside].map((one) => encodeLegacy(one, encoding)),
        decodeLegacy,
      ),
    ).toBe(encoding);
  }
});

test('STAGE-66 a name of an archive that is Western stays so', () => {
  const raw = encodeDos('Ode à Paris', 'cp850') ?? new Uint8Array();
  const names = ['/1.mp3', '/2.mp3', '/3.mp3', '/4.mp3'].map((file) => ({
    raw: joined(raw, file),
    unicode: false,
    fallback: `Ode à Paris${file}`,
  }));
  expect(decodeEntryNames(names, decodeLegacy)).toEqual(names.map(({ fallback }) => fallback));
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
  const right = latin1Repair([title, artist]);
  // Alone, so short a name says nothing.
  expect([right(title), right(artist), right('Kino'), right('Кино')]).toEqual(['Группа крови', 'Би-2', 'Kino', 'Кино']);
  expect(latin1Repair([artist])(artist)).toBe(artist);
  const western = latin1Repair(['Björk', 'Jóga', Buffer.from('Ágætis – 漢').toString('latin1')]);
  expect([western('Björk'), western(Buffer.from('Ágætis – 漢').toString('latin1'))]).toEqual(['Björk', 'Ágætis – 漢']);
  const windows = new TextDecoder('windows-1252').decode(encodeLegacy('周杰伦', 'gbk'));
  expect(latin1Repair([windows])(windows)).toBe('周杰伦');
});

test('MEDIA-60 what says that it is Unicode is never guessed at', () => {
  const unicode = latin1Repair([]);
  const cyrillic = Buffer.from(encodeLegacy('Группа крови', 'windows-1251')).toString('latin1');
  expect(unicode(cyrillic)).toBe(cyrillic);
  expect(unicode(Buffer.from('Ágætis', 'utf8').toString('latin1'))).toBe('Ágætis');
});
