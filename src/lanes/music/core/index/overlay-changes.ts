/**
 * What became of a catalog since its index was built, sorted by what it means for that index. Most changes leave
 * what is searched as it is (a track became available): for them the record alone is replaced, nothing is indexed.
 */
import type { Album, Artist, Track } from '../catalog.ts';
import type { CompactIndex } from './compact-index.ts';
import { lowerBound } from './length-index.ts';
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
function* creditSteps(base: CompactIndex, laid: Laid, recredited: Set<string>): Generator<void, void> {
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

/**
 * Records as they are now, and ids of those that are gone. With a record that is new come those that point at it
 * (tracks of a new album, albums of a new artist), changed or not.
 */
export interface CatalogChanges {
  artists: readonly Artist[];
  albums: readonly Album[];
  tracks: readonly Track[];
  gone: { artists: readonly string[]; albums: readonly string[]; tracks: readonly string[] };
}

/** Records that changed, each once as it is now; null where it is gone. */
export class ChangedRecords {
  readonly artists = new Map<string, Artist | null>();
  readonly albums = new Map<string, Album | null>();
  readonly tracks = new Map<string, Track | null>();

  /** Records and deletions, each once. */
  get count(): number {
    return this.artists.size + this.albums.size + this.tracks.size;
  }

  changes(): CatalogChanges {
    const [artists, albums, tracks] = [parted(this.artists), parted(this.albums), parted(this.tracks)];
    const gone = { artists: artists.gone, albums: albums.gone, tracks: tracks.gone };
    return { artists: artists.there, albums: albums.there, tracks: tracks.there, gone };
  }
}

function parted<T>(map: ReadonlyMap<string, T | null>): { there: T[]; gone: string[] } {
  const there: T[] = [];
  const gone: string[] = [];
  for (const [id, row] of map)
    if (row === null) gone.push(id);
    else there.push(row);
  return { there, gone };
}

/** Sorts changes, pausing (`yield`) every few milliseconds. */
export function* layOver(base: CompactIndex, changes: CatalogChanges): Generator<void, Laid> {
  const { artists, albums, tracks, titles, lengths } = base.compact;
  const { rows } = base;
  const laid: Laid = {
    artists: new Map(),
    albums: new Map(),
    tracks: new Map(),
    goneAlbums: new Set(changes.gone.albums),
    touched: new Set(),
    added: new Map(),
    changed: new Uint8Array(tracks.id.length),
    dead: new Uint8Array(tracks.id.length),
    deadTracks: [],
    titles: new Uint8Array(titles.starts.length - 1),
    lengths: new Uint8Array(lengths.lengths.length),
    deadLengths: new Uint32Array(0),
    names: new Uint8Array(artists.id.length),
    texts: new Uint8Array(albums.id.length),
    credits: new Uint8Array(albums.id.length),
    creditsOf: new Map(),
    found: { artists: [], albums: [], tracks: [] },
    trackCount: base.trackCount,
  };
  /** Albums whose artists have to be looked up again. */
  const recredited = new Set<string>();
  const kill = (row: number): void => {
    if (laid.dead[row] === 1) return;
    laid.dead[row] = 1;
    laid.deadTracks.push(row);
  };
  /** A track of the base is another one now, or gone. */
  const change = (row: number): void => {
    if (laid.changed[row] === 1) return;
    laid.changed[row] = 1;
    laid.trackCount--;
  };
  const isThere = (album: string): boolean =>
    laid.albums.has(album) || (rows.albumRow(album) >= 0 && !laid.goneAlbums.has(album));
  const touch = (album: string): void => {
    if (isThere(album)) laid.touched.add(album);
  };

  layArtists(base, changes, laid);
  for (const id of changes.gone.albums) {
    const row = rows.albumRow(id);
    if (row < 0) continue;
    laid.texts[row] = laid.credits[row] = 1;
    for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) {
      change(at);
      kill(at);
    }
  }
  for (const [n, album] of changes.albums.entries()) {
    if (n % SLICE === 0) yield;
    if (laid.albums.has(album.id)) continue;
    laid.albums.set(album.id, album);
    laid.touched.add(album.id);
    const row = rows.albumRow(album.id);
    const before = row < 0 ? null : rows.albumAt(row);
    if (before?.artist_id !== album.artist_id) recredited.add(album.id);
    if (before?.title === album.title && before.artist === album.artist) continue;
    if (row >= 0) laid.texts[row] = 1;
    laid.found.albums.push(album);
  }
  const taken = new Set<string>();
  for (const [n, track] of changes.tracks.entries()) {
    if (n % SLICE === 0) yield;
    if (taken.has(track.id)) continue;
    taken.add(track.id);
    const row = rows.trackRow(track.id);
    const from = row < 0 ? null : rows.text(albums.id, tracks.album[row] ?? 0);
    const stays = from === track.album_id;
    if (row >= 0) change(row);
    if (from !== null) touch(from);
    if (!isThere(track.album_id)) {
      if (row >= 0) kill(row);
      if (from !== null && isThere(from)) recredited.add(from);
      continue;
    }
    laid.tracks.set(track.id, track);
    laid.trackCount++;
    touch(track.album_id);
    if (!stays) {
      const list = laid.added.get(track.album_id);
      if (list) list.push(track.id);
      else laid.added.set(track.album_id, [track.id]);
      recredited.add(track.album_id);
      if (from !== null && isThere(from)) recredited.add(from);
    } else if (rows.text(tracks.artistId, row) !== track.artist_id) recredited.add(track.album_id);
    if (stays && isSearchedAlike(base, row, track)) continue;
    if (row >= 0) kill(row);
    laid.found.tracks.push(track);
  }
  for (const [n, id] of changes.gone.tracks.entries()) {
    if (n % SLICE === 0) yield;
    const row = rows.trackRow(id);
    if (row < 0) continue;
    const album = rows.text(albums.id, tracks.album[row] ?? 0);
    change(row);
    kill(row);
    touch(album);
    if (isThere(album)) recredited.add(album);
  }
  if (laid.deadTracks.length > 0) {
    yield* maskTitles(base, laid);
    yield* maskLengths(base, laid);
  }
  yield* creditSteps(base, laid, recredited);
  return laid;
}

