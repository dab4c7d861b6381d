/**
 * Albums and tracks merged, moved to another album, or removed. What was there before is written down with the change, so
 * that it can be taken back as long as nobody has changed the same rows since.
 *
 *   rows, requests, jobs and the feed in one transaction; audio of what goes becomes former audio of what stays (or of the
 *   removed track's id) -> what stays without audio gets that one, read and hashed anew (restore)
 *
 * A crash between the two leaves a track without audio whose former audio is listed: it can be restored by hand.
 */
import * as v from 'valibot';
import { textKey } from '#core/text/similarity.ts';
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { Keep } from '#server/http/mutate.ts';
import { Indexing } from '#server/search/search-index.ts';
import { appendChanges } from '#server/store/feed.ts';
import { chunks, findRow, findRows, idsOf, writeOf } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { changeAudio, retireFormer } from '../publish/place.ts';
import { restore, unpublish } from '../publish/versions.ts';
import { applyCatalog } from '../store/apply-catalog.ts';
import { existing, NO_AUDIO, tracksOf, type AlbumTable, type TrackTable } from '../store/rows.ts';
import { fulfilRequests } from './requests.ts';

type Deps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'ids'>;

/** A change that can be taken back. */
export interface CatalogEditTable {
  id: string;
  at: number;
  user_id: string;
  kind: EditKind;
  /** JSON (`Kept`). */
  kept: string;
  undone_at: number | null;
}
export type EditKind = 'merged' | 'moved' | 'removed';

declare module '#server/store/schema.ts' {
  interface Database {
    catalog_edits: CatalogEditTable;
  }
}

/** What the log says of it. */
export const REARRANGED = [
  'album.merged',
  'album.removed',
  'track.merged',
  'track.moved',
  'track.removed',
  'catalog.taken_back',
] as const;

/** What a change needs to be taken back. */
interface Kept {
  /** Rows as they were; those that are not there any more are made again. */
  albums: AlbumTable[];
  tracks: TrackTable[];
  requests: DownloadRequest[];
  /** Versions after the change of rows that stayed: another one means that somebody changed them since. */
  after: { id: string; version: number }[];
  /** Tracks that had audio, and what it was: given back from where former audio is kept. */
  audio: { track_id: string; sha256: string }[];
  /** Tracks that got the audio of another one: it is taken from them again. */
  given: { track_id: string; sha256: string }[];
  /** Former audio that went to another track, by what it was listed under. */
  former: { path: string; sha256: string; from: string; to: string }[];
  /** Jobs that say what the other one was made of, by what they said before. Absent in changes from before 0.3. */
  jobs?: { ids: string[]; from: string; to: string }[];
}

const NOTHING: Kept = { albums: [], tracks: [], requests: [], after: [], audio: [], given: [], former: [] };

export interface Edited {
  edit_id: string;
  kind: EditKind;
  /** Ids of what is there no more. */
  gone: string[];
  /** Albums that have something of it now. */
  albums: string[];
}

/** Milliseconds between two lengths of one recording. */
const SAME_LENGTH_MS = 5000;

/** Where the answer of a request is kept for who asks again: with the change, not behind it. */
const KEPT_NOWHERE: Keep = () => Promise.resolve();

/** Removes tracks, with the requests for them. Throws HttpError 404 where one is not there: then nothing is removed. */
export async function removeTracks(deps: Deps, by: Principal, ids: readonly string[]): Promise<Edited> {
  return rearranged(deps, by, 'removed', async (tx) => {
    const tracks: TrackTable[] = [];
    for (const id of new Set(ids)) tracks.push(await existing(tx, 'tracks', id));
    return { tracks, albums: [], into: new Map(), moves: [] };
  });
}

/** Removes an album with its tracks. Throws HttpError 404. */
export async function removeAlbum(deps: Deps, by: Principal, id: string): Promise<Edited> {
  return rearranged(deps, by, 'removed', async (tx) => {
    const album = await existing(tx, 'albums', id);
    return { albums: [album], tracks: await tracksOf(tx, [id]), into: new Map(), moves: [] };
  });
}

/** Moves tracks to another album, behind its last one where their place is taken. Throws HttpError 404, 422. */
export async function moveTracks(
  deps: Deps,
  by: Principal,
  { track_ids, album_id }: { track_ids: readonly string[]; album_id: string },
  keep = KEPT_NOWHERE,
): Promise<Edited> {
  const plan = async (tx: Tx): Promise<Wanted> => {
    const album = await target(tx, album_id);
    const moving: TrackTable[] = [];
    for (const id of new Set(track_ids)) moving.push(await existing(tx, 'tracks', id));
    const others = moving.filter((track) => track.album_id !== album.id);
    return { albums: [], tracks: [], into: new Map(), moves: placed(others, await tracksOf(tx, [album_id]), album) };
  };
  return rearranged(deps, by, 'moved', plan, keep);
}

