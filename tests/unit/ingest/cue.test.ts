import { describe, expect, test } from 'vitest';
import { decodeTextFile } from '#adapters/media/legacy-text.ts';
import { parseCue, sameStem, segmentsOf, tagsOfFile } from '#lanes/music/core/evidence/cue.ts';

const SHEET = `\uFEFFREM GENRE "Folk"\r
REM DATE 1997
REM DISCNUMBER 1
REM TOTALDISCS 2
CATALOG 0724385522925
PERFORMER "The Mooring Lines"
TITLE "Harbour Songs"
FILE "CDImage.wav" WAVE
  TRACK 01 AUDIO
    TITLE "Lantern Weather"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Slow ""Ferries"
    PERFORMER "Ida Strand"
    ISRC GBAYE9700119
    INDEX 00 04:09:30
    INDEX 01 04:11:37
  TRACK 03 AUDIO
    INDEX 01 75:00:74
`;

const cut = (text: string, ms = 4_600_000) => {
  const sheet = parseCue(text);
  return sheet === null ? null : segmentsOf(sheet, ms);
};

describe('CUE sheets', () => {
  test('MEDIA-44 each track goes from its INDEX 01 to the next one; a pause belongs to the track before it', () => {
    const split = cut(SHEET);
    expect(split).toMatchObject({ note: null });
    if (!split || 'why' in split) throw new Error('not split');
    expect(split.segments.map(({ start_ms, end_ms, track, of }) => [start_ms, end_ms, track, of])).toEqual([
      [0, ((4 * 60 + 11) * 75 + 37) / 0.075, 1, 3],
      [((4 * 60 + 11) * 75 + 37) / 0.075, (75 * 60 * 75 + 74) / 0.075, 2, 3],
      [(75 * 60 * 75 + 74) / 0.075, null, 3, 3],
    ]);
  });

  test('MEDIA-44, MEDIA-73 title and performer of a track, else of the sheet; REM fields, barcode and ISRC', () => {
    const split = cut(SHEET);
    if (!split || 'why' in split) throw new Error('not split');
    const whole = { album: 'Harbour Songs', albumartist: 'The Mooring Lines', genre: 'Folk', year: 1997 };
    const disc = { disc: 1, disctotal: 2, tracktotal: 3 };
    expect(split.segments.map(({ tags }) => tags)).toEqual([
      {
        ...{ ...whole, ...disc, track: 1, title: 'Lantern Weather', artist: 'The Mooring Lines' },
        external_ids: { barcode: '0724385522925' },
      },
      {
        ...{ ...whole, ...disc, track: 2, title: 'Slow', artist: 'Ida Strand' },
        external_ids: { barcode: '0724385522925', isrc: 'GBAYE9700119' },
      },
      { ...{ ...whole, ...disc, track: 3, artist: 'The Mooring Lines' }, external_ids: { barcode: '0724385522925' } },
    ]);
  });

  test.each([
    [
      'of several files',
      'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nFILE b.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 0:0:0',
      'it describes 2 files, not one',
    ],
    ['of one track', 'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0', 'it has only one track'],
    [
      'of a track and data',
      'FILE a.bin BINARY\nTRACK 01 MODE1/2352\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 01 5:0:0',
      'it has only one track',
    ],
    [
      'without a beginning',
      'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 00 1:0:0',
      'its track 2 does not say where it begins (INDEX 01)',
    ],
    [
      'with a time that is none',
      'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 01 1:75:80',
      'its track 2 does not say where it begins (INDEX 01)',
    ],
    [
      'out of order',
      'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 2:0:0\nTRACK 02 AUDIO\nINDEX 01 1:0:0',
      'its track 2 begins at 1:00, not after the track before it',
    ],
    [
      'of a longer file',
      'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 01 80:0:0',
      'its track 2 begins at 1:20:00, but the file is 1:16:40 long',
    ],
  ])('MEDIA-45 a sheet %s splits nothing and says why', (_, text, why) => {
    expect(cut(text)).toEqual({ why });
  });

  test('MEDIA-45 what is no sheet is none', () => {
    for (const text of ['', 'hello', '\0\0\0', 'TRACK', 'FILE "a.wav" WAVE\nTITLE "x"', '"'.repeat(5000)])
      expect(cut(text) === null || 'why' in (cut(text) ?? {})).toBe(true);
  });

  test('MEDIA-44, MEDIA-74 sound before the first track is told of', () => {
    const text = 'FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 00 0:0:0\nINDEX 01 0:33:0\nTRACK 02 AUDIO\nINDEX 01 4:0:0';
    expect(cut(text)).toMatchObject({ note: 'The first 0:33 of the file are in none of its tracks.' });
  });

  test('MEDIA-46 of several files only the names are used, also where a pause ends the file before', () => {
    const text = [
      'PERFORMER A',
      'FILE "01 - One.wav" WAVE',
      'TRACK 01 AUDIO\nTITLE One\nINDEX 01 00:00:00',
      'TRACK 02 AUDIO\nTITLE Two\nINDEX 00 03:00:00',
      'FILE 02 - Two.wav WAVE\nINDEX 01 00:00:00',
    ].join('\n');
    const sheet = parseCue(text);
    if (!sheet) throw new Error('no sheet');
    expect(tagsOfFile(sheet, '02 - two.FLAC')).toEqual({
      artist: 'A',
      albumartist: 'A',
      title: 'Two',
      track: 2,
      tracktotal: 2,
    });
    expect(tagsOfFile(sheet, 'other.flac')).toBeNull();
  });

  test('MEDIA-44, MEDIA-72 a file is named with another ending, in another case, with a folder before it', () => {
    expect(sameStem('D:\\rips\\ALBUM.wav', 'x/album.flac')).toBe(true);
    expect(sameStem('album 2.wav', 'album.wav')).toBe(false);
    expect(sameStem('', '')).toBe(false);
  });

  test('MEDIA-44 titles of UTF-8, UTF-16 and Shift-JIS come out right', () => {
    const text = 'FILE "a.wav" WAVE\nTRACK 01 AUDIO\nTITLE "港の歌"\nINDEX 01 00:00:00';
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer),
    ]);
    const [before = '', after = ''] = text.split('港の歌');
    const bytes = (part: string): number[] => [...new TextEncoder().encode(part)];
    const shiftJis = Uint8Array.from([...bytes(before), 0x8d, 0x60, 0x82, 0xcc, 0x89, 0xcc, ...bytes(after)]);
    for (const encoded of [new TextEncoder().encode(text), utf16, shiftJis])
      expect(parseCue(decodeTextFile(encoded))?.files[0]?.tracks[0]?.title).toBe('港の歌');
  });
});
