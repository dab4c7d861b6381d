/** The tools of the music workflow: looks into the catalog and at the doubt's files, and how it ends. */
import * as v from 'valibot';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { decideTool, readTool, wordTool } from '#core/agent/tools/make-tool.ts';
import type { ToolOutcome, ToolRun } from '#core/agent/tools/tool.ts';
import { failure, type FailureCode } from '#core/errors.ts';
import { clock } from '#core/text/duration.ts';
import type { Album, Track } from '../catalog.ts';
import type { MusicContext } from './context.ts';

type Run = ToolRun<MusicContext>;

/** What the tools' answers are made of. */
export const AlbumShape = v.object({
  id: v.string(),
  title: v.string(),
  artist: v.string(),
  year: v.nullable(v.number()),
  track_count: v.number(),
});
export type AlbumShape = v.InferOutput<typeof AlbumShape>;
const albumShape = (album: Album): AlbumShape => v.parse(AlbumShape, album);

export const TrackShape = v.object({
  id: v.string(),
  album_id: v.string(),
  album: v.string(),
  title: v.string(),
  artist: v.string(),
  disc: v.number(),
  position: v.number(),
  duration_ms: v.nullable(v.number()),
});
export type TrackShape = v.InferOutput<typeof TrackShape>;
const trackShape = (track: Track, album: string): TrackShape => v.parse(TrackShape, { ...track, album });

/** A result from the replica as it is now. */
function seen<Output>(context: MusicContext, output: Output): ToolOutcome<Output> {
  return { ok: true, output, provenance: [{ source: 'replica', ref: `cursor ${context.cursor()}` }] };
}

function refused(code: FailureCode, why: string): ToolOutcome<never> {
  return { ok: false, failure: failure(code, why) };
}

const gone = (what: 'album' | 'track'): ToolOutcome<never> =>
  refused('not_found', `This ${what} is not in the catalog any more.`);

const named = (description: string) => v.pipe(v.string(), v.description(description));
const sentence = (description: string) => v.pipe(v.string(), v.maxLength(600), v.description(description));

export const FoundSchema = v.strictObject({ albums: v.array(AlbumShape), tracks: v.array(TrackShape) });

/** An artist's whole work is worth seeing: the matcher looks at the first sixteen albums of one. */
const MOST_FOUND = { albums: 24, tracks: 10 };

export const searchCatalogTool = readTool({
  name: 'search_catalog',
  description:
    'Search the catalog for albums and tracks by name. Spelling may be off. Try the artist alone when an album is not found.',
  input: v.strictObject({
    query: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.description('Name of an album, a track or an artist, or two of them together'),
    ),
  }),
  output: FoundSchema,
  limits: { calls: 12 },
  shows: ({ albums, tracks }) => [
    ...albums.map(({ id }) => ({ kind: 'album', id })),
    ...tracks.flatMap(({ id, album_id }) => [
      { kind: 'track', id },
      { kind: 'album', id: album_id },
    ]),
  ],
  render: ({ albums, tracks }, handle) => ({
    albums: albums.map((album) => ({
      album: handle('album', album.id),
      title: quiet(album.title),
      artist: quiet(album.artist),
      year: album.year,
      tracks: album.track_count,
    })),
    tracks: tracks.map((track) => ({
      track: handle('track', track.id),
      title: quiet(track.title),
      artist: quiet(track.artist),
      album: quiet(track.album),
      length: clock(track.duration_ms),
    })),
  }),
  async execute({ query }, { context }: Run) {
    const found = await context.search(query, MOST_FOUND);
    const tracks: TrackShape[] = [];
    for (const track of found.tracks)
      tracks.push(trackShape(track, (await context.album(track.album_id))?.title ?? ''));
    return seen(context, { albums: found.albums.map(albumShape), tracks });
  },
});

export const TrackInfoSchema = v.strictObject({
  track: TrackShape,
  year: v.nullable(v.number()),
  availability: v.picklist(['missing', 'available']),
});

