/**
 * A made-up catalog: no name or length is anybody's. Albums are built for what a test needs of them.
 */
import type { CatalogFile, Track } from '#lanes/music/core/catalog.ts';

export interface MadeUpAlbum {
  id: string;
  title: string;
  artist: string;
  year: number;
  tracks: Track[];
}

/** Title and length in seconds, in playing order. */
type Line = [title: string, seconds: number];

function album(id: string, title: string, artist: string, year: number, lines: Line[]): MadeUpAlbum {
  const tracks = lines.map(([name, seconds], index): Track => ({
    id: `${id}-${String(index + 1).padStart(2, '0')}`,
    album_id: id,
    title: name,
    artist_id: slug(artist),
    artist,
    disc: 1,
    position: index + 1,
    duration_ms: Math.round(seconds * 1000),
    availability: 'missing',
  }));
  return { id, title, artist, year, tracks };
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}

/** Twelve tracks, nothing special: the album that goes through without a question. */
export const PAPER_LANTERNS = album('paper-lanterns', 'Paper Lanterns', 'The Harbour Clerks', 2004, [
  ['Slack Water', 29.5],
  ['Customs House', 22.9],
  ['Eleven Bells', 36.8],
  ['A Letter for the Pilot', 17.5],
  ['Ropewalk', 26.4],
  ['Paper Lanterns', 45.7],
  ['Manifest', 14.1],
  ['Tallow', 25.2],
  ['The Wrong Side of the Quay', 33.4],
  ['Ballast', 19.5],
  ['Low Season', 28.2],
  ['Harbour Lights Out', 54.2],
]);

/** Eighteen tracks, the ninth and the last of one length. */
export const WEIR = album('north-of-the-weir', 'North of the Weir', 'Odd Meridian', 1998, [
  ['Headrace', 49.8],
  ['Ferryman Arithmetic', 36.1],
  ['Willow Code', 55.8],
  ['Sluice', 28.2],
  ['Nine Mile Fog', 62.5],
  ['Heron', 33],
  ['Parish Bounds', 45.3],
  ['Millstone Grit', 39.6],
  ['Interlude in Reeds', 12.4],
  ['Eel Trap', 51.9],
  ['Towpath Telegraph', 58.6],
  ['Osier Beds', 30.8],
  ['Gauge Board', 34.9],
  ['The Lock Keeper Sleeps', 65.2],
  ['Undertow Waltz', 48.5],
  ['Silt', 26.2],
  ['Oxbow', 53.7],
  ['Tailrace', 12.4],
]);

const FIRES: Line[] = [
  ['Kindling', 61.2],
  ['Beacon Hill', 88.7],
  ['Smoke Grammar', 34.5],
  ['Answering Light', 102.3],
  ['Tinder', 26.8],
  ['Night Watch', 73.9],
  ['Relay', 49.4],
  ['Embers in Order', 95.1],
  ['False Dawn', 18.6],
  ['Signal Fires', 111.7],
];
const DRY: string[] = [
  'Cracked Map',
  'Well Song',
  'Dust Ledger',
  'Hundred Degrees',
  'Thistle',
  'The Cistern',
  'Mirage Club',
  'Borrowed Rain',
  'Salt Line',
  'Dry Season',
];
/** How much longer each track of Dry Season is than the one of Signal Fires. Seconds. */
const DRY_LONGER = 0.8;

/** Two albums that ten track lengths cannot tell apart. */
export const SIGNAL_FIRES = album('signal-fires', 'Signal Fires', 'Mara Quill', 2011, FIRES);
export const DRY_SEASON = album(
  'dry-season',
  'Dry Season',
  'Mara Quill',
  2014,
  FIRES.map(([, seconds], index): Line => [DRY[index] ?? '', seconds + DRY_LONGER]),
);
/** Ten lengths between the two. Seconds. */
export const AMBIGUOUS_SECONDS = FIRES.map(([, seconds]) => seconds + DRY_LONGER / 2);

/** Four tracks: the smallest album, for what is about the way and not about the matching. */
export const SHORT_WAVES = album('short-waves', 'Short Waves', 'Ines Ferrow', 2019, [
  ['Carrier', 31.3],
  ['Dial Glow', 24.8],
  ['Ionosphere', 42.6],
  ['Signing Off', 19.2],
]);

/** One track for each kind of file. */
export const NINE_CRATES = album('nine-crates', 'Nine Crates', 'Dovetail Union', 2007, [
  ['Larch', 22.4],
  ['Walnut', 31.9],
  ['Cherry', 17.7],
  ['Ash', 36.2],
  ['Rowan', 28.5],
  ['Yew', 13.1],
  ['Alder', 41.8],
  ['Hornbeam', 33.3],
  ['Sycamore', 25.6],
]);

/** There to be taken for the right one. */
const DECOYS = [
  album('paper-lanterns-live', 'Paper Boats', 'The Harbour Clerks', 2006, [
    ['Slack Water (Live at the Granary)', 41.3],
    ['Ballast (Live at the Granary)', 31],
    ['Eleven Bells (Live at the Granary)', 51.4],
  ]),
  album('copper-year', 'Copper Year', 'Odd Meridian', 2001, [
    ['Oxbow Reprise', 22.1],
    ['Copper Year', 109.6],
    ['Heron Again', 37.8],
    ['Verdigris', 55.7],
  ]),
  album('long-waves', 'Long Waves', 'Ines Ferrow', 2022, [
    ['Ionosphere II', 154.4],
    ['Antenna Farm', 173.8],
    ['Static', 62.7],
  ]),
];

const ALBUMS = [PAPER_LANTERNS, WEIR, SIGNAL_FIRES, DRY_SEASON, SHORT_WAVES, NINE_CRATES, ...DECOYS];

export const CATALOG: CatalogFile = {
  artists: [...new Set(ALBUMS.map(({ artist }) => artist))].map((name) => ({ id: slug(name), name })),
  albums: ALBUMS.map(({ id, title, artist, year }) => ({ id, title, artist_id: slug(artist), artist, year })),
  tracks: ALBUMS.flatMap(({ tracks }) => tracks.map(({ availability: _, ...track }) => track)),
};

/** In no catalog. */
export const TIN_WEATHER = album('', 'Tin Weather', 'Gale & Sons', 2016, [
  ['Rivets', 43.2],
  ['Downspout', 24.9],
  ['Corrugated', 57.4],
  ['Hail on the Byre', 31.1],
  ['Gutter Hymn', 18.3],
  ['Lightning Rod', 52.8],
  ['Sou’wester', 26.7],
  ['Tin Weather', 64.6],
]);