/** A track becomes another one: its audio where that has none, its requests, its former audio. Throws HttpError 404, 422. */
export async function mergeTracks(
  deps: Deps,
  by: Principal,
  from: string,
  into: string,
  keep = KEPT_NOWHERE,
): Promise<Edited> {
  if (from === into) throw new HttpError('invalid', 'A track cannot be merged with itself.', { status: 422 });
  const plan = async (tx: Tx): Promise<Wanted> => {
    const track = await existing(tx, 'tracks', from);
    const other = await findRow(tx, 'tracks', into);
    if (!other) throw new HttpError('invalid', `"into": there is no track "${into}".`, { status: 422 });
    return { albums: [], tracks: [track], into: new Map([[from, other.id]]), moves: [] };
  };
  return rearranged(deps, by, 'merged', plan, keep);
}

/**
 * An album becomes another one: tracks of one title and length are merged, the others are moved behind its own.
 * Throws HttpError 404, 422.
 */
export async function mergeAlbums(
  deps: Deps,
  by: Principal,
  from: string,
  into: string,
  keep = KEPT_NOWHERE,
): Promise<Edited> {
  if (from === into) throw new HttpError('invalid', 'An album cannot be merged with itself.', { status: 422 });
  const plan = async (tx: Tx): Promise<Wanted> => {
    const album = await existing(tx, 'albums', from);
    const other = await target(tx, into);
    const [own, there] = [await tracksOf(tx, [from]), await tracksOf(tx, [into])];
    const pairs = sameTracks(own, there);
    const rest = own.filter(({ id }) => !pairs.has(id));
    return {
      albums: [album],
      tracks: own.filter(({ id }) => pairs.has(id)),
      into: new Map([...pairs, [from, into]]),
      moves: placed(rest, there, other),
    };
  };
  return rearranged(deps, by, 'merged', plan, keep);
}

async function target(tx: Tx, id: string): Promise<AlbumTable> {
  const album = await findRow(tx, 'albums', id);
  if (!album) throw new HttpError('invalid', `There is no album "${id}" to put them on.`, { status: 422 });
  return album;
}

/** Tracks of one album that are those of another: the same title, and no other length. Each is met once. */
export function sameTracks(
  own: readonly Pick<TrackTable, 'id' | 'title' | 'duration_ms' | 'disc' | 'position'>[],
  there: readonly Pick<TrackTable, 'id' | 'title' | 'duration_ms' | 'disc' | 'position'>[],
): Map<string, string> {
  const free = new Set(there);
  const pairs = new Map<string, string>();
  for (const track of own) {
    const alike = [...free].filter(
      (one) =>
        textKey(one.title).folded === textKey(track.title).folded &&
        (one.duration_ms === null ||
          track.duration_ms === null ||
          Math.abs(one.duration_ms - track.duration_ms) <= SAME_LENGTH_MS),
    );
    const found = alike.find((one) => one.disc === track.disc && one.position === track.position) ?? alike[0];
    if (found === undefined) continue;
    free.delete(found);
    pairs.set(track.id, found.id);
  }
  return pairs;
}

/** The rows of tracks that come to an album: each keeps its place where it is free, else it is behind the last. */
function placed(moving: readonly TrackTable[], there: readonly TrackTable[], album: AlbumTable): TrackTable[] {
  const placeOf = ({ disc, position }: Pick<TrackTable, 'disc' | 'position'>): string => `${disc}/${position}`;
  const taken = new Set(there.map(placeOf));
  return moving.map((track) => {
    const row = { ...track, album_id: album.id };
    if (taken.has(placeOf(row))) {
      const last = Math.max(
        0,
        ...[...taken].flatMap((place) => (place.startsWith(`${row.disc}/`) ? [Number(place.split('/')[1])] : [])),
      );
      row.position = last + 1;
    }
    taken.add(placeOf(row));
    return row;
  });
}

interface Wanted {
  /** Albums and tracks that go. */
  albums: AlbumTable[];
  tracks: TrackTable[];
  /** What those that go are from now on. */
  into: Map<string, string>;
  /** Tracks as they shall be. */
  moves: TrackTable[];
}

