/**
 * A made-up catalog: no name or length is anybody's. Albums are built for what a test needs of them.
 */
import type { CatalogFile, Track } from '#core/music/catalog.ts';

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
  ['Slack Water', 214.2],
  ['Customs House', 187.6],
  ['Eleven Bells', 243.1],
  ['A Letter for the Pilot', 165.8],
  ['Ropewalk', 201.4],
  ['Paper Lanterns', 278.9],
  ['Manifest', 152.3],
  ['Tallow', 196.7],
  ['The Wrong Side of the Quay', 229.5],
  ['Ballast', 174.1],
  ['Low Season', 208.8],
  ['Harbour Lights Out', 312.6],
]);

/** Eighteen tracks, the ninth and the last of one length. */
export const WEIR = album('north-of-the-weir', 'North of the Weir', 'Odd Meridian', 1998, [
  ['Headrace', 121.5],
  ['Ferryman Arithmetic', 94.2],
  ['Willow Code', 133.7],
  ['Sluice', 78.4],
  ['Nine Mile Fog', 146.9],
  ['Heron', 88.1],
  ['Parish Bounds', 112.6],
  ['Millstone Grit', 101.3],
  ['Interlude in Reeds', 47.4],
  ['Eel Trap', 125.8],
  ['Towpath Telegraph', 139.2],
  ['Osier Beds', 83.6],
  ['Gauge Board', 91.7],
  ['The Lock Keeper Sleeps', 152.4],
  ['Undertow Waltz', 118.9],
  ['Silt', 74.5],
  ['Oxbow', 129.3],
  ['Tailrace', 47.4],
]);

const FIRES: Line[] = [
  ['Kindling', 131.2],
  ['Beacon Hill', 158.7],
  ['Smoke Grammar', 104.5],
  ['Answering Light', 172.3],
  ['Tinder', 96.8],
  ['Night Watch', 143.9],
  ['Relay', 119.4],
  ['Embers in Order', 165.1],
  ['False Dawn', 88.6],
  ['Signal Fires', 181.7],
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
  ['Carrier', 61.3],
  ['Dial Glow', 54.8],
  ['Ionosphere', 72.6],
  ['Signing Off', 49.2],
]);

/** One track for each kind of file. */
export const NINE_CRATES = album('nine-crates', 'Nine Crates', 'Dovetail Union', 2007, [
  ['Larch', 52.4],
  ['Walnut', 61.9],
  ['Cherry', 47.7],
  ['Ash', 66.2],
  ['Rowan', 58.5],
  ['Yew', 43.1],
  ['Alder', 71.8],
  ['Hornbeam', 63.3],
  ['Sycamore', 55.6],
]);

/** There to be taken for the right one. */
const DECOYS = [
  album('paper-lanterns-live', 'Paper Boats', 'The Harbour Clerks', 2006, [
    ['Slack Water (Live at the Granary)', 261.4],
    ['Ballast (Live at the Granary)', 219.9],
    ['Eleven Bells (Live at the Granary)', 301.7],
  ]),
  album('copper-year', 'Copper Year', 'Odd Meridian', 2001, [
    ['Oxbow Reprise', 66.3],
    ['Copper Year', 241.2],
    ['Heron Again', 97.5],
    ['Verdigris', 133.3],
  ]),
  album('long-waves', 'Long Waves', 'Ines Ferrow', 2022, [
    ['Ionosphere II', 184.4],
    ['Antenna Farm', 203.8],
    ['Static', 92.7],
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
  ['Rivets', 83.2],
  ['Downspout', 64.9],
  ['Corrugated', 97.4],
  ['Hail on the Byre', 71.1],
  ['Gutter Hymn', 58.3],
  ['Lightning Rod', 92.8],
  ['Sou’wester', 66.7],
  ['Tin Weather', 104.6],
]);
