/** An output counts only when it was read back by others than those that wrote it. */
import { OggVorbisReader } from '#core/ingest/ogg-vorbis.ts';
import type { OggVorbisInfo } from '#core/ingest/ogg-vorbis.ts';
import { openFfmpeg } from './ffmpeg-core.ts';
import { readLog, reasonOf } from './ffmpeg-log.ts';
import type { Cover } from './tags.ts';
import { cleanTags, PICTURE_KEY } from './vorbis-comment.ts';

/** Encoder delay and padding may move the length by this much. Milliseconds. */
const LENGTH_TOLERANCE_MS = 50;

export interface Expected {
  /** Samples per channel at the output's rate; null when the source's length is not known. */
  samples: number | null;
  tags: Record<string, string>;
  cover: Cover | null;
}

export interface Verified {
  info: OggVorbisInfo;
  /** What was checked, for the trace: `checksums of all pages`, `length 10584000 samples`, ... */
  verified: string[];
}

/**
 * Checks an Ogg Vorbis file: pages and checksums by the reader that the server uses too, length, tags,
 * the cover as music-metadata reads it, a full decode by ffmpeg without an error. A string says what is
 * wrong, to follow "the output: ".
 */
export async function verifyOutput(
  bytes: Uint8Array<ArrayBuffer>,
  expected: Expected,
  onTime: (ms: number) => void = () => undefined,
): Promise<Verified | string> {
  const reader = new OggVorbisReader('output');
  reader.push(bytes);
  const read = reader.finish();
  if (!read.ok) return read.failure.message;
  const info = read.value;
  const verified = ['checksums of all pages'];
  const tolerance = (info.sample_rate * LENGTH_TOLERANCE_MS) / 1000;
  if (expected.samples !== null && Math.abs(info.samples - expected.samples) > tolerance) {
    return `it is ${info.samples} samples long, the source ${expected.samples}`;
  }
  verified.push(`length ${info.samples} samples`);
  const wrong =
    tagsDiffer(info, expected) ??
    (await coverDiffers(bytes, expected.cover)) ??
    (await decodeFails(bytes, info.samples, tolerance, onTime));
  if (wrong !== null) return wrong;
  verified.push(`tags ${Object.keys(cleanTags(expected.tags)).length} read back`);
  if (expected.cover) verified.push(`cover ${expected.cover.mime} ${expected.cover.bytes.length} bytes read back`);
  verified.push('decodes without error');
  return { info, verified };
}

async function decodeFails(
  bytes: Uint8Array<ArrayBuffer>,
  samples: number,
  tolerance: number,
  onTime: (ms: number) => void,
): Promise<string | null> {
  const input = 'output.ogg';
  const args = ['-v', 'verbose', '-i', input, '-map', '0:a:0', '-f', 'null', '-'];
  const run = await openFfmpeg().run(args, { inputs: [{ name: input, data: bytes }], outputs: [] }, onTime);
  if (run.code !== 0 || run.decodeErrors > 0) return `it does not decode: ${reasonOf(run.log)}`;
  const { decoded } = readLog(run.log);
  if (decoded === null || Math.abs(decoded - samples) > tolerance)
    return `${decoded ?? 0} of its ${samples} samples decode`;
  return null;
}

/** What was asked for stands there, once and unchanged, and nothing else does. */
function tagsDiffer(info: OggVorbisInfo, expected: Expected): string | null {
  const wanted = cleanTags(expected.tags);
  const found = Object.keys(info.comments).filter((key) => key !== PICTURE_KEY);
  const differs = Object.entries(wanted).find(([key, value]) => {
    const values = Object.hasOwn(info.comments, key) ? (info.comments[key] ?? []) : [];
    return values.length !== 1 || values[0] !== value;
  });
  if (differs) return `the tag ${differs[0]} does not read back`;
  const extra = found.find((key) => !Object.hasOwn(wanted, key));
  return extra === undefined ? null : `it has a tag that nobody asked for (${extra})`;
}

async function coverDiffers(bytes: Uint8Array<ArrayBuffer>, cover: Cover | null): Promise<string | null> {
  if (!cover) return null;
  // Only now: a batch without covers never needs it here.
  const { parseBuffer } = await import('music-metadata');
  const { common } = await parseBuffer(bytes, { mimeType: 'audio/ogg', size: bytes.length }, { duration: false });
  const data = common.picture?.[0]?.data;
  return data && sameBytes(data, cover.bytes) ? null : 'the cover does not read back';
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