export const getTrackInfoTool = readTool({
  name: 'get_track_info',
  description: 'Everything about one track: title, artist, album, place on it, length, and whether audio is there.',
  input: v.strictObject({ track_id: named('A track, as T3') }),
  output: TrackInfoSchema,
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
  async execute({ track_id }, { context }: Run) {
    const track = await context.track(track_id);
    if (!track) return gone('track');
    const album = await context.album(track.album_id);
    const { availability } = track;
    return seen(context, { track: trackShape(track, album?.title ?? ''), year: album?.year ?? null, availability });
  },
});

/** A box of a hundred works is told apart long before its end. */
const MOST_TRACKS = 120;

export const AlbumTracksSchema = v.strictObject({
  album: AlbumShape,
  tracks: v.array(TrackShape),
  /** Tracks that were left out of a very long album. */
  more: v.number(),
});
export type AlbumTracks = v.InferOutput<typeof AlbumTracksSchema>;

export const getAlbumTracksTool = readTool({
  name: 'get_album_tracks',
  description: 'All tracks of one album in order, with their lengths.',
  input: v.strictObject({ album_id: named('An album, as A2') }),
  output: AlbumTracksSchema,
  limits: { calls: 24 },
  references: { album_id: 'album' },
  shows: ({ album, tracks }) => [{ kind: 'album', id: album.id }, ...tracks.map(({ id }) => ({ kind: 'track', id }))],
  render: ({ album, tracks, more }, handle) => ({
    album: handle('album', album.id),
    title: quiet(album.title),
    artist: quiet(album.artist),
    year: album.year,
    tracks: tracks.map(
      (track) =>
        `${handle('track', track.id)} ${track.disc > 1 ? `${track.disc}-` : ''}${track.position} ${quiet(track.title) ?? '?'} ${clock(track.duration_ms)}`,
    ),
    ...(more > 0 ? { more } : {}),
  }),
  async execute({ album_id }, { context }: Run) {
    const album = await context.album(album_id);
    if (!album) return gone('album');
    const tracks = album.tracks.slice(0, MOST_TRACKS).map((track) => trackShape(track, album.title));
    return seen(context, { album: albumShape(album), tracks, more: album.tracks.length - tracks.length });
  },
});

const MOST_REQUESTS = 20;

export const PendingRequestsSchema = v.strictObject({
  requests: v.array(
    v.strictObject({
      id: v.string(),
      album_id: v.nullable(v.string()),
      track_id: v.nullable(v.string()),
      /** Name of what is wanted, where the catalog knows it. */
      wants: v.nullable(v.string()),
    }),
  ),
});
export type PendingRequests = v.InferOutput<typeof PendingRequestsSchema>;

export const getPendingRequestsTool = readTool({
  name: 'get_pending_requests',
  description: 'Albums and tracks that people asked for and that are still missing.',
  input: v.strictObject({}),
  output: PendingRequestsSchema,
  limits: { calls: 2 },
  shows: ({ requests }) =>
    requests.flatMap(({ id, album_id, track_id }) => [
      { kind: 'request', id },
      ...(album_id === null ? [] : [{ kind: 'album', id: album_id }]),
      ...(track_id === null ? [] : [{ kind: 'track', id: track_id }]),
    ]),
  render: ({ requests }, handle) => ({
    requests: requests.map((request) => ({
      request: handle('request', request.id),
      ...(request.album_id === null ? {} : { album: handle('album', request.album_id) }),
      ...(request.track_id === null ? {} : { track: handle('track', request.track_id) }),
      wants: quiet(request.wants),
    })),
  }),
  async execute(_input, { context }: Run) {
    const requests: PendingRequests['requests'] = [];
    for (const { id, album_id, track_id } of (await context.requests()).slice(0, MOST_REQUESTS)) {
      const track = track_id === null ? null : await context.track(track_id);
      const album = album_id === null ? null : await context.album(album_id);
      requests.push({ id, album_id, track_id, wants: track?.title ?? album?.title ?? null });
    }
    return seen(context, { requests });
  },
});

