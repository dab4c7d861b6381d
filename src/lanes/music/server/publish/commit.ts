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
import type { CommitRequest, CommitResponse } from '#core/sync/protocol.ts';
import { writeAudit, type AuditLine } from '#server/audit/audit.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { Answer } from '#server/http/made-answer.ts';
import { keepAnswer, keptAnswer, type Keyed } from '#server/http/mutate.ts';
import { completeJob } from '#server/ingest/job-records.ts';
import { noteJobs } from '#server/ingest/updates.ts';
import type { CommitDeps, LanePublish } from '#server/lane-server.ts';
import { tidy } from '#server/log.ts';
import { findRow } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { jobOwner } from '#server/work/lease.ts';
import { currentId } from '../catalog/moved-ids.ts';
import { fulfilRequests } from '../catalog/requests.ts';
import { coverOfPublished } from '../covers/covers.ts';
import type { TrackTable } from '../store/rows.ts';
import { changeAudio, placedAudio, publishAt, retireFormer, trackOf } from './place.ts';
import { verifyUpload } from './verify-upload.ts';

/** Commits of one track, and uploads of one hash, wait for each other. Throws HttpError 404, 409, 422. */
export const commit: LanePublish['commit'] = async (deps, request, asked, beside = () => Promise.resolve()) => {
  const { locks } = deps.store;
  // A track that was merged meanwhile is another one by now (API-184).
  const known = await findRow(deps.store.db, 'tracks', asked.track_id);
  const body = known ? asked : { ...asked, track_id: await currentId(deps.store.db, asked.track_id) };
  return locks.run(`track ${body.track_id}`, () =>
    locks.run(`upload ${body.sha256}`, async () => {
      const kept = await keptAnswer(deps.store.db, request);
      if (kept && !(await lostSince(deps, body))) return { answer: kept, replayed: true };
      const track = await trackOf(deps.store.db, body.track_id);
      const same = track.audio_sha256 === body.sha256 && (await placedAudio(deps, body.sha256)) !== null;
      const answer = same
        ? await commitSame({ ...deps, beside }, request, body)
        : await commitNew({ ...deps, beside }, request, body, track);
      await tidy(deps, 'an upload that is published', () => deps.blobs.removeUpload(body.sha256));
      return { answer, replayed: false };
    }),
  );
};

type Concluding = CommitDeps & { beside: (tx: Tx) => Promise<void> };

/** The very same audio is there: only the job and the answer are new. */
async function commitSame(deps: Concluding, request: Keyed, body: CommitRequest): Promise<Answer> {
  return deps.store.write(async (tx) => {
    const track = await trackOf(tx, body.track_id);
    if (track.audio_sha256 !== body.sha256) throw changedMeanwhile(track);
    return conclude(tx, deps, request, body, track, 'unchanged');
  });
}

async function commitNew(deps: Concluding, request: Keyed, body: CommitRequest, before: TrackTable): Promise<Answer> {
  refuseOther(before, body);
  await adoptPlaced(deps, body.sha256);
  const { sha256, size, duration_ms, original_filename: name } = body;
  const info = await verifyUpload(deps.blobs, { sha256, size, duration_ms, name });
  if (before.duration_ms !== null && Math.abs(info.duration_ms - before.duration_ms) > 5000) {
    const lengths = { audio_ms: info.duration_ms, catalog_ms: before.duration_ms };
    deps.log.warn('published audio differs in length from the catalog', { track_id: before.id, ...lengths });
  }
  const answer = await publishAt(deps, before, body.sha256, async (tx, path) => {
    const current = await trackOf(tx, body.track_id);
    if (current.audio_sha256 !== before.audio_sha256) throw changedMeanwhile(current);
    const audio = { path, sha256: body.sha256, original_sha256: body.original_sha256, info };
    const ended = { at: deps.clock.now(), by: request.principal.user_id };
    const track = await changeAudio(tx, current, audio, ended);
    return conclude(tx, deps, request, body, track, before.audio_sha256 === null ? 'created' : 'replaced');
  });
  await retireFormer(deps, before, body.sha256);
  // Nothing depends on it: where it cannot be done now, the next file of the album does it.
  await coverOfPublished(deps, before.album_id, info.comments, request.principal.user_id).catch((error: unknown) =>
    deps.log.warn('the cover of an album could not be kept yet', { album_id: before.album_id, error: String(error) }),
  );
  // The same audio again, because its file was damaged: that one is nobody's now.
  const { audio_sha256, output_file_path: damaged } = before;
  if (audio_sha256 === body.sha256 && damaged !== null)
    await tidy(deps, 'a damaged file', () => setDamagedAside(deps, damaged));
  return answer;
}

async function setDamagedAside({ store, blobs }: CommitDeps, path: string): Promise<void> {
  await store.write(async (tx) => {
    const owner = await tx.selectFrom('tracks').select('id').where('output_file_path', '=', path).executeTakeFirst();
    const noted = await tx.selectFrom('placements').select('path').where('path', '=', path).executeTakeFirst();
    if (!owner && !noted) await blobs.setAside(path, 'media');
  });
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
  await completeJob(tx, owner, body, track.output_file_path, now);
  const asked = await findRow(tx, 'download_requests', body.request_id ?? '');
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
  await noteJobs(tx, [body.job_id]);
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

/** The audio was published for another track: it need not be sent a second time. */
async function adoptPlaced(deps: CommitDeps, sha256: string): Promise<void> {
  const upload = await deps.blobs.upload(sha256);
  if (upload?.complete === true) return;
  const placed = await placedAudio(deps, sha256);
  if (placed) await deps.blobs.adopt(placed.path, sha256);
}

/** What was published has lost its file: the answer of then is none any more, the audio is wanted again. */
async function lostSince(deps: CommitDeps, body: CommitRequest): Promise<boolean> {
  const track = await findRow(deps.store.db, 'tracks', body.track_id);
  return track?.audio_sha256 === body.sha256 && (await placedAudio(deps, body.sha256)) === null;
}
