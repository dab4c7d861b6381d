/**
 * A result that waits, as a file: audio, decision and transcript in a ZIP. Dropped on another workstation it enters the
 * outbox there under the same idempotency key, so that it is published once, whoever of the two is first. Loaded when
 * somebody exports or drops one.
 */
import JSZip from 'jszip';
import * as v from 'valibot';
import { stepsToTranscript, toJsonl } from '#core/agent/reasoning/transcript.ts';
import { failed } from '#core/errors.ts';
import { addJob, type ApplyContext } from '#core/job/apply.ts';
import { newJob } from '#core/job/new-job.ts';
import type { BlobStore } from '#core/ports.ts';
import type { JobReader, JobStore } from '#core/run/job-store.ts';
import { enqueue } from '#core/run/outbox.ts';
import { BUNDLE_FORMAT, BUNDLE_MANIFEST, HEADER_BYTES } from '#core/sync/bundle-head.ts';
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
import { blobChunks, ownBytes } from '../../media/blob-pieces.ts';

const LOCAL_HEADER = 0x04034b50;
const MOST_ENTRIES = 16;

/**
 * The entries of an exported result, as slices of the file: what is packed is not ours and not read, so that nothing can
 * expand. Stops at the first thing that is no entry (the directory).
 */
async function storedEntries(file: Blob): Promise<ReadonlyMap<string, Blob>> {
  const entries = new Map<string, Blob>();
  let at = 0;
  while (entries.size < MOST_ENTRIES && at + HEADER_BYTES <= file.size) {
    const view = new DataView(await file.slice(at, at + HEADER_BYTES).arrayBuffer());
    if (view.getUint32(0, true) !== LOCAL_HEADER) break;
    const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)];
    const [packed, size] = [view.getUint32(18, true), view.getUint32(22, true)];
    const nameBytes = view.getUint16(26, true);
    const data = at + HEADER_BYTES + nameBytes + view.getUint16(28, true);
    // Bit 3: the size comes after the data.
    if (method !== 0 || packed !== size || (flags & 8) !== 0 || data + size > file.size) break;
    entries.set(
      await file.slice(at + HEADER_BYTES, at + HEADER_BYTES + nameBytes).text(),
      file.slice(data, data + size),
    );
    at = data + size;
  }
  return entries;
}

type Blobs = Pick<BlobStore, 'read' | 'put' | 'size'>;

export interface ImportContext extends ApplyContext {
  store: JobStore;
}

/** The ZIP and a name for it. Throws AccessionError `not_found` where it waits no more, `blob_missing`. */
export async function exportBundle(store: JobReader, blobs: Blobs, key: string): Promise<{ name: string; blob: Blob }> {
  const item = await store.outboxItem(key);
  const job = item && (await store.job(item.job_id));
  if (item === undefined || job === undefined)
    throw failed('not_found', 'This result waits no more: it was published or taken back.');
  const steps = await store.steps(job.id);
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
export async function importBundle(context: ImportContext, blobs: Blobs, file: Blob): Promise<Imported> {
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
    throw failed('hash_mismatch', message, { remedy: 'Export it again where it waits.' });
  }
  const known = await keep(context, manifest.output, body.output);
  return { original_filename: body.output.original_filename, known };
}

/** Job, log and outbox item in one change; true where one of them is here already. */
async function keep(context: ImportContext, manifest: BundleManifest, body: CommitRequest): Promise<boolean> {
  const { clock, ids } = context;
  return context.store.change(async (rows) => {
    if ((await rows.outboxItem(manifest.key)) || (await rows.job(body.job_id))) return true;
    const now = clock.now();
    const context_type = body.request_id === null ? 'SPONTANEOUS' : 'DOWNLOAD_REQUEST';
    const batch = { id: ids.next(), context_type, context_id: body.request_id } as const;
    await rows.putBatch({
      ...{ schema_version: 1, ...batch, label: body.original_filename, created_at: now, state: 'staged' },
      ...{ total: 1, taken: 1, archives: [], companions: [], notice: null, demo: false },
    });
    const { original_filename: name, track_id, sha256, size, duration_ms } = body;
    const job = newJob({
      ...{ id: body.job_id, now: manifest.created_at, batch, sha256: null },
      ...{ original_filename: name, path: name, file_size_bytes: 0 },
    });
    await rows.putSteps(manifest.steps.map((step) => ({ ...step, job_id: body.job_id })));
    const { title, album_id, album } = manifest.matched;
    await addJob(rows, context, job, [], {
      type: 'imported',
      target: { track_id, title: title ?? name, album_id, album },
      ...{ confidence: body.match_confidence, source: body.match_source, output: { sha256, size, duration_ms } },
    });
    await enqueue(rows, context, body, manifest.key);
    return false;
  });
}
