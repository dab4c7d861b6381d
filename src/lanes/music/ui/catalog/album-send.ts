/** Sends the editor's work to the server: a new album in one request, changes one after the other. */
import { ok, type Result } from '#core/result.ts';
import type { AlbumDraft, TrackDraft } from './album-draft.ts';
import { albumBody, changed, planMoves, trackBody, type Place } from './album-save.ts';
import type { RequestKeys } from '#ui/editor/request-keys.ts';
import { catalog } from '../client.ts';

/** The album that is changed, as it was when the editor opened. */
export interface EditedAlbum {
  id: string;
  artist_id: string;
  /** For `If-Match`; absent when the server could not be asked. */
  version: number | undefined;
}

/** Makes the album with its tracks, all or nothing; answers its id. */
export async function sendNewAlbum(draft: AlbumDraft, keys: RequestKeys): Promise<Result<string>> {
  const body = { ...albumBody(draft), tracks: draft.tracks.map(trackBody) };
  const made = await (await catalog()).createAlbum(body, keys.of(body));
  return made.ok ? ok(made.value.id) : made;
}

/**
 * Sends what differs between `base` and `draft`. `base` follows with every accepted step, so that after a
 * failure in the middle the next call goes on from there. `rename` gives the artist the new name
 * everywhere instead of crediting another one.
 */
export async function sendChanges(
  edited: EditedAlbum,
  base: AlbumDraft,
  draft: AlbumDraft,
  keys: RequestKeys,
  rename: boolean,
): Promise<Result<null>> {
  for (const step of [sendAlbum, sendMoves, sendTracks, sendNewTracks]) {
    const sent = await step({ edited, base, draft, keys, rename });
    if (!sent.ok) return sent;
  }
  return ok(null);
}

interface Work {
  edited: EditedAlbum;
  base: AlbumDraft;
  draft: AlbumDraft;
  keys: RequestKeys;
  rename: boolean;
}

async function sendAlbum({ edited, base, draft, rename }: Work): Promise<Result<null>> {
  const client = await catalog();
  if (rename && albumBody(base).artist !== albumBody(draft).artist) {
    const renamed = await client.patchArtist(edited.artist_id, { name: draft.artist.trim() });
    if (!renamed.ok) return renamed;
    base.artist = draft.artist;
    // The album's row was rewritten with the name.
    edited.version = undefined;
  }
  const patch = changed(albumBody(base), albumBody(draft));
  if (patch === null) return ok(null);
  const sent = await client.patchAlbum(edited.id, patch, edited.version);
  if (!sent.ok) return sent;
  edited.version = sent.value.version;
  const { title, artist, year, is_compilation } = draft;
  Object.assign(base, { title, artist, year, is_compilation });
  return ok(null);
}

async function sendMoves({ base, draft, edited }: Work): Promise<Result<null>> {
  const client = await catalog();
  for (const { id, disc, position } of planMoves(places(base), places(draft))) {
    const sent = await client.patchTrack(id, { disc, position });
    if (!sent.ok) return sent;
    edited.version = undefined;
    const row = base.tracks.find((track) => track.id === id);
    if (row) Object.assign(row, { disc: String(disc), position: String(position) });
  }
  return ok(null);
}

async function sendTracks({ base, draft }: Work): Promise<Result<null>> {
  const client = await catalog();
  for (const row of draft.tracks) {
    const before = base.tracks.find((track) => track.id !== null && track.id === row.id);
    if (before === undefined || row.id === null) continue;
    // An emptied artist is the album's again, and that has to be said by name.
    const credited = (track: TrackDraft) => ({
      ...trackBody(track),
      artist: track.artist.trim() || draft.artist.trim(),
    });
    const patch = changed(credited(before), credited(row));
    if (patch === null) continue;
    const sent = await client.patchTrack(row.id, patch);
    if (!sent.ok) return sent;
    Object.assign(before, row);
  }
  return ok(null);
}

async function sendNewTracks({ edited, base, draft, keys }: Work): Promise<Result<null>> {
  const client = await catalog();
  for (const row of draft.tracks.filter((track) => track.id === null)) {
    const body = { album_id: edited.id, ...trackBody(row) };
    const made = await client.createTrack(body, keys.of(body));
    if (!made.ok) return made;
    edited.version = undefined;
    row.id = made.value.id;
    base.tracks.push({ ...row });
  }
  return ok(null);
}

function places(draft: AlbumDraft): Place[] {
  return draft.tracks.flatMap(({ id, disc, position }) =>
    id === null ? [] : [{ id, disc: Number(disc), position: Number(position) }],
  );
}
