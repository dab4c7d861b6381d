/** A result that a workstation exported is published here, by the commit's own path and under its own key. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { type CommitRequest, CommitRequestSchema } from '#core/sync/protocol.ts';
import { writeAudit } from '../audit/audit.ts';
import type { Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { Answer } from '../http/made-answer.ts';
import { byteReader, watched, type ByteReader } from '../http/stream.ts';
import { stepRow } from '../ingest/job-records.ts';
import { publisherOf, type ServerDeps } from '../lane-server.ts';
import { chunks } from '../store/rows.ts';
import type { Tx } from '../store/schema.ts';
import { foundUpload, beginWithin, hashUpload } from './unfinished.ts';
import * as v from 'valibot';
import { BUNDLE_MANIFEST, HEADER_BYTES } from '#core/sync/bundle-head.ts';
import {
  BUNDLE_AUDIO,
  BUNDLE_DECISION,
  BundleManifestSchema,
  damagedBundle,
  MAX_BUNDLE_TEXT,
  type BundleManifest,
} from '#core/sync/bundle-manifest.ts';
import { bodySha, prepareOutboxItems } from '#core/sync/outbox-item.ts';
import { isTooDeep } from '../http/body.ts';

/**
 * An exported result as it arrives: a ZIP in which nothing is packed, read entry by entry without being kept. Its texts
 * come first; the audio behind them is handed on piece by piece.
 */

const LOCAL_HEADER = 0x04034b50;
const MOST_ENTRIES = 16;

interface Bundle {
  manifest: BundleManifest;
  decision: CommitRequest;
  /** The decision as the workstation that exported it would send it: of one key the server takes one text. */
  text: string;
  /** Of the audio, as the bundle says it; the hash is another matter. */
  size: number;
  /** To be read to its end. */
  audio: AsyncIterable<Uint8Array>;
}

/**
 * Reads up to the audio. Throws AccessionError `archive_corrupt` for what is none, is changed or cut off; what `audio`
 * reads throws it, too. What is behind the audio is read with it and means nothing.
 */
async function readBundle(body: AsyncIterable<Uint8Array>): Promise<Bundle> {
  await prepareOutboxItems();
  const input = byteReader(body, () => damagedBundle('it was cut off'));
  const texts = new Map<string, string>();
  for (let entries = 0; entries < MOST_ENTRIES; entries += 1) {
    const { name, size } = await entryOf(input);
    if (entries === 0 && name !== BUNDLE_MANIFEST) throw damagedBundle('it does not begin with its list');
    if (name !== BUNDLE_AUDIO) {
      if (size > MAX_BUNDLE_TEXT) throw damagedBundle(`"${name}" is too large`);
      texts.set(name, (await input.take(size)).toString('utf8'));
      continue;
    }
    const manifest = v.safeParse(BundleManifestSchema, jsonOf(texts, BUNDLE_MANIFEST));
    const said = jsonOf(texts, BUNDLE_DECISION);
    const decision = v.safeParse(CommitRequestSchema, said);
    if (!manifest.success || !decision.success) throw damagedBundle('a part is missing or not as it should be');
    if (bodySha(decision.output) !== manifest.output.body_sha) throw damagedBundle('the decision was changed');
    const audio = through(input, size);
    return { manifest: manifest.output, decision: decision.output, text: JSON.stringify(said), size, audio };
  }
  throw damagedBundle('it has no audio');
}

async function entryOf(input: ByteReader): Promise<{ name: string; size: number }> {
  const head = await input.take(HEADER_BYTES);
  if (head.readUInt32LE(0) !== LOCAL_HEADER) throw damagedBundle('a part is missing');
  const [flags, method] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  const [packed, size] = [head.readUInt32LE(18), head.readUInt32LE(22)];
  // Nothing of ours is packed, so nothing can expand; bit 3: the size comes after the data.
  if (method !== 0 || packed !== size || (flags & 8) !== 0) throw damagedBundle('it was packed by another program');
  const name = (await input.take(head.readUInt16LE(26))).toString('utf8');
  await input.take(head.readUInt16LE(28));
  return { name, size };
}

function jsonOf(texts: ReadonlyMap<string, string>, name: string): unknown {
  const text = texts.get(name);
  if (text === undefined || isTooDeep(text)) throw damagedBundle(`"${name}" is missing`);
  try {
    return JSON.parse(text);
  } catch {
    throw damagedBundle(`"${name}" cannot be read`);
  }
}

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
  if ((await foundUpload(deps, sha256, size)) === size) {
    for await (const _chunk of audio);
    return;
  }
  await blobs.removeUpload(sha256);
  const body = watched(audio);
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

/** The job's reasoning, where the job is the sender's and nobody sent it yet, and who brought the file. */
async function keepLog(tx: Tx, principal: Principal, { manifest, decision }: Bundle, at: number): Promise<void> {
  const { user_id } = principal;
  const job = tx.selectFrom('ingestion_jobs').select('user_id').where('id', '=', decision.job_id);
  if ((await job.executeTakeFirst())?.user_id === user_id) {
    for (const part of chunks(manifest.steps, 9, 500))
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

/** So many bytes as they come, then the rest of the body for nothing. */
async function* through(input: ByteReader, size: number): AsyncGenerator<Uint8Array> {
  yield* input.stream(size);
  for await (const _rest of input.rest());
}
