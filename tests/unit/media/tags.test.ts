import { expect, it } from 'vitest';
import { pictureType } from '#adapters/media/picture-type.ts';
import { readTags } from '#adapters/media/tags.ts';
import { makeAudio, makeGarbage } from '../../fixtures/audio.ts';
import { encodeLegacy } from '../../fixtures/legacy.ts';

/** An ID3v2.3 tag of text frames in Latin-1 (0) or UTF-16 (1), in front of an MP3. */
function id3(frames: [id: string, encoding: 0 | 1, text: string][]): Uint8Array<ArrayBuffer> {
  const body = Buffer.concat(
    frames.map(([id, encoding, text]) => {
      const value = encoding === 0 ? Buffer.from(text, 'latin1') : Buffer.from(`\ufeff${text}`, 'utf16le');
      const head = Buffer.alloc(11);
      head.write(id, 0, 'latin1');
      head.writeUInt32BE(value.length + 1, 4);
      head[10] = encoding;
      return Buffer.concat([head, value]);
    }),
  );
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return new Uint8Array(Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(size), body]));
}

async function tagsOf(...frames: [id: string, encoding: 0 | 1, text: string][]) {
  const sound = await makeAudio({
    format: 'mp3-noxing',
    seconds: 2,
    encoder: ['-c:a', 'libmp3lame', '-b:a', '32k', '-id3v2_version', '0'],
  });
  return (await readTags(new Blob([id3(frames), sound]))).tags;
}

it('MEDIA-4: track and disc in every form, the year out of a date', async () => {
  expect(await tagsOf(['TRCK', 0, '03/12'], ['TPOS', 0, '2'], ['TDRC', 0, '1997-05-21'])).toMatchObject({
    track: 3,
    tracktotal: 12,
    disc: 2,
    year: 1997,
  });
  expect(await tagsOf(['TRCK', 0, '0'], ['TYER', 0, '1969'])).toEqual({ year: 1969 });
});

it('MEDIA-4, MEDIA-70: UTF-8 under the name of Latin-1 is put right, Latin-1 is left alone', async () => {
  const utf8AsLatin1 = Buffer.from('Björk – Ágætis 漢', 'utf8').toString('latin1');
  const tags = await tagsOf(['TIT2', 0, utf8AsLatin1], ['TPE1', 0, 'Motörhead'], ['TALB', 1, 'アルバム']);
  expect(tags).toEqual({ title: 'Björk – Ágætis 漢', artist: 'Motörhead', album: 'アルバム' });
});

it('MEDIA-60, MEDIA-71 Windows-1251 under the name of Latin-1 is put right, in ID3v2 and ID3v1', async () => {
  const misread = (text: string): string => Buffer.from(encodeLegacy(text, 'windows-1251')).toString('latin1');
  const tags = await tagsOf(['TIT2', 0, misread('Группа крови')], ['TPE1', 0, misread('Кино')], ['TALB', 0, 'Legend']);
  expect(tags).toEqual({ title: 'Группа крови', artist: 'Кино', album: 'Legend' });
  const old = new Uint8Array(128);
  old.set(Buffer.from('TAG'));
  old.set(encodeLegacy('Звезда по имени Солнце', 'windows-1251'), 3);
  old.set(encodeLegacy('Кино', 'windows-1251'), 33);
  const sound = await makeAudio({ format: 'mp3-noxing', seconds: 2, encoder: ['-c:a', 'libmp3lame', '-b:a', '32k'] });
  expect((await readTags(new Blob([sound, old]))).tags).toMatchObject({
    title: 'Звезда по имени Солнце',
    artist: 'Кино',
  });
});

/** What reads as Windows-1251 where it is Latin-1 that somebody wrote: long words of accents. */
const LOOKS_CYRILLIC = Buffer.from(encodeLegacy('Группа крови', 'windows-1251')).toString('latin1');

it.each(['flac', 'm4a', 'ogg'] as const)(
  'MEDIA-60, MEDIA-71 tags of %s are Unicode: nothing in them is guessed at',
  async (format) => {
    const tags = { title: LOOKS_CYRILLIC, artist: 'DIE ÄRZTE', album: 'À la vie, à la mort' };
    const sound = await makeAudio({ format, seconds: 0.2, tags });
    expect((await readTags(new Blob([sound]))).tags).toMatchObject(tags);
  },
);

it('MEDIA-60, MEDIA-71 an ID3 frame in UTF-16 is what it says, beside one that is put right', async () => {
  const tags = await tagsOf(['TIT2', 1, LOOKS_CYRILLIC], ['TPE1', 0, LOOKS_CYRILLIC.slice(0, 6)], ['TCON', 0, 'Ðîê']);
  expect(tags).toEqual({ title: LOOKS_CYRILLIC, artist: 'Группа', genre: 'Рок' });
});

it('MEDIA-4: identifiers as Picard and as others write them', async () => {
  const tags = await tagsOf(
    ['TXXX', 0, 'MusicBrainz Album Id\0one'],
    ['TXXX', 0, 'MUSICBRAINZ_RELEASEGROUPID\0two'],
    ['TXXX', 0, 'BARCODE\x00724385522925'],
    ['TSRC', 0, 'GBAYE9700119'],
    ['TXXX', 0, 'COMPILATION\x001'],
  );
  expect(tags).toEqual({
    compilation: true,
    external_ids: {
      musicbrainz_albumid: 'one',
      musicbrainz_releasegroupid: 'two',
      barcode: '724385522925',
      isrc: 'GBAYE9700119',
    },
  });
});

it('MEDIA-4: blank and endless values', async () => {
  const tags = await tagsOf(['TIT2', 0, '  \0 '], ['TPE1', 0, 'x'.repeat(5_000)]);
  expect(tags.title).toBeUndefined();
  expect(tags.artist).toHaveLength(1_000);
});

it('MEDIA-4: tags that cannot be read are none', async () => {
  expect(await readTags(new Blob([makeGarbage(5_000)]))).toEqual({ tags: {}, cover: null, cue: null });
});

it('MEDIA-4: the type of a picture by its content', () => {
  expect(pictureType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
  expect(pictureType(new TextEncoder().encode('<svg xmlns='))).toBeNull();
});
