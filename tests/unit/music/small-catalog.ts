import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';

/** A made-up catalog, small enough to read: what the tests are about stands in each test. */

export interface AlbumPlan {
  title: string;
  artist: string;
  year?: number;
  /** `[title, seconds]`, in order. */
  tracks: readonly (readonly [string, number])[];
}

/** Seconds of a nonsense album that differ from track to track: deterministic, 60 to 400. */
export function lengths(seed: number, count: number): number[] {
  const found: number[] = [];
  let state = seed * 7919 + 13;
  for (let i = 0; i < count; i++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    found.push(60 + (state % 340));
  }
  return found;
}

const SYLLABLES = [
  'bar',
  'den',
  'fol',
  'gri',
  'hun',
  'kel',
  'lom',
  'mav',
  'nor',
  'pil',
  'quo',
  'rit',
  'sab',
  'tuv',
  'wex',
  'zan',
];

/** A word nobody would confuse with another: three syllables by number. */
export function word(number: number): string {
  const pick = (at: number): string => SYLLABLES[Math.floor(number / 16 ** at) % 16] ?? '';
  const text = pick(0) + pick(1) + pick(2);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Albums that only fill the catalog, so that lengths and words have a background to stand out from. */
export function fillers(count: number): AlbumPlan[] {
  return Array.from({ length: count }, (_, album) => ({
    title: `${word(album * 31 + 7)} ${word(album * 17 + 3)}`,
    artist: `${word(album * 13 + 11)} Ensemble`,
    year: 1960 + (album % 60),
    tracks: lengths(album + 100, 10).map(
      (seconds, i) => [`${word(album * 97 + i * 53 + 1)} ${word(album + i * 29)}`, seconds] as const,
    ),
  }));
}

export const ROAD: AlbumPlan = {
  title: 'Harbour Road',
  artist: 'The Tidewalkers',
  year: 1969,
  tracks: [
    ['Come Sailing', 259],
    ['Something Blue', 182],
    ['Silver Hammer', 207],
    ['Oh Lantern', 206],
    ['Garden of Squid', 170],
    ['Want You Near', 467],
    ['Here Comes the Moon', 185],
    ['Because of Rain', 165],
    ['Never Gave the Money', 242],
    ['Sun Prince', 146],
    ['Mean Mister Salt', 66],
    ['Pauline Pam', 72],
    ['Through the Kitchen Window', 117],
    ['Golden Lullabies', 91],
    ['Carry the Freight', 96],
    ['The Finish', 125],
    ['Her Excellency', 91],
  ],
};

export const COMPUTER: AlbumPlan = {
  title: 'Fine Machine',
  artist: 'Valvehead',
  year: 1997,
  tracks: [
    ['Seatbelt', 284],
    ['Nervous Android', 383],
    ['Homesick Visitor', 267],
    ['Exit Theme', 264],
    ['Set Down', 299],
    ['Party Police', 261],
    ['Fitter Louder', 117],
    ['Campaigning', 230],
    ['Climbing the Walls', 285],
    ['No Alarms', 228],
    ['Fortunate', 259],
    ['The Sightseer', 324],
  ],
};

const PATTERN = [225, 252, 238, 301, 199, 275, 341, 187, 263, 294];

/** Two albums whose lengths are nearly the same, and a third that shares most of them. */
export const FIRST: AlbumPlan = {
  title: 'Shiver',
  artist: 'Max Jaxon',
  year: 1982,
  tracks: PATTERN.map((seconds, i) => [`Shiver ${word(i + 900)}`, seconds] as const),
};
export const SECOND: AlbumPlan = {
  title: 'Wicked',
  artist: 'Max Jaxon',
  year: 1987,
  tracks: PATTERN.map((seconds, i) => [`Wicked ${word(i + 1400)}`, seconds + (i % 2 === 0 ? 1 : -1)] as const),
};
export const THIRD: AlbumPlan = {
  title: 'Perilous',
  artist: 'Max Jaxon',
  year: 1991,
  tracks: PATTERN.map((seconds, i) => [`Perilous ${word(i + 2100)}`, i < 7 ? seconds : seconds + 60] as const),
};

/** Catalog rows of the plans; `prefix` goes before every id. */
export function catalogOf(plans: readonly AlbumPlan[], prefix = ''): CatalogFile {
  const artists = new Map<string, string>();
  for (const plan of plans) if (!artists.has(plan.artist)) artists.set(plan.artist, `${prefix}artist-${artists.size}`);
  return {
    artists: [...artists].map(([name, id]) => ({ id, name })),
    albums: plans.map((plan, a) => ({
      id: `${prefix}album-${a}`,
      title: plan.title,
      artist_id: artists.get(plan.artist) ?? '',
      artist: plan.artist,
      year: plan.year ?? null,
    })),
    tracks: plans.flatMap((plan, a) =>
      plan.tracks.map(([title, seconds], i) => ({
        id: `${prefix}track-${a}-${i}`,
        album_id: `${prefix}album-${a}`,
        title,
        artist_id: artists.get(plan.artist) ?? '',
        artist: plan.artist,
        disc: 1,
        position: i + 1,
        duration_ms: seconds * 1000,
      })),
    ),
  };
}

export function file(path: string, seconds: number | null, tags: FileTags = {}): FileEvidence {
  return { file_id: `file ${path}`, path, duration_ms: seconds === null ? null : Math.round(seconds * 1000), tags };
}

export const two = (number: number): string => String(number).padStart(2, '0');

/** Files `NN - Title.ext` of a plan, each a little off in length as encoders are. */
export function filesOf(
  plan: AlbumPlan,
  options: { folder?: string; extension?: string; tagged?: boolean } = {},
): FileEvidence[] {
  const { folder = '', extension = 'flac', tagged = false } = options;
  return plan.tracks.map(([title, seconds], i) =>
    file(
      `${folder}${two(i + 1)} - ${title}.${extension}`,
      seconds + 0.3,
      tagged ? { title, artist: plan.artist, album: plan.title, track: i + 1 } : {},
    ),
  );
}
