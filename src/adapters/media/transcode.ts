/**
 * One file to Ogg Vorbis.
 *
 *   Ogg Vorbis at or under the target -> retag -> verify -> done
 *                   all else, or doubt -> fast: browser decodes, small encoder -> retag -> verify -> done
 *                    cannot, or doubt -> ffmpeg core -> retag -> verify -> done
 *                                                                    \-> failure with its reason
 *
 * Each output goes to the store piece by piece as it is made and is read back from there. What did not become the result
 * is removed from the store at once by whoever gave it (STAGE-83).
 */
import { failure, toFailure, messageOf, type Failure } from '#core/errors.ts';
import type { BlobRef } from '#core/ports.ts';
import { VORBIS_QUALITY } from '#core/config.ts';
import { OggVorbisReader } from './ogg/ogg-vorbis.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { convertFast } from './convert-fast.ts';
import { encodeVorbis } from './encode.ts';
import { blobRange } from './blob-pieces.ts';
import { ascii, readBytes } from './headers/bytes.ts';
import { retagged, vorbisHead, type VorbisHeaders } from './ogg/ogg-retag.ts';
import type { OutputStore, Transcoded, TranscodeInput } from './transcode.types.ts';
import { verifyOutput, type Expected, type Verified } from './verify.ts';

/** Share of the work that is encoding; the rest is verification. */
const ENCODING = 0.85;
/** Of the whole. */
const PROGRESS_STEP = 0.005;

/**
 * Transcodes, tags and verifies. May block its thread; to cancel, terminate the worker.
 * Fails with `file_damaged` (what decodes is not what was probed), `conversion_failed` or
 * `verification_failed`, each with the reason, or with what the store says; never with an output that was not
 * verified. `onProgress` gets 0..1, never less than before; `onSign` is called whenever something moves, which is far
 * more often and before there is progress to be said.
 */
export async function transcodeBlob(
  job: TranscodeInput,
  store: OutputStore,
  onProgress: (share: number) => void = () => undefined,
  onSign: () => void = () => undefined,
): Promise<Result<Transcoded>> {
  const forward = onlyForward(onProgress, onSign);
  try {
    const result = (await keepVorbis(job, store, forward)) ?? (await convert(job, store, forward));
    if (result.ok) forward(1);
    return result;
  } catch (thrown) {
    return fail(conversionFailure(thrown, job.name));
  }
}

async function convert(
  job: TranscodeInput,
  store: OutputStore,
  onProgress: (share: number) => void,
): Promise<Result<Transcoded>> {
  const progress = {
    encoded: progressOf(job.durationMs, 0, ENCODING, onProgress),
    verified: progressOf(job.durationMs, ENCODING, 1, onProgress),
  };
  const fast = await convertFast(job, store, progress);
  if ('ref' in fast) return ok(done(fast.ref, fast, fast.reason));
  const encoded = await encodeVorbis(job, progress.encoded);
  if (!encoded.ok) return encoded;
  onProgress(ENCODING);
  const { output, samples, reason, notes } = encoded.value;
  // Heard by the fast way, and as long as what ffmpeg decoded: else there is nothing to compare with.
  const witness = fast.witness?.samples === samples ? fast.witness : undefined;
  witness?.restart();
  const expected: Expected = { samples, tags: job.tags, cover: job.cover ?? null, witness, agreed: fast.sound ?? null };
  const ref = await store.put(retagged(blobRange(output), expected.tags, expected.cover));
  const checked = await verifyOutput(await store.file(ref.sha256), expected, progress.verified);
  if (typeof checked === 'string') return fail(unverified(job, checked));
  if (witness === undefined) checked.verified.push('not compared with the source');
  return ok(done(ref, checked, [reason, ...notes, `by ffmpeg: ${fast.why}`].join(', ')));
}

/** Null when the file is no lone Vorbis stream, is above the target or leaves a doubt: it is converted then. */
async function keepVorbis(
  job: TranscodeInput,
  store: OutputStore,
  onProgress: (share: number) => void,
): Promise<Result<Transcoded> | null> {
  if (job.segment) return null;
  if (ascii(await readBytes(job.input, 0, 4), 0, 4) !== 'OggS') return null;
  const headers = await vorbisHead(job.input);
  if (!headers || !isUnderTarget(headers, job)) return null;
  // The source's own checksums first: new ones are written below, and would hide what was wrong.
  if (!(await isWhole(job.input))) return null;
  const expected: Expected = { samples: null, tags: job.tags, cover: job.cover ?? null };
  const ref = await store.put(retagged(blobRange(job.input), expected.tags, expected.cover));
  // Should the check end in a doubt, all that encodes is still to come.
  const verified = progressOf(job.durationMs, 0, ENCODING, onProgress);
  const checked = await verifyOutput(await store.file(ref.sha256), expected, verified);
  if (typeof checked === 'string' || !agrees(checked.info.duration_ms, job.durationMs)) return null;
  return ok(done(ref, checked, 'kept: vorbis at or under target'));
}

async function isWhole(blob: Blob): Promise<boolean> {
  const reader = new OggVorbisReader('input');
  for await (const piece of blobRange(blob)) reader.push(piece);
  return reader.finish().ok;
}

function agrees(ms: number, probed: number | null): boolean {
  return probed === null || Math.abs(ms - probed) <= 50;
}

/** By the bitrate that the encoder aimed at, or the average when it does not say. */
function isUnderTarget(headers: VorbisHeaders, job: TranscodeInput): boolean {
  const step = Object.entries(VORBIS_QUALITY).find(([, quality]) => quality === job.quality);
  // Outside the nominal steps: -1 is about 45 kbit/s, 10 about 500.
  const kbits = step ? Number.parseInt(step[0], 10) : job.quality < 0 ? 45 : 500;
  const average = job.durationMs ? (job.input.size * 8000) / job.durationMs : Infinity;
  // The steps are for two channels.
  return (headers.nominalBitrate || average) <= (kbits * 1000 * headers.channels) / 2;
}

function done({ sha256, size }: BlobRef, { info, verified }: Verified, conversion_reason: string): Transcoded {
  const { samples, duration_ms } = info;
  return { sha256, size, samples, duration_ms, conversion_reason, verified };
}

function unverified(job: TranscodeInput, wrong: string): Failure {
  const words = `"${job.name}" was converted, but the output did not pass its check: ${wrong}.`;
  return failure('verification_failed', words, { subject: job.name });
}

function conversionFailure(thrown: unknown, name: string): Failure {
  const known = toFailure(thrown, name);
  if (known.code !== 'internal') return known;
  return failure('conversion_failed', `"${name}" could not be converted: ${messageOf(thrown)}`, { subject: name });
}

/** Milliseconds of output as a share between `from` and `to`. */
function progressOf(
  durationMs: number | null,
  from: number,
  to: number,
  onProgress: (share: number) => void,
): (ms: number) => void {
  return (ms) => onProgress(from + (to - from) * (durationMs ? Math.min(1, ms / durationMs) : 0));
}

/**
 * After a doubt the work begins anew; what was said already stays said. Said are only steps that can be seen: each
 * word crosses from the worker to its page, and decoders report after every packet.
 */
function onlyForward(onProgress: (share: number) => void, onSign: () => void): (share: number) => void {
  let said = 0;
  return (share) => {
    onSign();
    if (share < said + PROGRESS_STEP && share < 1) return;
    said = Math.max(said, share);
    onProgress(said);
  };
}
