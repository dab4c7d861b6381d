/** GET /v1/catalog/tracks/:id/audio: published audio, which is what the catalog says of it or is not sent. */
import type { Context } from 'hono';
import { inParts, route, type Route } from '#server/api/route.ts';
import type { Env } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { readRange, streamOf } from '#server/http/stream.ts';
import type { NamedFile, Wrong } from '#server/storage/file-check.ts';
import { lookToServe, watched, type ServedDeps } from '#server/storage/served-file.ts';
import type { FileState } from '#core/ports.ts';
import { presentAudio } from '../store/keeping.ts';
import { existing, type TrackTable } from '../store/rows.ts';

const OGG = inParts('audio/ogg');

/** The published file, whole or in part. Also by a signed URL. */
export function audioRoutes(deps: ServedDeps): Route[] {
  return [
    route('GET /v1/catalog/tracks/:id/audio', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The published audio of a track, whole or in part.',
      description: 'A file that is not what was published, by its size or its SHA-256, is 500 with its name.',
      headers: { ...OGG.headers, 'If-None-Match': 'The ETag that is here already.' },
      replies: { ...OGG.replies, 304: { description: 'The file is as it was.' } },
      failures: [404, 416, 500],
      answer: (c) => audio(c, deps, c.req.param('id')),
    }),
  ];
}

async function audio(c: Context<Env>, deps: ServedDeps, id: string): Promise<Response> {
  const track = await existing(deps.store.db, 'tracks', id);
  const { file, state } = await wholeAudio(deps, track);
  const { size } = state;
  const etag = `"${file.sha256}"`;
  c.header('Accept-Ranges', 'bytes');
  c.header('ETag', etag);
  c.header('Content-Type', 'audio/ogg');
  // The audio of a track may be replaced; the ETag says so at the price of one question.
  c.header('Cache-Control', 'private, no-cache');
  if (sameTag(c.req.header('if-none-match'), etag)) return c.body(null, 304);

  const stale = c.req.header('if-range') !== undefined && c.req.header('if-range') !== etag;
  const range = readRange(stale ? undefined : c.req.header('range'), size);
  if (range === 'unsatisfiable') {
    throw new HttpError('invalid', `The file has ${size} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
  c.header('Content-Length', String(end - start));
  if (range !== 'whole') c.header('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  const status = range === 'whole' ? 200 : 206;
  if (c.req.method === 'HEAD') return c.body(null, status);
  return c.body(streamOf(watched(deps, file, state, { start, end })), status);
}

/** The file of a track, looked at and hashed (once for as long as nobody writes to it). Throws HttpError 404, 500. */
async function wholeAudio(
  deps: ServedDeps,
  { title, output_file_path: path, audio_sha256: sha256, audio_size }: TrackTable,
): Promise<{ file: NamedFile; state: FileState }> {
  if (path === null || sha256 === null) throw new HttpError('not_found', `"${title}" has no audio yet.`);
  // A database that was put back names audio that was replaced or taken back since then: it is kept with the former.
  const checked = await lookToServe(deps, presentAudio(path, sha256, audio_size));
  if (checked.wrong === null) return checked;
  // Nothing is there to be damaged: whoever asks is told 404, whoever runs the server as of any damage (decision 140).
  if (checked.wrong === 'gone')
    throw new HttpError('not_found', `The audio of "${title}" is gone from the server: there is no file ${path}.`, {
      remedy: MEND,
    });
  throw new HttpError(
    'file_damaged',
    `The audio of "${title}" is damaged on the server: ${path} ${IS[checked.wrong]}.`,
    { status: 500, remedy: MEND },
  );
}

const MEND = 'Whoever runs the server mends it with: accession verify --repair (docs/OPERATIONS.md).';

const IS: Record<Exclude<Wrong, 'gone'>, string> = {
  size: 'has another length than was published',
  hash: 'has other bytes than were published',
};

function sameTag(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
