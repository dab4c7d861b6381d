/**
 * Publishing: an uploaded file becomes the audio of a track.
 *
 *   known key, and its file is there? -> answer as before
 *   verify (hash, Ogg Vorbis, length) -> note the path -> link it there -> transaction: track, feed, requests,
 *   job, answer under its key, note removed -> remove the upload
 *
 * A crash before the transaction leaves the upload (to be committed again) and a noted file that recover.ts
 * removes. A crash after it leaves an upload that recover.ts removes. Nothing is ever written over.
 */
import type { OggVorbisInfo } from '#core/ingest/ogg-vorbis.ts';
import type { CommitRequest, CommitResponse } from '#core/sync/protocol.ts';
import { writeAudit, type AuditLine } from '../audit/audit.ts';
import { fulfilRequests } from '../catalog/requests.ts';
import type { CatalogDeps } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { keepAnswer, keptAnswer, type Answer, type Keyed } from '../http/mutate.ts';
import type { Locks } from '../keyed-lock.ts';
import { appendChanges } from '../store/feed.ts';
import type { TrackTable, Tx } from '../store/schema.ts';
import { tidy } from '../tidy.ts';
import { jobOwner } from '../work/check-commit.ts';
import { completeJob } from './complete-job.ts';
import { clearedAway, noteFormer, placedAudio, placeNew, retireFormer, unplaceAfter } from './place.ts';
import { noteUpdates } from './updates.ts';
import { verifyUpload } from './verify-upload.ts';

export type CommitDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log'> & {
  /** Commits of one track, and uploads of one hash, wait for each other. */
  lock: Locks;
};

/** What else happens with an accepted commit, in its transaction. */
export type Beside = (tx: Tx) => Promise<void>;

/** The outcome of a commit, and whether it was known already. Throws HttpError 404, 409, 422. */
export async function commit(
  deps: CommitDeps,
  request: Keyed,
  body: CommitRequest,
  beside: Beside = () => Promise.resolve(),
): Promise<{ answer: Answer; replayed: boolean }> {
  return deps.lock.run(`track ${body.track_id}`, () =>
    deps.lock.run(`upload ${body.sha256}`, async () => {
      const kept = await keptAnswer(deps.store.db, request);
      if (kept && !(await lostSince(deps, body))) return { answer: kept, replayed: true };
      const track = await deps.store.db
        .selectFrom('tracks')
        .selectAll()
        .where('id', '=', body.track_id)
        .executeTakeFirst();
      if (!track) throw new HttpError('not_found', `There is no track "${body.track_id}" in the catalog.`);
      const same = track.audio_sha256 === body.sha256 && (await placedAudio(deps, body.sha256)) !== null;
      const answer = same
        ? await commitSame({ ...deps, beside }, request, body)
        : await commitNew({ ...deps, beside }, request, body, track);
      await tidy(deps, 'an upload that is published', () => deps.blobs.removeUpload(body.sha256));
      return { answer, replayed: false };
    }),
  );
}

/** The very same audio is there: only the job and the answer are new. */
type Concluding = CommitDeps & { beside: Beside };

async function commitSame(deps: Concluding, request: Keyed, body: CommitRequest): Promise<Answer> {
  return deps.store.write(async (tx) => {
    const track = await trackNow(tx, body.track_id);
    if (track.audio_sha256 !== body.sha256) throw changedMeanwhile(track);
    return conclude(tx, deps, request, body, track, 'unchanged');
  });
}

async function commitNew(deps: Concluding, request: Keyed, body: CommitRequest, before: TrackTable): Promise<Answer> {
  refuseOther(before, body);
  await adoptPlaced(deps, body.sha256);
  const name = body.original_filename;
  const info = await verifyUpload(deps.blobs, {
    sha256: body.sha256,
    size: body.size,
    duration_ms: body.duration_ms,
    name,
  });
  if (before.duration_ms !== null && Math.abs(info.duration_ms - before.duration_ms) > 5000) {
    const lengths = { audio_ms: info.duration_ms, catalog_ms: before.duration_ms };
    deps.log.warn('published audio differs in length from the catalog', { track_id: before.id, ...lengths });
  }
  const path = await placeNew(deps, before, body.sha256);
  const answer = await deps.store
    .write((tx) => publish(tx, deps, request, body, { before, path, info }))
    .catch(async (error: unknown) => {
      await unplaceAfter(deps, path);
      throw error;
    });
  await retireFormer(deps, before, body.sha256);
  return answer;
}

interface Placed {
  before: TrackTable;
  path: string;
  info: OggVorbisInfo;
}

