/**
 * The looks that code takes before a model is asked, the same in both strategies: searches with what names and tags
 * say, the tracks of the albums that come up, the open requests.
 */
import type { ToolResult } from '#core/agent/workflow/definition.ts';
import { textKey, textSimilarity } from '#core/text/similarity.ts';
import type { Doubt } from './doubt.ts';
import { readFile } from './read-file.ts';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import * as v from 'valibot';
import {
  AlbumTracksSchema,
  PendingRequestsSchema,
  TrackInfoSchema,
  FoundSchema,
  type AlbumShape,
  type AlbumTracks,
  type PendingRequests,
  type TrackShape,
} from './tools.ts';

/** What the tools have shown so far, read back from a workflow's results. */
export interface Shown {
  /** What searches showed, first met first. */
  albums: AlbumShape[];
  tracks: TrackShape[];
  /** Albums that were read. */
  read: AlbumTracks[];
  requests: PendingRequests['requests'];
}

export function shownBy(results: readonly Pick<ToolResult, 'tool' | 'output'>[]): Shown {
  const albums = new Map<string, AlbumShape>();
  const tracks = new Map<string, TrackShape>();
  const read = new Map<string, AlbumTracks>();
  const requests: PendingRequests['requests'] = [];
  for (const { tool, output } of results) {
    if (tool === 'search_catalog' && v.is(FoundSchema, output)) {
      for (const album of output.albums) if (!albums.has(album.id)) albums.set(album.id, album);
      for (const track of output.tracks) if (!tracks.has(track.id)) tracks.set(track.id, track);
    }
    if (tool === 'get_track_info' && v.is(TrackInfoSchema, output)) tracks.set(output.track.id, output.track);
    if (tool === 'get_album_tracks' && v.is(AlbumTracksSchema, output)) read.set(output.album.id, output);
    if (tool === 'get_pending_requests' && v.is(PendingRequestsSchema, output)) requests.push(...output.requests);
  }
  return { albums: [...albums.values()], tracks: [...tracks.values()], read: [...read.values()], requests };
}

export interface Look {
  tool: string;
  input: Record<string, unknown>;
}

const MOST_QUERIES = 5;
/** Files whose metadata is put on record one by one. */
const MOST_FILES = 3;
/** Albums of searches that are read; the likeliest first. */
const MOST_READ = 8;

export function gather(doubt: Doubt): Look[] {
  const looks: Look[] = doubt.file_ids
    .slice(0, MOST_FILES)
    .map((file_id) => ({ tool: 'get_file_metadata', input: { file_id } }));
  for (const query of queriesOf(doubt)) looks.push({ tool: 'search_catalog', input: { query } });
  for (const album_id of knownAlbums(doubt).slice(0, 6)) looks.push({ tool: 'get_album_tracks', input: { album_id } });
  if (doubt.context.request_id !== null) looks.push({ tool: 'get_pending_requests', input: {} });
  return looks;
}

/** The tracks of what the searches found and the matcher did not name. */
export function gatherMore(doubt: Doubt, results: readonly ToolResult[]): Look[] {
  const shown = shownBy(results);
  const known = knownAlbums(doubt);
  const done = new Set(shown.read.map(({ album }) => album.id));
  const found = new Map<string, number>();
  const wanted = likelyTitle(doubt);
  const note = (id: string, title: string, tracks: number | null): void => {
    if (known.includes(id)) return;
    const named = wanted === null ? 0 : textSimilarity(wanted, textKey(title));
    const files = doubt.file_ids.length;
    const sized = tracks !== null && tracks >= files && tracks <= files * 1.5 + 2 ? 0.3 : 0;
    found.set(id, Math.max(found.get(id) ?? 0, named + sized));
  };
  for (const album of shown.albums) note(album.id, album.title, album.track_count);
  for (const track of shown.tracks) note(track.album_id, track.album, null);
  // Stable: what is as likely stays in the order in which it was found.
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_READ)
    .flatMap(([album_id]) => (done.has(album_id) ? [] : [{ tool: 'get_album_tracks', input: { album_id } }]));
}

function likelyTitle(doubt: Doubt): ReturnType<typeof textKey> | null {
  const text = quiet(doubt.detected.album);
  return text === null ? null : textKey(text);
}

/** What a person would type: artist and album, each alone, and for one file its title. */
function queriesOf(doubt: Doubt): string[] {
  // The album is settled: which of its tracks, is all that is open.
  if (doubt.album !== null) return [];
  const files = doubt.files.map(readFile);
  const [first] = files;
  const artist = quiet(doubt.detected.artist) ?? first?.artist ?? null;
  const album = quiet(doubt.detected.album) ?? first?.album ?? null;
  const title = files.length === 1 ? (first?.titles[0] ?? null) : null;
  const parts = files.length === 1 ? (first?.parts ?? []) : [];
  const wishes = [
    artist !== null && album !== null ? `${artist} ${album}` : null,
    title,
    artist,
    album,
    artist !== null && title !== null ? `${artist} ${title}` : null,
    ...parts,
  ];
  const queries = new Map<string, string>();
  for (const wish of wishes) {
    const query = wish?.trim().slice(0, 200) ?? '';
    const key = textKey(query).compact;
    if (key.length >= 2 && !queries.has(key)) queries.set(key, query);
  }
  return [...queries.values()].slice(0, MOST_QUERIES);
}

/** Albums that the matcher has compared already, best first. */
export function knownAlbums(doubt: Doubt): string[] {
  const ids = [
    ...(doubt.album === null ? [] : [doubt.album.id]),
    ...doubt.albums.map((album) => album.album_id),
    ...doubt.tracks.map((track) => track.album_id),
  ];
  return [...new Set(ids)];
}
