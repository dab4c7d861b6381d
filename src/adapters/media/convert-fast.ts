/**
 * The fast way: the browser decodes (or, of FLAC, our own decoder where its is missing or stops), the small encoder encodes, in
 * pieces, so that memory does not grow with the file. Whatever is not as it should be is no failure but a reason to let
 * ffmpeg do it.
 */
import { AccessionError, messageOf } from '#core/errors.ts';
import type { BlobRef } from '#core/ports.ts';
import type { FastSource } from './fast/source.ts';
import { DecoderDoubt, type Planes } from './fast/trim.ts';
import { Witness } from './fast/witness.ts';
import { isCutShort } from './length.ts';
import { reasonFor } from './reason.ts';
import type { OutputStore, TranscodeInput } from './transcode.types.ts';
import { verifyOutput, type Verified } from './verify.ts';

export interface FastOutput extends Verified {
  ref: BlobRef;
  reason: string;
}

export interface NotFast {
  /** To follow "because ". */
  why: string;
  /** Of the source, when all of it was heard. */
  witness?: Witness;
  /** What the witness said of the fast way's output, where that was the doubt. */
  sound?: string | null;
  /** The browser's decoder is at fault, and there is another one. */
  anotherDecoder?: true;
}

/** This browser's decoder of FLAC has stopped in the middle of a file: it is not asked again. */
let flacStopped = false;

export interface Progress {
  encoded(ms: number): void;
  verified(ms: number): void;
}

/**
 * Converts and verifies. `why` says why ffmpeg has to do it. Throws AccessionError when the
 * output cannot be stored, or libvorbis not loaded: ffmpeg's could not be either, or not be verified.
 */
export async function convertFast(
  job: TranscodeInput,
  store: OutputStore,
  progress: Progress,
): Promise<FastOutput | NotFast> {
  if (job.fast === false) return { why: 'it was asked for' };
  const first = await convertOnce(job, store, progress);
  if ('ref' in first || !first.anotherDecoder) return first;
  flacStopped = true;
  return convertOnce(job, store, progress);
}

async function convertOnce(job: TranscodeInput, store: OutputStore, progress: Progress): Promise<FastOutput | NotFast> {
  let source: FastSource | string;
  try {
    const { openFastSource } = await import('./fast/source.ts');
    source = await openFastSource(job.input, { fromMs: job.segment?.start_ms ?? 0, ownFlac: flacStopped });
  } catch (thrown) {
    return { why: messageOf(thrown) };
  }
  if (typeof source === 'string') return { why: source };
  try {
    const { stretchOf } = await import('./fast/source.ts');
    const wanted = job.segment ? stretchOf(source, job.segment) : source;
    return await convertSource(job, wanted, store, progress);
  } finally {
    source.close();
  }
}

async function convertSource(
  job: TranscodeInput,
  source: FastSource,
  store: OutputStore,
  progress: Progress,
): Promise<FastOutput | NotFast> {
  const { sampleRate, samples } = source;
  const ms = (samples * 1000) / sampleRate;
  if (job.durationMs !== null && (isCutShort(ms, job.durationMs) || isCutShort(job.durationMs, ms)))
    return { why: 'its length is not as it was probed' };
  const witness = new Witness(job.quality);
  // The store puts its own words around what a source throws: what it was is kept here.
  const trouble: unknown[] = [];
  let ref: BlobRef;
  try {
    const { encodeOgg } = await import('./vorbis/encoder.ts');
    const sound = heard(source.blocks(), witness, (at) => progress.encoded((at * 1000) / sampleRate));
    const { quality, tags, cover = null } = job;
    const stream = encodeOgg(sound, { sampleRate, channels: source.channels, quality, tags, cover });
    ref = await store.put(noting(trouble, stream));
  } catch (thrown) {
    const cause = trouble.length > 0 ? trouble[0] : thrown;
    if (cause instanceof AccessionError) throw cause;
    return { why: messageOf(cause), ...(isBrowsers(cause, source) ? { anotherDecoder: true } : {}) };
  }
  const expected = { samples, tags: job.tags, cover: job.cover ?? null, witness };
  const checked = await verifyOutput(await store.file(ref.sha256), expected, progress.verified);
  if (typeof checked === 'string') {
    const sound = witness.verdict() === checked ? checked : null;
    return { why: `its output did not pass the check: ${checked}`, witness, sound };
  }
  const by = source.own ? ', own decoder' : '';
  return { ...checked, ref, reason: `${reasonFor(source, job.quality)}${by}, fast` };
}

function isBrowsers(cause: unknown, { codec, own }: FastSource): boolean {
  return cause instanceof DecoderDoubt && codec === 'flac' && !own;
}

async function* heard(
  blocks: AsyncIterable<Planes>,
  witness: Witness,
  onSamples: (at: number) => void,
): AsyncGenerator<Planes> {
  let at = 0;
  for await (const block of blocks) {
    witness.hear(block);
    at += block[0]?.length ?? 0;
    onSamples(at);
    yield block;
  }
}

async function* noting(trouble: unknown[], chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (thrown) {
    trouble.push(thrown);
    throw thrown;
  }
}