async function publish(tx: Tx, deps: Concluding, request: Keyed, body: CommitRequest, placed: Placed): Promise<Answer> {
  const { before, path, info } = placed;
  const now = deps.clock.now();
  const current = await trackNow(tx, body.track_id);
  if (current.audio_sha256 !== before.audio_sha256) throw changedMeanwhile(current);
  if (current.audio_sha256 !== body.sha256)
    await noteFormer(tx, current, { at: now, by: request.principal.user_id, reason: 'replaced' });
  const audio = {
    output_file_path: path,
    audio_sha256: body.sha256,
    original_sha256: body.original_sha256,
    audio_size: info.size,
    audio_duration_ms: info.duration_ms,
  };
  const track: TrackTable = { ...current, ...audio, availability: 'available', version: current.version + 1 };
  await tx
    .updateTable('tracks')
    .set({ ...audio, availability: 'available', version: track.version })
    .where('id', '=', track.id)
    .execute();
  const note = await tx.deleteFrom('placements').where('path', '=', path).executeTakeFirst();
  if (note.numDeletedRows === 0n) throw clearedAway();
  await appendChanges(tx, [{ kind: 'track', entity_id: track.id }]);
  return conclude(tx, deps, request, body, track, before.audio_sha256 === null ? 'created' : 'replaced');
}

/** What every accepted commit ends with: requests, the job, the answer under its key. */
async function conclude(
  tx: Tx,
  deps: Concluding,
  request: Keyed,
  body: CommitRequest,
  track: TrackTable,
  outcome: CommitResponse['outcome'],
): Promise<Answer> {
  const now = deps.clock.now();
  // Refuses a key that was used for another track's commit in the meantime.
  await keptAnswer(tx, request);
  const owner = await jobOwner(tx, request.principal, body);
  await fulfilRequests(tx, track, now);
  await completeJob(tx, owner, body, track, now);
  const asked = await tx
    .selectFrom('download_requests')
    .select('status')
    .where('id', '=', body.request_id)
    .executeTakeFirst();
  const response: CommitResponse = {
    track_id: track.id,
    output_file_path: track.output_file_path ?? '',
    availability: 'available',
    duration_ms: track.audio_duration_ms ?? body.duration_ms,
    outcome,
    request_status: asked?.status ?? null,
    catalog_duration_ms: track.duration_ms,
  };
  if (outcome !== 'unchanged') await writeAudit(tx, auditLine(request, body, track, outcome, now));
  await deps.beside(tx);
  const answer: Answer = { status: 200, body: response };
  await keepAnswer(tx, request, answer, now);
  await noteUpdates(tx, [{ job_id: body.job_id }]);
  return answer;
}

function auditLine(
  request: Keyed,
  body: CommitRequest,
  track: TrackTable,
  outcome: 'created' | 'replaced',
  at: number,
): AuditLine {
  const { job_id, sha256, original_filename, match_source } = body;
  return {
    at,
    user_id: request.principal.user_id,
    action: outcome === 'created' ? 'track.published' : 'track.replaced',
    entity_id: track.id,
    details: { title: track.title, job_id, sha256, original_filename, match_source },
  };
}

function refuseOther(track: TrackTable, body: CommitRequest): void {
  if (track.audio_sha256 === null || track.audio_sha256 === body.sha256 || body.replace) return;
  throw new HttpError('conflict', `"${track.title}" (${track.artist}) has other audio already.`, {
    details: { track_id: track.id, output_file_path: track.output_file_path, duration_ms: track.audio_duration_ms },
  });
}

function changedMeanwhile(track: TrackTable): HttpError {
  return new HttpError('conflict', `"${track.title}" got other audio in the meantime.`, {
    details: { track_id: track.id },
  });
}

async function trackNow(tx: Tx, id: string): Promise<TrackTable> {
  const track = await tx.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();
  if (!track) throw new HttpError('not_found', `There is no track "${id}" in the catalog.`);
  return track;
}

/** The audio was published for another track: it need not be sent a second time. */
async function adoptPlaced(deps: CommitDeps, sha256: string): Promise<void> {
  const upload = await deps.blobs.upload(sha256);
  if (upload?.complete === true) return;
  const placed = await placedAudio(deps, sha256);
  if (placed) await deps.blobs.adopt(placed.path, sha256);
}

/** What was published has lost its file: the answer of then is none any more, the audio is wanted again. */
async function lostSince(deps: CommitDeps, body: CommitRequest): Promise<boolean> {
  const track = await deps.store.db
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', body.track_id)
    .where('audio_sha256', '=', body.sha256)
    .executeTakeFirst();
  return track !== undefined && (await placedAudio(deps, body.sha256)) === null;
}