/** Carries a change out, and keeps what takes it back. */
async function rearranged(
  deps: Deps,
  by: Principal,
  kind: EditKind,
  plan: (tx: Tx) => Promise<Wanted>,
  keep = KEPT_NOWHERE,
): Promise<Edited> {
  const { store, clock } = deps;
  const edit_id = `ed_${deps.ids.next()}`;
  const done = await store.write(async (tx) => {
    const wanted = await plan(tx);
    const kept = await write(tx, deps, by, wanted, edit_id);
    const row = {
      id: edit_id,
      at: clock.now(),
      user_id: by.user_id,
      kind,
      kept: JSON.stringify(kept),
      undone_at: null,
    };
    await tx.insertInto('catalog_edits').values(row).execute();
    const edited = { edit_id, kind, ...endedAs(wanted) };
    await keep(tx, { status: 200, body: edited });
    return { wanted, kept, edited };
  });
  const { wanted, kept, edited } = done;
  for (const track of wanted.tracks) await retireFormer(deps, track, null);
  for (const { track_id, sha256 } of kept.given) await restore(deps, by, track_id, sha256);
  return edited;
}

const endedAs = ({ albums, tracks, moves, into }: Wanted): Pick<Edited, 'gone' | 'albums'> => ({
  gone: [...idsOf(albums), ...idsOf(tracks)],
  albums: [...new Set([...moves.map(({ album_id }) => album_id), ...into.values()])].filter(
    (id) => !tracks.some((track) => into.get(track.id) === id),
  ),
});

async function write(tx: Tx, deps: Deps, by: Principal, wanted: Wanted, edit_id: string): Promise<Kept> {
  const { albums, tracks, into, moves } = wanted;
  const ended = { at: deps.clock.now(), by: by.user_id };
  const kept: Kept = structuredClone(NOTHING);
  kept.albums.push(...albums);
  kept.tracks.push(...tracks, ...(await findRows(tx, 'tracks', idsOf(moves))).values());
  const gone = [...idsOf(albums), ...idsOf(tracks)];

  // Audio first: that it is former audio is written with the change.
  const there = await findRows(tx, 'tracks', [...into.values()]);
  for (const track of tracks) {
    const other = there.get(into.get(track.id) ?? '');
    if (track.audio_sha256 !== null) {
      await changeAudio(tx, track, null, ended);
      kept.audio.push({ track_id: track.id, sha256: track.audio_sha256 });
      const needs = other !== undefined && other.audio_sha256 === null;
      if (needs && !kept.given.some(({ track_id }) => track_id === other.id))
        kept.given.push({ track_id: other.id, sha256: track.audio_sha256 });
    }
    if (other !== undefined) kept.former.push(...(await giveFormer(tx, track.id, other.id)));
  }

  kept.requests.push(...(await moveRequests(tx, gone, into)));
  kept.jobs = await pointJobs(tx, into);

  const writes = moves.flatMap((row) => {
    const before = kept.tracks.find(({ id }) => id === row.id);
    return before === undefined ? [] : (writeOf(before, row) ?? []);
  });
  await applyCatalog(tx, { artists: [], albums: [], tracks: writes });
  kept.after.push(...writes.map(({ row }) => ({ id: row.id, version: row.version })));

  for (const { id } of tracks) await tx.deleteFrom('tracks').where('id', '=', id).execute();
  for (const { id } of albums) await tx.deleteFrom('albums').where('id', '=', id).execute();
  await forgetSearch(tx, albums, tracks);
  await appendChanges(tx, [
    ...tracks.map(({ id }) => ({ kind: 'track' as const, entity_id: id })),
    ...albums.map(({ id }) => ({ kind: 'album' as const, entity_id: id })),
  ]);
  // Those that were merged into what goes now are of where it goes.
  for (const [id, into_id] of into) {
    await tx.updateTable('moved_ids').set({ into_id }).where('into_id', '=', id).execute();
    await tx
      .insertInto('moved_ids')
      .values({ id, into_id, edit_id })
      .onConflict((c) => c.column('id').doUpdateSet({ into_id, edit_id }))
      .execute();
  }
  await grow(tx, [...new Set(moves.map(({ album_id }) => album_id))]);
  await audit(tx, deps, by, wanted, edit_id);
  return kept;
}

