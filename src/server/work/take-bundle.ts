/** A result that a workstation exported is published here, by the commit's own path and under its own key. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import type { CommitRequest } from '#core/sync/protocol.ts';
import { writeAudit } from '../audit/audit.ts';
import type { Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { Answer } from '../http/mutate.ts';
import { Watched } from '../http/stream.ts';
import { stepRow } from '../ingest/job-records.ts';
import { publishedFile, publisherOf, type ServerDeps } from '../lane-server.ts';
import { chunks } from '../store/rows.ts';
import type { Tx } from '../store/schema.ts';
import { readBundle, type Bundle } from './read-bundle.ts';
import { beginWithin, hashUpload } from './unfinished.ts';

export type BundleDeps = Pick<
  ServerDeps,
  'store' | 'blobs' | 'uploads' | 'clock' | 'log' | 'lanes' | 'maxUploadBytes' | 'uploadLimits'
>;

/** What the commit answers. Throws what it throws, AccessionError `archive_corrupt`, HttpError 413 and 422. */
export async function takeBundle(
  deps: BundleDeps,
  principal: Principal,
  body: AsyncIterable<Uint8Array>,
): Promise<{ answer: Answer; replayed: boolean }> {
  const bundle = await readBundle(body);
  const { manifest, decision, text } = bundle;
  if (bundle.size > deps.maxUploadBytes)
    throw new HttpError('too_large', `The audio may have ${deps.maxUploadBytes} bytes here.`);
  if (bundle.size !== decision.size) throw notApproved(decision);
  await deps.store.locks.run(`upload ${decision.sha256}`, () => keepAudio(deps, principal, bundle));
  // As the workstation would send it: whoever of the two comes second is answered as the first.
  const request_sha256 = createHash('sha256').update('POST /v1/ingestion/commits\n').update(text).digest('hex');
  const request = { principal, key: manifest.key, request_sha256 };
  return publisherOf(deps.lanes).commit(deps, request, decision, (tx) =>
    keepLog(tx, principal, bundle, deps.clock.now()),
  );
}

/** Becomes an upload like any other. What is here already, published or waiting, and right, stays. */
async function keepAudio(deps: BundleDeps, { user_id }: Principal, { decision, audio }: Bundle): Promise<void> {
  const { blobs, uploads } = deps;
  const { sha256, size } = decision;
  if (await isHere(deps, sha256, size)) {
    for await (const _chunk of audio);
    return;
  }
  await blobs.removeUpload(sha256);
  const body = new Watched(audio);
  try {
    const upload = new Upload({ id: sha256, size, offset: 0, metadata: { sha256, user_id } });
    await beginWithin(deps, { user_id, size }, () => uploads.create(upload));
    await uploads.write(Readable.from(body), sha256, 0);
    if ((await hashUpload(blobs, sha256)) !== sha256) throw notApproved(decision);
  } catch (error) {
    await blobs.removeUpload(sha256);
    throw body.failure ?? error;
  }
}

async function isHere(deps: BundleDeps, sha256: string, size: number): Promise<boolean> {
  const upload = await deps.blobs.upload(sha256);
  if (!upload) return (await publishedFile(deps, sha256))?.size === size;
  return upload.complete && upload.size === size && (await hashUpload(deps.blobs, sha256)) === sha256;
}

/** The job's reasoning, where the job is the sender's and nobody sent it yet, and who brought the file. */
async function keepLog(tx: Tx, principal: Principal, { manifest, decision }: Bundle, at: number): Promise<void> {
  const { user_id } = principal;
  const job = tx.selectFrom('ingestion_jobs').select('user_id').where('id', '=', decision.job_id);
  if ((await job.executeTakeFirst())?.user_id === user_id) {
    for (const part of chunks(manifest.steps, 8, 500))
      await tx
        .insertInto('ingestion_steps')
        .values(part.map((step) => stepRow(step, decision.job_id)))
        .onConflict((c) => c.column('id').doNothing())
        .execute();
  }
  await writeAudit(tx, {
    at,
    user_id,
    action: 'bundle.imported',
    entity_id: decision.track_id,
    details: { job_id: decision.job_id, original_filename: decision.original_filename, sha256: decision.sha256 },
  });
}

function notApproved({ original_filename }: CommitRequest): HttpError {
  return new HttpError(
    'hash_mismatch',
    `The audio of "${original_filename}" in this bundle is not the one that was approved.`,
  );
}
