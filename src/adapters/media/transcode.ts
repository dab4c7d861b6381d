/**
 * One file to Ogg Vorbis.
 *
 *   Ogg Vorbis at or under the target -> retag -> verify -> done
 *              anything else, or doubt -> encode -> retag -> verify -> done
 *                                                              \-> failure with its reason
 */
import { failure, toFailure } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { VORBIS_QUALITY } from '#core/config.ts';
import { OggVorbisReader } from '#core/ingest/ogg-vorbis.ts';
import { fail, ok } from '#core/result.ts';
import type { Result } from '#core/result.ts';
import { encodeVorbis } from './encode.ts';
import { ascii, readBytes } from './headers/bytes.ts';
import { retag, vorbisHeaders } from './ogg-retag.ts';
import type { VorbisHeaders } from './ogg-retag.ts';
import type { Transcoded, TranscodeInput } from './transcode.types.ts';
import { verifyOutput } from './verify.ts';
import type { Expected, Verified } from './verify.ts';

/** Share of the work that is encoding; the rest is verification. */
const ENCODING = 0.85;
/** An Ogg file above this is not held in memory to be kept as it is. Bytes. */
const KEEP_LIMIT = 512 * 1024 ** 2;

/**
 * Transcodes, tags and verifies. Blocks its thread; to cancel, terminate the worker.
 * Fails with `file_damaged` (what decodes is not what was probed), `conversion_failed` or
 * `verification_failed`, each with the reason; never with an output that was not verified.
 * `onProgress` gets 0..1.
 */
export async function transcodeBlob(
  job: TranscodeInput,
  onProgress: (share: number) => void = () => undefined,
): Promise<Result<Transcoded>> {
  try {
    const result = (await keepVorbis(job, onProgress)) ?? (await convert(job, onProgress));
    onProgress(1);
    return result;
  } catch (thrown) {
    return fail(conversionFailure(thrown, job.name));
  }
}

async function convert(job: TranscodeInput, onProgress: (share: number) => void): Promise<Result<Transcoded>> {
  const encoded = await encodeVorbis(job, progressOf(job.durationMs, 0, ENCODING, onProgress));
  if (!encoded.ok) return encoded;
  onProgress(ENCODING);
  const { bytes, samples, reason, notes } = encoded.value;
  const headers = vorbisHeaders(bytes);
  if (!headers) return fail(unverified(job, 'it does not begin with the headers of Vorbis'));
  const expected: Expected = { samples, tags: job.tags, cover: job.cover ?? null };
  const output = retag(bytes, headers, expected.tags, expected.cover);
  const checked = await verifyOutput(output, expected, progressOf(job.durationMs, ENCODING, 1, onProgress));
  if (typeof checked === 'string') return fail(unverified(job, checked));
  return ok(done(output, checked, reason, notes));
}

/** Null when the file is no lone Vorbis stream, is above the target or leaves a doubt: it is converted then. */
async function keepVorbis(
  job: TranscodeInput,
  onProgress: (share: number) => void,
): Promise<Result<Transcoded> | null> {
  if (job.input.size > KEEP_LIMIT || ascii(await readBytes(job.input, 0, 4), 0, 4) !== 'OggS') return null;
  const bytes = new Uint8Array(await job.input.arrayBuffer());
  // The source's own checksums first: new ones are written below, and would hide what was wrong.
  if (!isWhole(bytes)) return null;
  const headers = vorbisHeaders(bytes);
  if (!headers || !isUnderTarget(headers, bytes.length, job)) return null;
  const expected: Expected = { samples: null, tags: job.tags, cover: job.cover ?? null };
  const output = retag(bytes, headers, expected.tags, expected.cover);
  const checked = await verifyOutput(output, expected, progressOf(job.durationMs, 0, 1, onProgress));
  if (typeof checked === 'string' || !agrees(checked.info.duration_ms, job.durationMs)) return null;
  return ok(done(output, checked, 'kept: vorbis at or under target', []));
}

function isWhole(bytes: Uint8Array): boolean {
  const reader = new OggVorbisReader('input');
  reader.push(bytes);
  return reader.finish().ok;
}

function agrees(ms: number, probed: number | null): boolean {
  return probed === null || Math.abs(ms - probed) <= 50;
}

/** By the bitrate that the encoder aimed at, or the average when it does not say. */
function isUnderTarget(headers: VorbisHeaders, size: number, job: TranscodeInput): boolean {
  const step = Object.entries(VORBIS_QUALITY).find(([, quality]) => quality === job.quality);
  // Outside the nominal steps: -1 is about 45 kbit/s, 10 about 500.
  const kbits = step ? Number.parseInt(step[0], 10) : job.quality < 0 ? 45 : 500;
  const average = job.durationMs ? (size * 8000) / job.durationMs : Infinity;
  // The steps are for two channels.
  return (headers.nominalBitrate || average) <= (kbits * 1000 * headers.channels) / 2;
}

function done(bytes: Uint8Array<ArrayBuffer>, checked: Verified, reason: string, notes: string[]): Transcoded {
  const { samples, duration_ms } = checked.info;
  return {
    bytes,
    samples,
    duration_ms,
    conversion_reason: [reason, ...notes].join(', '),
    verified: checked.verified,
  };
}

function unverified(job: TranscodeInput, wrong: string): Failure {
  const words = `"${job.name}" was converted, but the output did not pass its check: ${wrong}.`;
  return failure('verification_failed', words, { subject: job.name });
}

function conversionFailure(thrown: unknown, name: string): Failure {
  const known = toFailure(thrown, name);
  if (known.code !== 'internal') return known;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return failure('conversion_failed', `"${name}" could not be converted: ${reason}`, { subject: name });
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
