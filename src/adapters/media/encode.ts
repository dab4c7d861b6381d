/** The ffmpeg core as an encoder: any sound in, Ogg Vorbis without tags out. */
import { failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { openFfmpeg, type FfmpegRun } from './ffmpeg-core.ts';
import { readLog, reasonOf, type LogFacts } from './ffmpeg-log.ts';
import { isLossless, safeName } from './headers/decode.ts';
import { headerOf } from './headers/read.ts';
import { clock, isCutShort } from './length.ts';
import { reasonFor } from './reason.ts';
import type { TranscodeInput } from './transcode.types.ts';

/** What libvorbis takes. Hz, channels. */
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;
const MAX_CHANNELS = 8;

const OUTPUT = 'output.ogg';

export interface Encoded {
  output: Blob;
  /** Samples per channel at the output's rate that came from the source. */
  samples: number;
  /** `flac -> vorbis q9`. */
  reason: string;
  /** `resampled from 352800 to 176400 Hz`, `2 decoding errors in the source`. */
  notes: string[];
}

/**
 * Encodes the first audio stream. A rate that Vorbis does not have is resampled and said in the
 * notes. Fails with `file_damaged` when the sound does not decode to the probed length,
 * with `conversion_failed` for everything else; throws when the ffmpeg core cannot be loaded.
 */
export async function encodeVorbis(job: TranscodeInput, onTime: (ms: number) => void): Promise<Result<Encoded>> {
  if (job.channels !== null && job.channels > MAX_CHANNELS) return fail(tooManyChannels(job, job.channels));
  const end = `${await endOf(job)}${stretchOf(job)}`;
  let shape = fitting(job.sampleRate);
  let run = await encode(job, { end, shape: shape.args }, onTime);
  let facts = readLog(run.log);
  const late = fitting(facts.sampleRate);
  if (run.code !== 0 && late.args.join() !== shape.args.join()) {
    // The probe did not know the rate; the log of the failed run does.
    shape = late;
    run = await encode(job, { end, shape: shape.args }, onTime);
    facts = readLog(run.log);
  }
  const output = outputOf(run);
  if (run.code !== 0 || !output || !facts.decoded || !facts.encoded) return fail(refusal(job, run, facts));
  // Of a part of a file all before it is decoded too; what counts is what was encoded, at the rate of the output.
  const part = job.segment !== undefined;
  const resampled = shape.notes.length > 0;
  const harm =
    part && resampled ? null : lengthHarm(job, part ? { ...facts, decoded: facts.encoded } : facts, run.decodeErrors);
  if (harm) return fail(harm);
  const { decodeErrors } = run;
  const notes = [...shape.notes];
  if (decodeErrors > 0) notes.push(`${decodeErrors} decoding ${decodeErrors === 1 ? 'error' : 'errors'} in the source`);
  return ok({ output, samples: facts.encoded, reason: reason(job, facts), notes });
}

/**
 * Where the music ends, as ffmpeg's cut, when ffmpeg would not see it: it trims what an MP4's edit list puts before the
 * music and leaves what the encoder padded behind it.
 */
async function endOf(job: TranscodeInput): Promise<string> {
  const header = await headerOf(job.input);
  if (header?.container !== 'mp4' || header.duration_ms === null || header.skip === null) return '';
  return `,atrim=end=${(header.duration_ms / 1000).toFixed(6)}`;
}

/** One track of an album image, as ffmpeg's cut. */
function stretchOf({ segment, sampleRate }: TranscodeInput): string {
  if (!segment) return '';
  const { start_ms, end_ms } = segment;
  const at = (ms: number): string => (sampleRate ? `_sample=${Math.round((ms * sampleRate) / 1000)}` : `=${ms / 1000}`);
  const end = end_ms === null ? '' : `:end${at(end_ms)}`;
  return `,atrim=start${at(start_ms)}${end},asetpts=round(N/SR/TB)`;
}

function encode(
  job: TranscodeInput,
  { end, shape }: { end: string; shape: string[] },
  onTime: (ms: number) => void,
): Promise<FfmpegRun> {
  const input = safeName(job.name);
  const source = ['-v', 'verbose', '-i', input, '-map', '0:a:0'];
  const bare = ['-vn', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  // Some decoders' first frame is late; counted anew, the output is as long as what was decoded. Rounded, since a
  // time that is cut down to a whole number (44.1 kHz: every eighth) would end the sound a sample early.
  const clockwork = ['-af', `asetpts=round(N/SR/TB)${end}`];
  // Bit-exact: the same source gives the same bytes, so that a repeated conversion is the same blob.
  const codec = ['-fflags', '+bitexact', '-flags:a', '+bitexact', '-c:a', 'libvorbis', '-q:a', `${job.quality}`];
  return openFfmpeg().run(
    [...source, ...bare, ...clockwork, ...shape, ...codec, OUTPUT],
    { inputs: [{ name: input, data: job.input }], outputs: [OUTPUT], streams: [OUTPUT] },
    onTime,
  );
}

/** Null when nothing was written. */
function outputOf({ blobs, outputs }: FfmpegRun): Blob | null {
  const bytes = outputs.get(OUTPUT);
  const output = blobs?.get(OUTPUT) ?? (bytes && new Blob([bytes]));
  return output && output.size > 0 ? output : null;
}

/** What must be changed so that Vorbis can hold it. */
function fitting(rate: number | null): { args: string[]; notes: string[] } {
  const args: string[] = [];
  const notes: string[] = [];
  if (rate !== null && (rate > MAX_RATE || rate < MIN_RATE)) {
    let target = rate;
    // Whole divisors keep the family of 44.1 or 48 kHz.
    while (target > MAX_RATE) target /= 2;
    target = Math.max(MIN_RATE, Math.round(target));
    args.push('-ar', `${target}`);
    notes.push(`resampled from ${rate} to ${target} Hz`);
  }
  return { args, notes };
}

/** How so many should be mixed down is not known. */
function tooManyChannels(job: TranscodeInput, channels: number): Failure {
  const words = `"${job.name}" has ${channels} channels; Ogg Vorbis is made of at most ${MAX_CHANNELS}.`;
  const remedy = 'Mix it down to stereo with an audio editor and drop that.';
  return failure('conversion_failed', words, { subject: job.name, remedy });
}

function refusal(job: TranscodeInput, run: FfmpegRun, facts: LogFacts): Failure {
  if (facts.channels !== null && facts.channels > MAX_CHANNELS) return tooManyChannels(job, facts.channels);
  const reason = reasonOf(run.log);
  // Nothing came out of the decoder: the source is at fault, not the encoder.
  if (facts.sampleRate === null || (run.code === 0 && !facts.decoded))
    return failure('file_damaged', `"${job.name}" could not be decoded: ${reason}.`, { subject: job.name });
  return failure('conversion_failed', `"${job.name}" could not be converted: ${reason}.`, { subject: job.name });
}

/** The failure of a source whose sound is not as long as the probe said; null when it is. */
function lengthHarm(job: TranscodeInput, facts: LogFacts, errors: number): Failure | null {
  const { durationMs, name } = job;
  const decodedMs = ((facts.decoded ?? 0) * 1000) / (facts.sampleRate ?? 1);
  if (durationMs === null) return null;
  if (isCutShort(decodedMs, durationMs)) {
    const where = errors > 0 ? ` (${errors} decoding errors)` : '';
    const words = `"${name}" is damaged: only ${clock(decodedMs)} of ${clock(durationMs)} could be decoded${where}.`;
    return failure('file_damaged', words, { subject: name });
  }
  if (isCutShort(durationMs, decodedMs)) {
    const words = `"${name}" says that it is ${clock(durationMs)} long, but ${clock(decodedMs)} come out of it.`;
    return failure('file_damaged', words, { subject: name });
  }
  return null;
}

function reason(job: TranscodeInput, facts: LogFacts): string {
  const codec = facts.codec ?? 'unknown';
  const seconds = (facts.decoded ?? 0) / (facts.sampleRate ?? 1);
  const kbits = facts.kbits ?? (seconds > 0 ? Math.round((job.input.size * 8) / seconds / 1000) : null);
  return reasonFor({ codec, lossless: isLossless(codec), kbits }, job.quality);
}
