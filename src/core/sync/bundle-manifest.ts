/** What is in an exported result, in this order: the manifest, the decision, the transcript, the audio. */
import * as v from 'valibot';
import { AccessionError, failed } from '../errors.ts';
import { BUNDLE_FORMAT } from './bundle-head.ts';
import { Sha256 } from './fields.ts';
import { StepSchema } from './protocol.ts';

export const BUNDLE_AUDIO = 'audio.ogg';
export const BUNDLE_DECISION = 'decision.json';
export const BUNDLE_TRANSCRIPT = 'transcript.jsonl';
/** A manifest with its log is small; anything else is no bundle of ours. Bytes of one entry. */
export const MAX_BUNDLE_TEXT = 32 * 1024 * 1024;

export const BundleManifestSchema = v.object({
  format: v.literal(BUNDLE_FORMAT),
  version: v.literal(1),
  /** Idempotency key of the commit. */
  key: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
  /** Of the decision (core/sync/outbox-item.ts `bodySha`). */
  body_sha: Sha256,
  matched: v.object({ title: v.nullable(v.string()), album_id: v.nullable(v.string()), album: v.nullable(v.string()) }),
  created_at: v.number(),
  steps: v.array(StepSchema),
});
export type BundleManifest = v.InferOutput<typeof BundleManifestSchema>;

/** The AccessionError of a bundle that cannot be read. */
export function damagedBundle(why: string): AccessionError {
  return failed('archive_corrupt', `This exported result is damaged: ${why}.`, {
    remedy: 'Export it again where it waits.',
  });
}