async function audit(tx: Tx, deps: Deps, { user_id }: Principal, wanted: Wanted, edit: string): Promise<void> {
  const at = deps.clock.now();
  const line = async (action: (typeof REARRANGED)[number], entity_id: string, details: Record<string, unknown>) =>
    writeAudit(tx, { at, user_id, action, entity_id, details: { ...details, edit } });
  for (const { id, title } of wanted.albums) {
    const into = wanted.into.get(id);
    await (into === undefined ? line('album.removed', id, { title }) : line('album.merged', id, { title, into }));
  }
  for (const { id, title } of wanted.tracks) {
    const into = wanted.into.get(id);
    await (into === undefined ? line('track.removed', id, { title }) : line('track.merged', id, { title, into }));
  }
  for (const { id, title, album_id } of wanted.moves) await line('track.moved', id, { title, album_id });
}

/** Jobs that were matched to what goes are matched to what it became. Answers them as they were. */
async function pointJobs(tx: Tx, into: ReadonlyMap<string, string>): Promise<NonNullable<Kept['jobs']>> {
  const kept: NonNullable<Kept['jobs']> = [];
  for (const [from, to] of into) {
    const jobs = tx.updateTable('ingestion_jobs').set({ matched_track_id: to }).where('matched_track_id', '=', from);
    const ids = idsOf(await jobs.returning('id').execute());
    if (ids.length > 0) kept.push({ ids, from, to });
  }
  return kept;
}

/** And back, but for those that were matched to something else since. */
async function pointJobsBack(tx: Tx, kept: NonNullable<Kept['jobs']>): Promise<void> {
  for (const { ids, from, to } of kept)
    for (const part of chunks(ids))
      await tx
        .updateTable('ingestion_jobs')
        .set({ matched_track_id: from })
        .where('id', 'in', part)
        .where('matched_track_id', '=', to)
        .execute();
}

/** Former audio is listed under the track that the other one became. */
async function giveFormer(tx: Tx, from: string, to: string): Promise<Kept['former']> {
  const rows = await tx.selectFrom('former_media').selectAll().where('track_id', '=', from).execute();
  const moved: Kept['former'] = [];
  for (const { path, sha256 } of rows) {
    const same = tx.selectFrom('former_media').select('path').where('track_id', '=', to);
    if (await same.where('path', '=', path).where('sha256', '=', sha256).executeTakeFirst()) continue;
    const row = tx.updateTable('former_media').set({ track_id: to }).where('track_id', '=', from);
    await row.where('path', '=', path).where('sha256', '=', sha256).execute();
    moved.push({ path, sha256, from, to });
  }
  return moved;
}

/** Requests for what goes: for what it became, or none. Answers them as they were. */
async function moveRequests(tx: Tx, gone: readonly string[], into: ReadonlyMap<string, string>) {
  const kept: DownloadRequest[] = [];
  for (const id of gone) {
    const rows = await tx
      .selectFrom('download_requests')
      .selectAll()
      .where((eb) => eb.or([eb('album_id', '=', id), eb('track_id', '=', id)]))
      .execute();
    for (const row of rows) {
      kept.push(row);
      const to = into.get(id);
      if (to === undefined) await tx.deleteFrom('download_requests').where('id', '=', row.id).execute();
      else {
        const now = row.album_id === id ? { album_id: to } : { track_id: to };
        await tx.updateTable('download_requests').set(now).where('id', '=', row.id).execute();
      }
      await appendChanges(tx, [{ kind: 'download_request', entity_id: row.id }]);
    }
  }
  return kept;
}

/** The albums' counts never say less than is there. */
async function grow(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const album of (await findRows(tx, 'albums', ids)).values()) {
    const tracks = await tracksOf(tx, [album.id]);
    const discs = Math.max(album.discs, ...tracks.map(({ disc }) => disc));
    const write = writeOf(album, { ...album, discs, track_count: Math.max(album.track_count, tracks.length) });
    if (write) await applyCatalog(tx, { artists: [], albums: [write], tracks: [] });
  }
}

async function forgetSearch(tx: Tx, albums: readonly { id: string }[], tracks: readonly { id: string }[]) {
  const indexing = new Indexing(tx, async () => {});
  const known = [
    ...albums.map(({ id }) => ({ kind: 'album', id, texts: [] })),
    ...tracks.map(({ id }) => ({ kind: 'track', id, texts: [] })),
  ];
  await indexing.put({ fresh: [], known });
  await indexing.end();
}

const KeptSchema = v.looseObject({ albums: v.array(v.looseObject({ id: v.string() })) });

/**
 * Takes a change back. Throws HttpError 404, and 409 where it was taken back already or its rows were changed since.
 */
