/**
 * A result that waits, as a file: audio, decision and transcript in a ZIP. Dropped on another workstation it enters the
 * outbox there under the same idempotency key, so that it is published once, whoever of the two is first. Loaded when
 * somebody exports or drops one.
 */
import JSZip from 'jszip';
import * as v from 'valibot';
import { stepsToTranscript, toJsonl } from '#core/agent/reasoning/transcript.ts';
import { AccessionError, failure } from '#core/errors.ts';
import { newJob } from '#core/job/new-job.ts';
import type { Job } from '#core/job/job.ts';
import type { BlobStore } from '#core/ports.ts';
import { BUNDLE_FORMAT, BUNDLE_MANIFEST } from '#core/sync/bundle-head.ts';
import {
  BUNDLE_AUDIO,
  BUNDLE_DECISION,
  BUNDLE_TRANSCRIPT,
  BundleManifestSchema,
  damagedBundle,
  MAX_BUNDLE_TEXT,
  type BundleManifest,
} from '#core/sync/bundle-manifest.ts';
import { bodySha, prepareOutboxItems } from '#core/sync/outbox-item.ts';
import { CommitRequestSchema, type CommitRequest } from '#core/sync/protocol.ts';
import { blobChunks, ownBytes } from './blob-chunks.ts';
import { storedEntries } from './bundle-files.ts';
import { enqueueOutbox } from './outbox-store.ts';
import { jobTables, type PipelineContext } from './pipeline/apply.ts';
import { appendSteps } from './steps.ts';

type Blobs = Pick<BlobStore, 'read' | 'put' | 'size'>;

/** The ZIP and a name for it. Throws AccessionError `not_found` where it waits no more, `blob_missing`. */
export async function exportBundle(
  { db }: Pick<PipelineContext, 'db'>,
  blobs: Blobs,
  key: string,
): Promise<{ name: string; blob: Blob }> {
  const item = await db.outbox.get(key);
  const job = item && (await db.jobs.get(item.job_id));
  if (item === undefined || job === undefined)
    throw new AccessionError(failure('not_found', 'This result waits no more: it was published or taken back.'));
  const steps = await db.steps.where('[job_id+step_number]').between([job.id, 0], [job.id, Infinity]).toArray();
  const manifest: BundleManifest = {
    ...{ format: BUNDLE_FORMAT, version: 1, key: item.key, body_sha: item.body_sha, created_at: job.created_at },
    matched: { title: job.matched_title, album_id: job.matched_album_id, album: job.matched_album },
    steps: steps.map(({ job_id: _job, ...step }) => step),
  };
  const audio: BlobPart[] = [];
  for await (const chunk of blobs.read(item.blob_sha256)) audio.push(ownBytes(chunk));
  const zip = new JSZip();
  // First, so that whoever takes files in knows it by its first bytes; and nothing packed, so that it is read in place.
  zip.file(BUNDLE_MANIFEST, JSON.stringify(manifest, null, 1));
  zip.file(BUNDLE_DECISION, JSON.stringify(item.body, null, 1));
  zip.file(BUNDLE_TRANSCRIPT, toJsonl(stepsToTranscript(steps)));
  zip.file(BUNDLE_AUDIO, await new Blob(audio).arrayBuffer());
  const blob = await zip.generateAsync({ type: 'blob', compression: 'STORE', mimeType: 'application/zip' });
  const name = `${job.original_filename.replace(/\.[^.]*$/, '').replace(/[\\/:*?"<>|]+/g, '_')}.accession.zip`;
  return { name, blob };
}

/** What became of a bundle: in the outbox here, or known here before. */
export interface Imported {
  original_filename: string;
  known: boolean;
}

/** Takes a bundle in. Throws AccessionError `archive_corrupt`, `hash_mismatch`, or what the blob store throws. */
export async function importBundle(context: PipelineContext, blobs: Blobs, file: Blob): Promise<Imported> {
  await prepareOutboxItems();
  const entries = await storedEntries(file);
  const text = async (name: string): Promise<unknown> => {
    const entry = entries.get(name);
    if (entry === undefined || entry.size > MAX_BUNDLE_TEXT) throw damagedBundle(`"${name}" is missing`);
    try {
      return JSON.parse(await entry.text());
    } catch {
      throw damagedBundle(`"${name}" cannot be read`);
    }
  };
  const manifest = v.safeParse(BundleManifestSchema, await text(BUNDLE_MANIFEST));
  const body = v.safeParse(CommitRequestSchema, await text(BUNDLE_DECISION));
  const audio = entries.get(BUNDLE_AUDIO);
  if (!manifest.success || !body.success || audio === undefined)
    throw damagedBundle('a part is missing or not as it should be');
  if (bodySha(body.output) !== manifest.output.body_sha) throw damagedBundle('the decision was changed');
  const stored = await blobs.put(blobChunks(audio, BUNDLE_AUDIO));
  if (stored.sha256 !== body.output.sha256 || stored.size !== body.output.size) {
    const message = `The audio of "${body.output.original_filename}" in this bundle is not the one that was approved.`;
    throw new AccessionError(failure('hash_mismatch', message, { remedy: 'Export it again where it waits.' }));
  }
  const known = await keep(context, manifest.output, body.output);
  return { original_filename: body.output.original_filename, known };
}

/** Job, log and outbox item in one transaction; true where one of them is here already. */
async function keep(context: PipelineContext, manifest: BundleManifest, body: CommitRequest): Promise<boolean> {
  const { db, clock, ids } = context;
  return db.transaction('rw', jobTables(db), async () => {
    const waits = (await db.outbox.get(manifest.key)) !== undefined;
    if (waits || (await db.jobs.get(body.job_id)) !== undefined) return true;
    const now = clock.now();
    const batch_id = ids.next();
    await db.batches.add({
      ...{ schema_version: 1, id: batch_id, label: body.original_filename, context_type: 'SPONTANEOUS' },
      ...{ context_id: null, created_at: now, state: 'staged', total: 1, taken: 1, archives: [], companions: [] },
      ...{ notice: null, demo: false },
    });
    await db.jobs.add(jobOf(manifest, body, batch_id, now));
    await db.steps.bulkPut(manifest.steps.map((step) => ({ ...step, job_id: body.job_id })));
    await appendSteps(db, ids, now, body.job_id, [
      { step_type: 'Action', content: 'Taken over from another workstation by an exported file; waiting to publish' },
    ]);
    await enqueueOutbox(db, { key: manifest.key, body, now, epoch: 0 });
    return false;
  });
}

function jobOf(manifest: BundleManifest, body: CommitRequest, batchId: string, now: number): Job {
  const context_type = body.request_id === null ? 'SPONTANEOUS' : 'DOWNLOAD_REQUEST';
  const job = newJob({
    ...{ id: body.job_id, now, batch: { id: batchId, context_type, context_id: body.request_id } },
    ...{ original_filename: body.original_filename, path: body.original_filename, file_size_bytes: 0, sha256: null },
  });
  return {
    ...job,
    ...{ status: 'CONVERTING', phase: 'waiting', sync: 'waiting', progress: 0, created_at: manifest.created_at },
    ...{ matched_track_id: body.track_id, match_confidence: body.match_confidence, match_source: body.match_source },
    ...{ matched_title: manifest.matched.title, matched_album_id: manifest.matched.album_id },
    ...{ matched_album: manifest.matched.album, duration_ms: body.duration_ms, updated_at: now },
    ...{ output_sha256: body.sha256, output_size: body.size, output_duration_ms: body.duration_ms },
  };
}