const text = v.nullable(v.string());
const number = v.nullable(v.number());

export const getFileMetadataTool = readTool({
  name: 'get_file_metadata',
  description: 'What was read from one uploaded file: name, folder, length, title, artist, album, number.',
  input: v.strictObject({ file_id: named('A file, as F1') }),
  /** SAFE: names and numbers only. Comments, lyrics and other free tags are no evidence and never get here. */
  output: v.strictObject({
    ...{ file_id: v.string(), name: v.string(), folder: text, duration_ms: number },
    ...{ title: text, artist: text, album: text, track: number, disc: number, year: number },
  }),
  limits: { calls: 12 },
  references: { file_id: 'file' },
  shows: ({ file_id }) => [{ kind: 'file', id: file_id }],
  render: ({ file_id, name, folder, duration_ms, title, artist, album, ...numbers }, handle) => ({
    file: handle('file', file_id),
    name: quiet(name),
    folder: quiet(folder),
    length: clock(duration_ms),
    title: quiet(title),
    artist: quiet(artist),
    album: quiet(album),
    ...numbers,
  }),
  execute({ file_id }, { context }: Run) {
    const file = context.file(file_id);
    if (!file) return Promise.resolve(refused('not_found', 'This file is not part of the question.'));
    const parts = file.path.split('/');
    const { title = null, artist = null, album = null, track = null, disc = null, year = null } = file.tags;
    const place = { name: parts.at(-1) ?? file.path, folder: parts.at(-2) ?? null, duration_ms: file.duration_ms };
    return Promise.resolve({
      ok: true,
      output: { file_id, ...place, title, artist, album, track, disc, year },
      provenance: [{ source: 'file', ref: file_id }],
    });
  },
});

export const MatchSetSchema = v.strictObject({
  file_id: v.string(),
  track_id: v.nullable(v.string()),
  album_id: v.string(),
  /** The model's own number: kept as its claim, used to lower, never to lift. */
  claim: v.number(),
  reasoning: v.string(),
});

export const setMatchTool = decideTool({
  name: 'set_match',
  description:
    'Commit the answer: this file is this track, or these files are this album. Call it once, when titles and lengths agree.',
  input: v.strictObject({
    file_id: named('The file; any of them where all are of one album'),
    track_id: v.optional(named('The track that the file is')),
    album_id: v.optional(named('Where the question is for the album: the album')),
    confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    reasoning: sentence('Why, in one sentence'),
  }),
  output: MatchSetSchema,
  limits: { calls: 3 },
  references: { file_id: 'file', track_id: 'track', album_id: 'album' },
  async execute({ file_id, track_id, album_id, confidence, reasoning }, { context }: Run) {
    const track = track_id === undefined ? null : await context.track(track_id);
    if (track_id === undefined && album_id === undefined) return refused('tool_refused', 'Say track_id or album_id.');
    if (track_id !== undefined && !track) return gone('track');
    const album = await context.album(track?.album_id ?? album_id ?? '');
    if (!album) return gone('album');
    if (track && album_id !== undefined && album_id !== album.id)
      return refused('tool_refused', 'The track is not on that album. Say only one of them.');
    return seen(context, { file_id, track_id: track?.id ?? null, album_id: album.id, claim: confidence, reasoning });
  },
});

export const requestReviewTool = wordTool(
  'request_review',
  'Leave the decision to a person, when several candidates are as likely or nothing is certain.',
  v.strictObject({ reasoning: sentence('What is uncertain, in one sentence') }),
);

export const rejectTool = wordTool(
  'reject',
  'None of the candidates is right, and searching found no other. A person confirms it.',
  v.strictObject({ reason: sentence('Why nothing in the catalog fits, in one sentence') }),
);
