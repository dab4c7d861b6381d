/**
 * Albums and tracks as they are read again and again: one statement each, and the answer is kept until the change feed says
 * that something in it changed. Before each answer the feed is asked how far it is (many who ask at once ask together), so
 * that whatever was committed before is in it, by whichever process.
 */
import { MOST_LISTED } from '#lanes/music/core/catalog.ts';
import { createKept, keptAnswer, type KeptAnswer } from '#server/http/kept-answers.ts';
import { placeAfter, type FeedPlace } from '#server/store/feed.ts';
import { chunks } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { toAlbum, toTrack, type AlbumTable, type TrackTable } from '../store/rows.ts';

/** Bytes of answers that are kept; with what each depends on about twice as many are in memory. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Changes that are looked at one by one; after more, nothing is kept. */
const MOST_CHANGES = 2000;

export function keptReads(db: Reader, mostBytes = MOST_BYTES) {
  const kept = createKept(mostBytes);
  const read = readers(db);
  let place: FeedPlace = { seq: 0, mark: null };
  /** Counts the looks that found something: what was read before one may be older than it. */
  let looks = 0;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  /** A look at the feed that begins after this call. */
  function look(): Promise<void> {
    if (next !== null) return next;
    const own = last.then(() => {
      next = null;
      return catchUp();
    });
    next = own;
    last = own.catch(() => undefined);
    return own;
  }

  async function catchUp(): Promise<void> {
    const { now, isOfHistory } = await placeAfter(db, place);
    if (isOfHistory && now.seq === place.seq && now.mark === place.mark) return;
    const changed = isOfHistory && now.seq - place.seq <= MOST_CHANGES ? await changedSince(place.seq) : null;
    if (changed === null) kept.clear();
    else for (const one of changed) kept.dropOf(one);
    place = now;
    looks += 1;
  }

  /** What changed, and albums in which a changed track is now. */
  async function changedSince(seq: number): Promise<string[]> {
    if (kept.bytes === 0) return [];
    const rows = await db.selectFrom('changes').select(['kind', 'entity_id']).where('seq', '>', seq).execute();
    const changed = rows.map(({ kind, entity_id }) => nameOf(kind, entity_id));
    const tracks = rows.filter(({ kind }) => kind === 'track').map(({ entity_id }) => entity_id);
    for (const part of chunks(tracks)) {
      const albums = db.selectFrom('tracks').select('album_id').distinct().where('id', 'in', part);
      for (const { album_id } of await albums.execute()) changed.push(nameOf('album', album_id));
    }
    return changed;
  }

  async function answer(
    name: string,
    make: () => Promise<{ body: { version: number }; of: readonly string[] } | null>,
  ): Promise<KeptAnswer | null> {
    await look();
    const there = kept.get(name);
    if (there !== null) return there;
    const before = looks;
    const made = await make();
    if (made === null) return null;
    const fresh = keptAnswer(made.body);
    // Something changed while it was read: it is true, and may be old a moment later.
    if (looks === before) kept.put(name, fresh, made.of);
    return fresh;
  }

  return {
    /** An album with its tracks; null: there is none. */
    album: (id: string) =>
      answer(`album/${id}`, async () => {
        const body = await read.album(id);
        if (body === null) return null;
        return { body, of: [nameOf('album', id), ...body.tracks.map((track) => nameOf('track', track.id))] };
      }),
    /** A track with its album's title; null: there is none. */
    track: (id: string) =>
      answer(`track/${id}`, async () => {
        const body = await read.track(id);
        return body === null ? null : { body, of: [nameOf('track', id), nameOf('album', body.album_id)] };
      }),
  };
}

const nameOf = (kind: string, id: string): string => `${kind} ${id}`;

const OF_ALBUM = [
  ...(['id', 'title', 'artist_id', 'artist', 'year', 'is_compilation', 'discs', 'track_count'] as const),
  ...(['external_ids', 'version'] as const),
] as const satisfies (keyof AlbumTable)[];
type OfAlbum = { [K in (typeof OF_ALBUM)[number] as `album_of_${K}`]: AlbumTable[K] };

/** One statement for each, built once. */
function readers(db: Reader) {
  const ofAlbum = OF_ALBUM.map((name) => `albums.${name} as album_of_${name}` as const);
  const album = db
    .selectFrom('albums')
    .leftJoin('tracks', 'tracks.album_id', 'albums.id')
    .selectAll('tracks')
    .select(ofAlbum)
    .where('albums.id', '=', '')
    .orderBy('tracks.disc')
    .orderBy('tracks.position')
    .limit(MOST_LISTED)
    .compile();
  const track = db
    .selectFrom('tracks')
    .innerJoin('albums', 'albums.id', 'tracks.album_id')
    .selectAll('tracks')
    .select(['albums.title as album', 'albums.year as year'])
    .where('tracks.id', '=', '')
    .compile();
  return {
    async album(id: string) {
      const query = { ...album, parameters: [id, ...album.parameters.slice(1)] };
      // The join's columns: a track's, or all null where the album has none.
      const rows = (await db.executeQuery(query)).rows as unknown as (OfAlbum & TrackTable)[];
      const [first] = rows;
      if (first === undefined) return null;
      const row = Object.fromEntries(
        OF_ALBUM.map((name) => [name, first[`album_of_${name}`]]),
      ) as unknown as AlbumTable;
      const tracks = rows.filter((one) => (one.id as string | null) !== null).map(toTrack);
      return { ...toAlbum(row), tracks, version: row.version };
    },
    async track(id: string) {
      const query = { ...track, parameters: [id] };
      const rows = (await db.executeQuery(query)).rows as unknown as (TrackTable & {
        album: string;
        year: number | null;
      })[];
      const [row] = rows;
      if (row === undefined) return null;
      const { album: title, year, output_file_path, audio_duration_ms, version } = row;
      return { ...toTrack(row), album: title, year, output_file_path, audio_duration_ms, version };
    },
  };
}
