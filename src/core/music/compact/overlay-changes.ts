import type { Album, Artist, Track } from '../catalog.ts';
import type { CompactIndex } from './compact-index.ts';
import { lowerBound } from './length-index.ts';
import { SLICE } from './text-index.ts';

/**
 * What became of a catalog since its index was built: records as they are now, and ids of those that are gone. With a
 * record that is new come those that point at it (tracks of a new album, albums of a new artist), changed or not.
 */
export interface CatalogChanges {
  artists: readonly Artist[];
  albums: readonly Album[];
  tracks: readonly Track[];
  gone: { artists: readonly string[]; albums: readonly string[]; tracks: readonly string[] };
}

/** Which rows of the base no longer hold (1), and which albums differ from it. */
export interface Masks {
  artists: Uint8Array;
  /** Albums that differ in their own row or in a track; `touched` names those that are still there. */
  albums: Uint8Array;
  touched: Set<string>;
  tracks: Uint8Array;
  deadTracks: number[];
  /** Titles (documents of the base) that no living track of the base has. */
  titles: Uint8Array;
  /** Entries of the base's lengths. */
  lengths: Uint8Array;
  /** Milliseconds of those entries, rising. */
  deadLengths: Uint32Array;
}

export function* masksOf(base: CompactIndex, changes: CatalogChanges): Generator<void, Masks> {
  const { artists, albums, tracks, titles, lengths } = base.compact;
  const masks: Masks = {
    artists: new Uint8Array(artists.id.length),
    albums: new Uint8Array(albums.id.length),
    touched: new Set(),
    tracks: new Uint8Array(tracks.id.length),
    deadTracks: [],
    titles: new Uint8Array(titles.starts.length - 1),
    lengths: new Uint8Array(lengths.lengths.length),
    deadLengths: new Uint32Array(0),
  };
  const { rows } = base;
  for (const id of [...changes.artists.map((artist) => artist.id), ...changes.gone.artists]) {
    const row = rows.artistRow(id);
    if (row >= 0) masks.artists[row] = 1;
  }
  const goneAlbums = new Set(changes.gone.albums);
  const touch = (id: string): void => {
    const row = rows.albumRow(id);
    if (row >= 0) masks.albums[row] = 1;
    if (!goneAlbums.has(id)) masks.touched.add(id);
  };
  const kill = (row: number): void => {
    if (row < 0 || masks.tracks[row] === 1) return;
    masks.tracks[row] = 1;
    masks.deadTracks.push(row);
  };
  for (const id of changes.gone.albums) {
    touch(id);
    const row = rows.albumRow(id);
    for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) kill(at);
  }
  for (const album of changes.albums) touch(album.id);
  yield;
  const known = new Set(changes.albums.map((album) => album.id));
  for (const [n, { id, album_id }] of [
    ...changes.tracks,
    ...changes.gone.tracks.map((gone) => ({ id: gone, album_id: null })),
  ].entries()) {
    if (n % SLICE === 0) yield;
    const row = rows.trackRow(id);
    if (row >= 0) touch(rows.text(albums.id, tracks.album[row] ?? 0));
    kill(row);
    if (album_id !== null && (known.has(album_id) || rows.albumRow(album_id) >= 0)) touch(album_id);
  }
  if (masks.deadTracks.length > 0) {
    yield* maskTitles(base, masks);
    maskLengths(base, masks);
  }
  return masks;
}

function* maskTitles({ compact }: CompactIndex, masks: Masks): Generator<void, void> {
  const { starts, tracks } = compact.titles;
  for (let doc = 0; doc < masks.titles.length; doc++) {
    if (doc % (SLICE * 100) === 0) yield;
    let at = starts[doc] as number;
    const end = starts[doc + 1] as number;
    while (at < end && masks.tracks[tracks[at] as number] === 1) at++;
    if (at === end) masks.titles[doc] = 1;
  }
}

/** An entry does not say whose it is; of those that are alike in all they hold, any will do. */
function maskLengths({ compact }: CompactIndex, masks: Masks): void {
  const { lengths, albums, positions } = compact.lengths;
  const dead: number[] = [];
  for (const row of masks.deadTracks) {
    const length = (compact.tracks.length[row] ?? 0) - 1;
    if (length < 1) continue;
    dead.push(length);
    for (let at = lowerBound(lengths, length); lengths[at] === length; at++) {
      if (masks.lengths[at] === 1 || albums[at] !== compact.tracks.album[row]) continue;
      if (positions[at] !== compact.tracks.position[row]) continue;
      masks.lengths[at] = 1;
      break;
    }
  }
  masks.deadLengths = Uint32Array.from(dead).sort();
}
