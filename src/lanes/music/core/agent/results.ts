/** What the tools have shown so far, read back from a workflow's results. */
import * as v from 'valibot';
import type { ToolResult } from '#core/agent/workflow/definition.ts';
import { AlbumTracksSchema, type AlbumTracks } from './tools/get-album-tracks.ts';
import { PendingRequestsSchema, type PendingRequests } from './tools/get-pending-requests.ts';
import { AlbumShape, TrackShape } from './tools/shapes.ts';

const Found = v.object({ albums: v.array(AlbumShape), tracks: v.array(TrackShape) });
const Info = v.object({ track: TrackShape });

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
    if (tool === 'search_catalog' && v.is(Found, output)) {
      for (const album of output.albums) if (!albums.has(album.id)) albums.set(album.id, album);
      for (const track of output.tracks) if (!tracks.has(track.id)) tracks.set(track.id, track);
    }
    if (tool === 'get_track_info' && v.is(Info, output)) tracks.set(output.track.id, output.track);
    if (tool === 'get_album_tracks' && v.is(AlbumTracksSchema, output)) read.set(output.album.id, output);
    if (tool === 'get_pending_requests' && v.is(PendingRequestsSchema, output)) requests.push(...output.requests);
  }
  return { albums: [...albums.values()], tracks: [...tracks.values()], read: [...read.values()], requests };
}
