import { describe, expect, it } from 'vitest';
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { BatchMatch } from '#lanes/music/core/match/match.types.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, two } from './small-catalog.ts';

const alone = buildCatalogIndex(catalogOf([ROAD, COMPUTER, ...fillers(8)]));
const DELUXE = { ...COMPUTER, title: 'Fine Machine (Deluxe Edition)', year: 2017 };
const both = buildCatalogIndex(catalogOf([ROAD, COMPUTER, DELUXE, ...fillers(8)]));

/** The album's files; `tags` of each by its place; lengths so many seconds off. */
function drop(tags: (at: number) => FileTags, options: { off?: number; folder?: string } = {}): FileEvidence[] {
  const { off = 0.2, folder = 'Valvehead/Fine Machine' } = options;
  return COMPUTER.tracks.map(([title, seconds], i) =>
    file(`${folder}/${two(i + 1)} ${title}.mp3`, seconds + (i % 2 === 0 ? off : -off), {
      ...{ title, artist: 'Valvehead', album: 'Fine Machine', track: i + 1 },
      ...tags(i),
    }),
  );
}

const match = (files: FileEvidence[], index = alone, sameEditions = false): BatchMatch =>
  matchBatch({ files, context: { type: 'spontaneous', sameEditions } }, index);
const committed = ({ files }: BatchMatch): number => files.filter(({ confidence }) => confidence > 0.9).length;

describe('words of an edition', () => {
  it.each(['Remastered', 'Deluxe Edition', 'Bonus Track Version', 'Explicit', 'EP', 'Disc 1'])(
    'MATCH-65: "%s" in one album tag says nothing where the catalog has one edition',
    (word) => {
      const files = drop((at) => (at === 4 ? { album: `Fine Machine (${word})` } : {}));
      expect(committed(match(files))).toBe(files.length);
    },
  );

  it('MATCH-65: in all tags it says nothing where the lengths are those of the one edition', () => {
    expect(committed(match(drop(() => ({ album: 'Fine Machine (Remastered)' }))))).toBe(COMPUTER.tracks.length);
  });

  it('MATCH-70: in all tags, over lengths that leave room for another edition, it is one question about the album', () => {
    const result = match(drop(() => ({ album: 'Fine Machine (Remastered)' }), { off: 1.6 }));
    expect(result.groups.map(({ verdict }) => verdict)).toEqual(['ask_album']);
    expect(committed(result)).toBe(0);
    expect(result.files.flatMap(({ why }) => why?.vetoes ?? [])).toEqual([]);
  });

  it.each(['Remastered 2009', 'Deluxe Edition', 'Explicit'])(
    'MATCH-114: "%s" in all tags is no question where the person said that editions are the same',
    (word) => {
      const files = drop(() => ({ album: `Fine Machine (${word})` }), { off: 1.6 });
      expect(committed(match(files, alone, true))).toBe(COMPUTER.tracks.length);
    },
  );

  it('MATCH-114: it says nothing of a live album, of other lengths, or where the catalog has several editions', () => {
    const live = drop(() => ({ album: 'Fine Machine (Live)' }), { off: 1.6 });
    expect(match(live, alone, true)).toEqual(match(live));
    const longer = drop(() => ({ album: 'Fine Machine (Remastered)' }), { off: 14 });
    expect(committed(match(longer, alone, true))).toBe(0);
    const other = drop(() => ({ album: 'Fine Machine (Remastered)' }), { off: 1.6 });
    expect(match(other, both, true)).toEqual(match(other, both));
  });

  it('MATCH-65: where the catalog has two editions, the one that is named is found, and a stray word changes nothing', () => {
    const files = drop(() => ({ album: 'Fine Machine (Deluxe Edition)' }), { folder: 'Fine Machine (Deluxe Edition)' });
    expect(new Set(match(files, both).files.map(({ track_id }) => track_id?.split('-')[1]))).toEqual(new Set(['2']));
    const stray = match(
      drop((at) => (at === 3 ? { album: 'Fine Machine (Remastered)' } : {})),
      both,
    );
    expect(stray.groups.map(({ album_id }) => album_id)).toEqual(['album-1']);
    const plain = match(
      drop(() => ({})),
      both,
    );
    expect(stray.groups.map(({ confidence }) => confidence)).toEqual(plain.groups.map(({ confidence }) => confidence));
  });

  it('MATCH-71: words of other music strike the files that say them, and no others', () => {
    const result = match(drop((at) => (at < 3 ? { album: 'Fine Machine (Instrumentals)' } : {})));
    expect(committed(result)).toBe(COMPUTER.tracks.length - 3);
  });

  it('MATCH-71: a folder that is called after another album says nothing beside tags that name this one', () => {
    expect(committed(match(drop(() => ({}), { folder: 'Party Remixes (Live)' })))).toBe(COMPUTER.tracks.length);
  });
});

describe('names of artists in tags', () => {
  const by = (artist: string, album = 'Fine Machine', folder?: string): number =>
    committed(match(drop(() => ({ artist, album }), folder === undefined ? {} : { folder })));

  it.each(['Valvehead Tribute Band', 'Symphonic Valvehead', 'The Valvehead Experience', 'Vitamin Valvehead Players'])(
    'MATCH-67: a name inside a longer one is another artist: "%s"',
    (artist) => {
      expect(by(artist)).toBe(0);
    },
  );

  it.each(['Valvehead feat. Ruby Nelson', 'Valvehead & Ruby Nelson', 'Ruby Nelson, Valvehead', 'The Valvehead Band'])(
    'MATCH-67: one of several artists and small words are the same: "%s"',
    (artist) => {
      expect(by(artist)).toBe(COMPUTER.tracks.length);
    },
  );

  it.each(['Valvehead for Solo Piano', 'Plays Valvehead', 'The Music of Valvehead'])(
    'MATCH-66: the folder of a cover names whom it covers: "%s"',
    (album) => {
      expect(by('Nora Bell', album, album)).toBe(0);
    },
  );

  it('MATCH-72: another name in a few tags is a guest, a composer or a mistake', () => {
    const files = drop((at) => (at % 4 === 0 ? { artist: 'J. S. Brook' } : {}));
    expect(committed(match(files))).toBe(files.length);
    expect(committed(match(drop((at) => (at % 4 === 0 ? {} : { artist: 'J. S. Brook' }))))).toBeLessThan(4);
  });

  it('MATCH-83: a name that lost its letters is nobody else', () => {
    expect(by('ã\ufffd\ufffdã\ufffd', 'ã\ufffdã\ufffd')).toBe(COMPUTER.tracks.length);
  });

  it('MATCH-69: "(Clean)" is another version, "[Explicit]" is none', () => {
    expect(committed(match(drop((at) => ({ title: `${COMPUTER.tracks[at]?.[0]} (Clean)` }))))).toBe(0);
    expect(committed(match(drop((at) => ({ title: `${COMPUTER.tracks[at]?.[0]} [Explicit]` }))))).toBe(12);
  });
});
