/** Finds out what an audio file is: length, codec, tags, cover; and whether it is whole. */
import type { ProbeOutcome } from '#core/media.ts';
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { familyOf, kindLabel, type FileKind } from '#core/ingest/file-kinds.ts';
import { HEAD_BYTES, sniff } from '#core/ingest/sniff.ts';
import { flacCueSheet } from './flac-cue.ts';
import type { AudioHeader } from './headers/audio-header.ts';
import { readBytes } from './headers/bytes.ts';
import { kindOf, readerOf, readOrNull } from './headers/read.ts';
import { canHold, clock, isCutShort, isLength } from './length.ts';
import { paged } from './paged-blob.ts';
import { readTags } from './tags.ts';

/** A longer CUE sheet is none. Characters. */
const CUE_LIMIT = 256 * 1024;

/** Kinds outside the audio family in which the ffmpeg core may still find sound. */
const WORTH_A_TRY: FileKind[] = ['matroska', 'quicktime', 'ogg-other', 'unknown'];

/**
 * Probes one file. Reads only headers, tags and tails where the format allows; where it does not, the
 * ffmpeg core decodes the file and counts. `name` is how the file arrived and is only used in words.
 *
 * Fails with `file_empty`, `file_mislabelled` (it is something else), `file_damaged` (no sound in it,
 * or cut off: its header promises more than 1 % and 1 s above what is there) or `file_unreadable`.
 */
export async function probeBlob(blob: Blob, name: string): Promise<Result<ProbeOutcome>> {
  if (blob.size === 0) return fail(failure('file_empty', `"${name}" is empty (0 bytes).`, { subject: name }));
  try {
    const file = paged(blob);
    const kind = await kindOf(file);
    if (familyOf(kind) !== 'audio' && !WORTH_A_TRY.includes(kind))
      return fail(failure('file_mislabelled', `"${name}" is not audio but ${kindLabel(kind)}.`, { subject: name }));
    const header = await readHeader({ blob, file }, name, kind);
    if (!header.ok) return header;
    const harm = damageOf(header.value, name);
    if (harm) return fail(harm);
    const { tags, cover, cue: tagged } = await readTags(blob, kind, file);
    // One among the tags has titles, one in a block of its own has none.
    const cue = tagged ?? (kind === 'flac' ? await flacCueSheet(file) : null);
    return ok({ ...toOutcome(header.value, tags, cover), ...(cue === null ? {} : { cue: cue.slice(0, CUE_LIMIT) }) });
  } catch (thrown) {
    if (thrown instanceof DOMException && (thrown.name === 'NotReadableError' || thrown.name === 'NotFoundError'))
      return fail(failure('file_unreadable', `"${name}" cannot be read any more.`, { subject: name }));
    return fail(toFailure(thrown, name));
  }
}

async function readHeader(
  { blob, file }: { blob: Blob; file: Blob },
  name: string,
  kind: FileKind,
): Promise<Result<AudioHeader>> {
  const reader = readerOf(kind);
  const said = reader ? await readOrNull(reader, file) : null;
  const header = said && believed(said, blob.size);
  if (header && (header.duration_ms !== null || header.torn)) return ok(header);
  // Loaded only now: most files never need the core.
  const { readByDecoding } = await import('./headers/decode.ts');
  const decoded = await readByDecoding(blob, name);
  if (!decoded.header) {
    // Whatever it says: no decoder finds anything in it.
    if (said?.duration_ms === 0) return ok(said);
    const why = kind === 'unknown' ? await unknownWords(blob) : decoded.reason;
    return fail(failure('file_damaged', `"${name}" could not be read as audio: ${why}.`, { subject: name }));
  }
  if (!header) return ok(decoded.header);
  return ok({ ...header, duration_ms: decoded.header.duration_ms });
}

/** SAFE-23: without a length that the file cannot have; a decode finds out then. */
function believed(header: AudioHeader, bytes: number): AudioHeader {
  const { duration_ms: present, declared_ms: declared, lossless } = header;
  const isHeld = present !== null && canHold(bytes, present, lossless);
  // What was promised and what is there are one number then: that of the same lie.
  const isPromise = declared !== null && isLength(declared) && (present === null || isHeld || declared < present);
  return { ...header, duration_ms: isHeld ? present : null, declared_ms: isPromise ? declared : null };
}

const isAudio = (kind: FileKind): boolean => familyOf(kind) === 'audio';

/** Zeros before the beginning, as a broken download leaves them, are the usual reason. */
async function unknownWords(blob: Blob): Promise<string> {
  const head = await readBytes(blob, 0, 2 * HEAD_BYTES);
  const zeros = head.findIndex((byte) => byte !== 0);
  if (zeros < 0) return `it ${head.length === blob.size ? 'is nothing but' : 'begins with'} zeros`;
  // The beginning itself may have up to three zeros, as an MP4's has.
  const start = [0, 1, 2, 3].map((own) => zeros - own).find((at) => at >= 16 && isAudio(sniff(head.subarray(at))));
  if (start === undefined) return 'no known audio format in it';
  return `${start} zero bytes stand before its ${kindLabel(sniff(head.subarray(start)))}`;
}

/** The failure of a file that cannot be whole; null for a good one. */
export function damageOf(header: AudioHeader, name: string): Failure | null {
  const { duration_ms: present, declared_ms: declared, torn } = header;
  if (torn) return failure('file_damaged', `"${name}" is cut off: ${torn}.`, { subject: name });
  if (present !== null && declared !== null && isCutShort(present, declared))
    return failure('file_damaged', `"${name}" is cut off: ${clock(present)} of ${clock(declared)} are there.`, {
      subject: name,
    });
  if (present !== null && present <= 0)
    return failure('file_damaged', `"${name}" has no sound in it (its length is 0:00).`, { subject: name });
  return null;
}

function toOutcome(header: AudioHeader, tags: ProbeOutcome['tags'], cover: ProbeOutcome['cover']): ProbeOutcome {
  const { duration_ms, audio_bytes } = header;
  return {
    duration_ms: duration_ms === null ? null : Math.round(duration_ms),
    codec: header.codec,
    container: header.container,
    bitrate: duration_ms && audio_bytes ? Math.round((audio_bytes * 8000) / duration_ms) : null,
    sample_rate: header.sample_rate,
    channels: header.channels,
    lossless: header.lossless,
    tags,
    cover,
    ...(header.note === undefined ? {} : { notes: [header.note] }),
  };
}
