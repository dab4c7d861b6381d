/**
 * Albums whose titles or lengths are hard by themselves: movements, chapters, numbers, cues, one song many times, the
 * same recordings on an album and a best-of. Beside the synthetic catalog, because chance makes few of them.
 */
import type { Album, CatalogFile } from '#lanes/music/core/catalog.ts';
import { seeded, type Random } from './random.ts';
import { VOCABULARIES } from './words.ts';

type Line = [title: string, milliseconds: number, artist?: string];

const EACH = 8;
const KEYS = ['C major', 'D minor', 'E-flat major', 'F minor', 'G major', 'A minor', 'B-flat major'];
const TEMPI = ['Allegro', 'Andante', 'Adagio', 'Menuetto', 'Scherzo', 'Presto', 'Largo', 'Rondo', 'Allegro molto'];
const CUES = ['Main Title', 'The Chase', 'Arrival', 'Finale', 'End Credits', 'Aftermath', 'The Letter', 'Escape'];
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI'];

/** A few albums of each kind; ids begin with `sp_`, so that they stand beside other catalogs. */
export function specialCatalog(seed: number): CatalogFile {
  const random = seeded(seed);
  const out: CatalogFile = { artists: [], albums: [], tracks: [] };
  for (let n = 0; n < EACH; n++) {
    const name = people(random);
    const artist = { id: `sp_ar_${n}`, name };
    out.artists.push(artist);
    for (const [title, discs] of albumsOf(random, name)) {
      const id = `sp_al_${out.albums.length}`;
      const count = discs.reduce((sum, disc) => sum + disc.length, 0);
      const album: Album = {
        id,
        title,
        artist_id: artist.id,
        artist: name,
        year: 1970 + random.below(50),
        is_compilation: false,
        discs: discs.length,
        track_count: count,
      };
      out.albums.push(album);
      discs.forEach((lines, d) => {
        lines.forEach(([line, milliseconds, by], p) => {
          out.tracks.push({
            id: `${id}_${d + 1}_${p + 1}`,
            album_id: id,
            title: line,
            artist_id: artist.id,
            artist: by ?? name,
            disc: d + 1,
            position: p + 1,
            duration_ms: milliseconds,
          });
        });
      });
    }
  }
  return out;
}

const vocabulary = VOCABULARIES[0];
const people = (random: Random): string =>
  vocabulary ? `${random.pick(vocabulary.given)} ${random.pick(vocabulary.family)}` : '';
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function albumsOf(random: Random, artist: string): [title: string, discs: Line[][]][] {
  const word = (): string => capital(vocabulary ? random.pick(vocabulary.words) : '');
  const song = (): string => Array.from({ length: 1 + random.below(3) }, word).join(' ');
  const around = (middle: number): number => Math.round(middle * Math.exp(0.3 * random.normal()));
  const lines = (count: number, title: (n: number) => string, middle = 230_000): Line[] =>
    Array.from({ length: count }, (_, n) => [title(n), around(middle)]);
  const studio = lines(11, song);
  const other = lines(10, song);
  const again = (list: readonly Line[], name: (title: string) => string, longer: () => number): Line[] =>
    list.map(([title, length]) => [name(title), Math.round(length * longer())]);
  const one = song();
  const title = song();
  return [
    [`${title} Symphonies`, [0, 1].map((disc) => [0, 1, 2].flatMap((at) => symphony(random, disc * 3 + at, around)))],
    [`${song()} (Unabridged)`, [lines(24, (n) => `Chapter ${n + 1}`, 900_000)]],
    [song(), [lines(12, (n) => `${n + 1}`)]],
    [`${song()} (Original Motion Picture Soundtrack)`, [lines(18, (n) => CUES[n] ?? song(), 110_000)]],
    [`${word()} Mix`, [lines(14, () => `${song()} (${word()} Remix)`, 290_000)]],
    [`${one} (Remixes)`, [lines(6, () => `${one} (${word()} Remix)`, 330_000)]],
    [title, [studio]],
    [artist, [other]],
    [`The Best of ${artist}`, [[...studio.slice(0, 6), ...other.slice(0, 6)]]],
    [
      `Live at the ${word()}`,
      [0, 1].map((half) =>
        again(
          [...studio, ...other].slice(half * 10, half * 10 + 10),
          (name) => name,
          () => 1.05 + 0.2 * random.next(),
        ),
      ),
    ],
    [
      `${studio[0]?.[0] ?? one} (Single)`,
      [
        [
          ...again(
            studio.slice(0, 1),
            (name) => `${name} (Radio Edit)`,
            () => 0.8,
          ),
          ...studio.slice(0, 1),
        ],
      ],
    ],
  ];
}

function symphony(random: Random, at: number, around: (middle: number) => number): Line[] {
  const key = random.pick(KEYS);
  return ROMAN.slice(0, 4).map((number) => [
    `Symphony No. ${at + 1} in ${key}, Op. ${20 + at}: ${number}. ${random.pick(TEMPI)}`,
    around(480_000),
  ]);
}
