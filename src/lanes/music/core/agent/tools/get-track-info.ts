import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import { clock } from '#core/text/duration.ts';
import type { MusicContext } from '../context.ts';
import { fromReplica, quiet, TrackShape, trackShape } from './shapes.ts';

const Input = v.strictObject({ track_id: v.pipe(v.string(), v.description('A track, as T3')) });
const Output = v.strictObject({
  track: TrackShape,
  year: v.nullable(v.number()),
  availability: v.picklist(['missing', 'available']),
});

export const getTrackInfoTool = readTool({
  name: 'get_track_info',
  description: 'Everything about one track: title, artist, album, place on it, length, and whether audio is there.',
  input: Input,
  output: Output,
  limits: { calls: 12 },
  references: { track_id: 'track' },
  shows: ({ track }) => [
    { kind: 'track', id: track.id },
    { kind: 'album', id: track.album_id },
  ],
  render: ({ track, year, availability }, handle) => ({
    track: handle('track', track.id),
    title: quiet(track.title),
    artist: quiet(track.artist),
    album: handle('album', track.album_id),
    album_title: quiet(track.album),
    year,
    disc: track.disc,
    position: track.position,
    length: clock(track.duration_ms),
    audio: availability === 'available' ? 'is there' : 'missing',
  }),
  async execute({ track_id }, { context }: ToolRun<MusicContext>) {
    const track = await context.track(track_id);
    if (!track) return { ok: false, failure: failure('not_found', 'This track is not in the catalog any more.') };
    const album = await context.album(track.album_id);
    return {
      ok: true,
      output: {
        track: trackShape(track, album?.title ?? ''),
        year: album?.year ?? null,
        availability: track.availability,
      },
      provenance: fromReplica(context),
    };
  },
});