function layArtists({ rows }: CompactIndex, changes: CatalogChanges, laid: Laid): void {
  for (const artist of changes.artists) {
    laid.artists.set(artist.id, artist);
    const row = rows.artistRow(artist.id);
    // A hit of the base is looked up by its id: only another name has to be found anew.
    if (row >= 0 && rows.artistAt(row).name === artist.name) continue;
    if (row >= 0) laid.names[row] = 1;
    laid.found.artists.push(artist);
  }
  for (const id of changes.gone.artists) {
    const row = rows.artistRow(id);
    if (row >= 0) laid.names[row] = 1;
  }
}

/** The same title, length and position: what is searched is in the base. */
function isSearchedAlike({ compact, rows }: CompactIndex, row: number, track: Track): boolean {
  const { tracks } = compact;
  const length = track.duration_ms === null ? 0 : Math.max(0, Math.round(track.duration_ms)) + 1;
  return (
    tracks.length[row] === length &&
    tracks.position[row] === track.position &&
    rows.text(tracks.title, row) === track.title
  );
}

function* maskTitles({ compact }: CompactIndex, laid: Laid): Generator<void, void> {
  const { starts, tracks } = compact.titles;
  for (let doc = 0; doc < laid.titles.length; doc++) {
    if (doc % (SLICE * 100) === 0) yield;
    let at = starts[doc] as number;
    const end = starts[doc + 1] as number;
    while (at < end && laid.dead[tracks[at] as number] === 1) at++;
    if (at === end) laid.titles[doc] = 1;
  }
}

/** An entry does not say whose it is; of those that are alike in all they hold, any will do. */
function* maskLengths({ compact }: CompactIndex, laid: Laid): Generator<void, void> {
  const { lengths, albums, positions } = compact.lengths;
  const dead: number[] = [];
  for (const [n, row] of laid.deadTracks.entries()) {
    if (n % SLICE === 0) yield;
    const length = (compact.tracks.length[row] ?? 0) - 1;
    if (length < 1) continue;
    dead.push(length);
    for (let at = lowerBound(lengths, length); lengths[at] === length; at++) {
      if (laid.lengths[at] === 1 || albums[at] !== compact.tracks.album[row]) continue;
      if (positions[at] !== compact.tracks.position[row]) continue;
      laid.lengths[at] = 1;
      break;
    }
  }
  laid.deadLengths = Uint32Array.from(dead).sort();
}