export async function undoEdit(deps: Deps, by: Principal, id: string, keep = KEPT_NOWHERE): Promise<Edited> {
  const { store, clock } = deps;
  const edit = await store.db.selectFrom('catalog_edits').selectAll().where('id', '=', id).executeTakeFirst();
  if (!edit) throw new HttpError('not_found', `There is no change "${id}".`);
  if (edit.undone_at !== null) throw new HttpError('conflict', 'This change was taken back already.');
  const stored: unknown = JSON.parse(edit.kept);
  // Written by `rearranged` alone.
  if (!v.is(KeptSchema, stored)) throw new Error(`the change ${id} cannot be read`);
  const kept = stored as unknown as Kept;
  const given = new Set(kept.given.map(({ track_id }) => track_id));
  await refuseChanged(store.db, kept);
  for (const track_id of given) await unpublish(deps, by, track_id);
  const edited: Edited = {
    ...{ edit_id: id, kind: edit.kind, gone: [] },
    albums: [...new Set([...idsOf(kept.albums), ...kept.tracks.map(({ album_id }) => album_id)])],
  };
  await store.write(async (tx) => {
    await refuseChanged(tx, kept);
    const there = await findRows(tx, 'tracks', idsOf(kept.tracks));
    const albums = kept.albums.map((row) => ({ row: { ...row, version: row.version + 1 }, before: null }));
    const tracks = kept.tracks.map((row) => {
      const before = there.get(row.id) ?? null;
      const version = (before?.version ?? row.version) + 1;
      return { row: before === null ? { ...row, ...NO_AUDIO, version } : { ...row, version }, before };
    });
    await applyCatalog(tx, { artists: [], albums, tracks });
    for (const row of kept.requests) {
      await tx
        .insertInto('download_requests')
        .values(row)
        .onConflict((c) => c.column('id').doUpdateSet({ album_id: row.album_id, track_id: row.track_id }))
        .execute();
      await appendChanges(tx, [{ kind: 'download_request', entity_id: row.id }]);
    }
    for (const { path, sha256, from, to } of kept.former) {
      const row = tx.updateTable('former_media').set({ track_id: from }).where('track_id', '=', to);
      await row.where('path', '=', path).where('sha256', '=', sha256).execute();
    }
    await pointJobsBack(tx, kept.jobs ?? []);
    await tx.deleteFrom('moved_ids').where('edit_id', '=', id).execute();
    await tx.updateTable('catalog_edits').set({ undone_at: clock.now() }).where('id', '=', id).execute();
    const line = { at: clock.now(), user_id: by.user_id, action: 'catalog.taken_back' } as const;
    await writeAudit(tx, { ...line, entity_id: id, details: { kind: edit.kind } });
    await keep(tx, { status: 200, body: edited });
  });
  if (kept.audio.length === 0) return edited;
  for (const { track_id, sha256 } of kept.audio) await restore(deps, by, track_id, sha256);
  await store.write(async (tx) => {
    for (const { id: track, album_id } of kept.tracks) await fulfilRequests(tx, { id: track, album_id }, clock.now());
  });
  return edited;
}

async function refuseChanged(db: Reader, kept: Kept): Promise<void> {
  const rows = await findRows(
    db,
    'tracks',
    kept.after.map(({ id }) => id),
  );
  const changed = kept.after.find(({ id, version }) => rows.get(id)?.version !== version);
  if (changed !== undefined)
    throw new HttpError('conflict', `"${changed.id}" was changed since; this change cannot be taken back.`);
  const albums = new Set(idsOf(kept.albums));
  const wanted = [...new Set(kept.tracks.map(({ album_id }) => album_id))].filter((id) => !albums.has(id));
  const there = await findRows(db, 'albums', wanted);
  const lost = wanted.find((id) => !there.has(id));
  if (lost !== undefined)
    throw new HttpError('conflict', `The album "${lost}" is not there any more; take its removal back first.`);
}

/** Albums of one title and artist, each group with what tells them apart; the largest groups first. */
export async function twins(db: Reader, limit: number): Promise<{ title: string; artist: string; ids: string[] }[]> {
  const keys = await db
    .selectFrom('albums')
    .select(['sort_key', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('sort_key')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .orderBy('count', 'desc')
    .orderBy('sort_key')
    .limit(limit)
    .execute();
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('albums')
    .select(['id', 'title', 'artist', 'sort_key'])
    .where(
      'sort_key',
      'in',
      keys.map(({ sort_key }) => sort_key),
    )
    .orderBy('id')
    .execute();
  const groups = Map.groupBy(rows, ({ sort_key }) => sort_key);
  return keys.flatMap(({ sort_key }) => {
    const [first, ...others] = groups.get(sort_key) ?? [];
    return first === undefined ? [] : [{ title: first.title, artist: first.artist, ids: idsOf([first, ...others]) }];
  });
}
