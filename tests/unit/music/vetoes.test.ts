import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { Veto } from '#lanes/music/core/match/vetoes.ts';
import { decidedOf, soleVeto } from '../../../scripts/eval/decided.ts';
import { COMPUTER, FIRST, ROAD, catalogOf, file, fillers, filesOf, two, type AlbumPlan } from './small-catalog.ts';

const more = fillers(20);
const of = (...plans: AlbumPlan[]): CatalogIndex => buildCatalogIndex(catalogOf([...plans, ...more]));
const plain = of(ROAD, COMPUTER);
const tagged = filesOf(ROAD, { tagged: true });
const changed = (files: readonly FileEvidence[], change: (entry: FileEvidence, at: number) => Partial<FileEvidence>) =>
  files.map((entry, at) => ({ ...entry, ...change(entry, at) }));
const longer = ({ duration_ms }: FileEvidence, seconds: number): Partial<FileEvidence> => ({
  duration_ms: (duration_ms ?? 0) + seconds * 1000,
});

/** Files of which one would be published as what it is not. */
interface Case {
  kind: Veto['kind'];
  what: string;
  files: FileEvidence[];
  /** Which of the files; the first without it. */
  at?: number;
  index?: CatalogIndex;
  /** A doubt about the whole album asks as well. */
  beside?: true;
}

const DOUBLE: AlbumPlan = {
  title: 'Two Sides',
  artist: 'Valvehead',
  tracks: COMPUTER.tracks.slice(0, 2),
};
const THREE: AlbumPlan = {
  title: 'Three Sides',
  artist: 'Valvehead',
  tracks: COMPUTER.tracks.slice(0, 3),
};
const PARTS: AlbumPlan = {
  title: 'The Long Suite',
  artist: 'Quill',
  tracks: [
    ['Suite Part I', 200],
    ['Suite Part II', 240],
    ['Suite Part III', 310],
    ['Evening', 180],
  ],
};
const VOLUMES = (number: number): AlbumPlan => ({
  title: `Night Drives Vol. ${number}`,
  artist: 'Quill',
  tracks: ROAD.tracks.map(([title, seconds]) => [`${title} of the Night, Part ${number}`, seconds] as const),
});
const sampler = (): CatalogIndex => {
  const catalog = catalogOf([COMPUTER, ...more]);
  const [first, ...albums] = catalog.albums;
  const title = 'Sounds of Autumn';
  return buildCatalogIndex({
    ...catalog,
    albums: first ? [{ ...first, title, artist: 'Various Artists', is_compilation: true }, ...albums] : [],
  });
};

const CASES: Case[] = [
  {
    kind: 'length',
    what: 'an edit that is four seconds shorter',
    files: changed(tagged, (f, n) => (n === 4 ? longer(f, -4) : {})),
    at: 4,
  },
  {
    kind: 'recording',
    what: 'a file of a remake whose own length happens to fit',
    files: changed(tagged, (f, n) => longer(f, n === 2 ? 1 : 6 + (n % 3))),
    at: 2,
  },
  {
    kind: 'untimed',
    what: 'a song whose length nobody knows',
    files: DOUBLE.tracks.map(([title], n) =>
      file(`Valvehead - Two Sides/${two(n + 1)} ${title}.mp3`, null, {
        title,
        artist: 'Valvehead',
        album: 'Two Sides',
        track: n + 1,
      }),
    ),
    index: of(ROAD, DOUBLE),
  },
  {
    kind: 'artist',
    what: 'a cover to the second',
    files: changed(tagged, ({ tags }) => ({ tags: { ...tags, artist: 'Velvet Kazoos' } })),
  },
  {
    kind: 'version',
    what: 'an acoustic take of the same length',
    files: changed(tagged, ({ tags }, n) => (n === 1 ? { tags: { ...tags, title: `${tags.title} (Acoustic)` } } : {})),
    at: 1,
  },
  {
    kind: 'twin',
    what: 'one of two albums that nothing tells apart',
    files: filesOf(ROAD),
    index: of(ROAD, { ...ROAD, year: 1987 }),
    beside: true,
  },
  {
    kind: 'title',
    what: 'a file of another name in the place of a track',
    files: changed(filesOf(THREE, { folder: 'Valvehead - Three Sides/' }), (_, n) =>
      n === 2 ? { path: 'Valvehead - Three Sides/03 - Zzyq Wubbo.flac' } : {},
    ),
    at: 2,
    index: of(ROAD, THREE),
  },
  {
    kind: 'lengths_alone',
    what: 'nameless files with lengths like those of an album',
    files: FIRST.tracks.slice(0, 3).map(([, s], n) => file(`Max Jaxon - Shiver/rec ${two(n + 41)}.mp3`, s + 0.1)),
    index: of(ROAD, FIRST),
  },
  {
    kind: 'edition',
    what: 'the instrumentals of an album',
    files: changed(tagged, ({ tags }) => ({ tags: { ...tags, album: 'Harbour Road (Instrumentals)' } })),
  },
  {
    kind: 'other_album',
    what: 'songs of a volume that the catalog lacks, called like those of another',
    files: filesOf(VOLUMES(3), { tagged: true }),
    index: of(VOLUMES(1), ROAD),
  },
  {
    kind: 'rival',
    what: 'a part of a work with the length of another part',
    files: [
      [0, 200],
      [2, 240],
      [3, 180],
    ].map(([n = 0, s = 0]) =>
      file(`Quill - The Long Suite/${PARTS.tracks[n]?.[0]}.mp3`, s + 0.1, {
        artist: 'Quill',
        title: PARTS.tracks[n]?.[0] ?? '',
        album: 'The Long Suite',
      }),
    ),
    at: 1,
    index: of(PARTS),
  },
  {
    kind: 'alone',
    what: 'a song of the same title by somebody whom nothing names',
    files: [file('Nervous Android.mp3', 383)],
    index: of(ROAD, { title: 'Solo Flight', artist: 'Valvehead', tracks: [['Nervous Android', 383]] }),
  },
  {
    kind: 'compilation',
    what: 'a song that came out elsewhere, taken for a sampler’s',
    files: [file('Valvehead - Nervous Android.mp3', 383.1, { title: 'Nervous Android', artist: 'Valvehead' })],
    index: sampler(),
  },
];

describe('MATCH-108 a veto', () => {
  it.each(CASES)('$kind keeps from approval: $what', ({ kind, files, at = 0, index = plain, beside }) => {
    const { files: matches } = matchBatch({ files, context: { type: 'spontaneous' } }, index);
    const match = matches[at];
    expect(match?.why?.vetoes.map((veto) => veto.kind)).toContain(kind);
    expect(match?.confidence).toBeLessThanOrEqual(0.85);
    // Without it, nothing else would.
    if (match && beside === undefined) expect(soleVeto(decidedOf(match))).toBe(kind);
  });

  it('is in this list, whatever kind it is', () => {
    // The compiler knows when a kind is new.
    const kinds = {
      ...{ length: 1, recording: 1, untimed: 1, artist: 1, version: 1, twin: 1, title: 1 },
      ...{ lengths_alone: 1, edition: 1, other_album: 1, rival: 1, alone: 1, compilation: 1 },
    } satisfies Record<Veto['kind'], 1>;
    expect(CASES.map(({ kind }) => kind).sort()).toEqual(Object.keys(kinds).sort());
  });
});
