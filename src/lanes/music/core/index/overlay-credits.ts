import type { Album, Artist, Track } from '../catalog.ts';
import type { CompactIndex } from './compact-index.ts';
import { SLICE } from './text-index.ts';

/** Changes beside the base they are laid over. A mask says of a row of the base (1) that it does not hold any more. */
export interface Laid {
  /** Records that changed; tracks of albums that are there. */
  artists: Map<string, Artist>;
  albums: Map<string, Album>;
  tracks: Map<string, Track>;
  goneAlbums: ReadonlySet<string>;
  /** Living albums that differ in anything, in their own row or in a track. */
  touched: Set<string>;
  /** Changed tracks by album, where the base has them in another album or not at all. */
  added: Map<string, string[]>;
  /** Tracks of the base that changed or are gone; of those, in what is searched (`deadTracks`: the same as rows). */
  changed: Uint8Array;
  dead: Uint8Array;
  deadTracks: number[];
  /** Titles (documents of the base) that no living track of the base has; entries of its lengths. */
  titles: Uint8Array;
  lengths: Uint8Array;
  /** Milliseconds of those entries, rising. */
  deadLengths: Uint32Array;
  /** Names of artists; titles and artists of albums. */
  names: Uint8Array;
  texts: Uint8Array;
  /** Albums whose artists differ; of these and new ones, the albums by artist as they are now. */
  credits: Uint8Array;
  creditsOf: Map<string, Set<string>>;
  /** What has to be found that the base does not have. */
  found: { artists: Artist[]; albums: Album[]; tracks: Track[] };
  trackCount: number;
}

/** Notes whose albums those are whose artists changed, pausing (`yield`) every few milliseconds. */
export function* creditSteps(base: CompactIndex, laid: Laid, recredited: Set<string>): Generator<void, void> {
  const { rows, compact } = base;
  const { albums, tracks, strings } = compact;
  yield* addOrphans(base, laid, recredited);
  const texts = new Map<number, string>();
  const artistOf = (at: number): string => {
    const number = tracks.artistId[at] ?? 0;
    const known = texts.get(number) ?? strings.text(number);
    texts.set(number, known);
    return known;
  };
  let done = 0;
  for (const id of recredited) {
    if (done++ % SLICE === 0) yield;
    const row = rows.albumRow(id);
    if (row >= 0) laid.credits[row] = 1;
    const artists = new Set([laid.albums.get(id)?.artist_id ?? rows.text(albums.artistId, row)]);
    for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) {
      if (laid.changed[at] !== 1) artists.add(artistOf(at));
      else {
        const now = laid.tracks.get(rows.text(tracks.id, at));
        if (now?.album_id === id) artists.add(now.artist_id);
      }
    }
    for (const track of laid.added.get(id) ?? []) artists.add(laid.tracks.get(track)?.artist_id ?? '');
    for (const artist of artists) {
      const list = laid.creditsOf.get(artist);
      if (list) list.add(id);
      else laid.creditsOf.set(artist, new Set([id]));
    }
  }
}

/** Albums of the base that credit an artist who came only now: the base does not list them. */
function* addOrphans({ rows, compact }: CompactIndex, laid: Laid, recredited: Set<string>): Generator<void, void> {
  const { artists, albums, tracks, strings } = compact;
  const added = new Set([...laid.artists.keys()].filter((id) => rows.artistRow(id) < 0));
  if (added.size === 0) return;
  const known = new Uint8Array(strings.length);
  for (const number of artists.id) known[number] = 1;
  const take = (number: number, album: number): void => {
    if (known[number] === 1 || !added.has(strings.text(number))) return;
    const id = rows.text(albums.id, album);
    if (!laid.goneAlbums.has(id)) recredited.add(id);
  };
  albums.artistId.forEach(take);
  for (let at = 0; at < tracks.artistId.length; at++) {
    if (at % (SLICE * 100) === 0) yield;
    take(tracks.artistId[at] ?? 0, tracks.album[at] ?? 0);
  }
}
