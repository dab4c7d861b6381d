/** An output counts only when it was read back by others than those that wrote it. */
import { OggVorbisReader, type OggVorbisInfo } from './ogg/ogg-vorbis.ts';
import type { Witness } from './fast/witness.ts';
import { blobRange } from './blob-pieces.ts';
import { readBytes } from './headers/bytes.ts';
import { vorbisHead, type VorbisHeaders } from './ogg/ogg-retag.ts';
import type { Cover } from './tags.ts';
import { cleanTags, PICTURE_KEY } from './vorbis-comment.ts';
import { VorbisDecoder } from './vorbis/decoder.ts';

/** A decoder may put out what lies behind the marked end of the last packet, one block at most. Samples. */
const LONGEST_BLOCK = 8192;
/** The comments and the cover are at the front; this much behind them lets a reader see that sound follows. Bytes. */
const BEHIND_HEADERS = 128 * 1024;

export interface Expected {
  /** Samples per channel at the output's rate; null when the source's length is not known. */
  samples: number | null;
  tags: Record<string, string>;
  cover: Cover | null;
  /** What of the source's sound the output is compared with, where it was heard. */
  witness?: Witness | undefined;
  /** What it said of another encoder's output: where both say the same, it is how Vorbis of that quality sounds. */
  agreed?: string | null;
}

export interface Verified {
  info: OggVorbisInfo;
  /** What was checked, for the trace: `checksums of all pages`, `length 10584000 samples`, ... */
  verified: string[];
}

/**
 * Checks an Ogg Vorbis file, read piece by piece: pages and checksums by the reader that the server uses too, the
 * length to the sample, tags, the cover as music-metadata reads it, a full decode without an error by libvorbis in an
 * instance of its own (of the same build as the fast encoder, whose outputs tests hold against other decoders), and what the decode sounds like, where the source was
 * heard. A string says what is wrong, to follow "the output: ". Throws
 * AccessionError `offline` when the decoder cannot be fetched.
 */
export async function verifyOutput(
  output: Blob,
  expected: Expected,
  onTime: (ms: number) => void = () => undefined,
): Promise<Verified | string> {
  const head = await vorbisHead(output);
  if (!head) return 'it does not begin with the headers of Vorbis';
  const decoder = await VorbisDecoder.open((at, planes) => expected.witness?.compare(at, planes()));
  const reader = new OggVorbisReader('output', (page) => decoder.take(page));
  for await (const piece of blobRange(output)) {
    reader.push(piece);
    onTime((decoder.samples * 1000) / head.sampleRate);
  }
  const read = reader.finish();
  if (!read.ok) return read.failure.message;
  const info = read.value;
  if (expected.samples !== null && info.samples !== expected.samples)
    return `it is ${info.samples} samples long, the source ${expected.samples}`;
  const wrong =
    tagsDiffer(info, expected) ??
    (await coverDiffers(output, head, expected.cover)) ??
    decodeDiffers(decoder, info.samples);
  if (wrong !== null) return wrong;
  const sound = expected.witness?.verdict() ?? null;
  if (sound !== null && sound !== expected.agreed) return sound;
  const verified = ['checksums of all pages', `length ${info.samples} samples`];
  verified.push(`tags ${Object.keys(cleanTags(expected.tags)).length} read back`);
  if (expected.cover) verified.push(`cover ${expected.cover.mime} ${expected.cover.bytes.length} bytes read back`);
  verified.push('decodes without error');
  if (sound === null) verified.push(...(expected.witness?.steps() ?? []));
  else verified.push(`${sound}, as another encoder makes it too`);
  return { info, verified };
}

function decodeDiffers({ problem, samples: decoded }: VorbisDecoder, samples: number): string | null {
  if (problem !== null) return `it does not decode: ${problem}`;
  return decoded >= samples && decoded - samples < LONGEST_BLOCK ? null : `${decoded} of its ${samples} samples decode`;
}

/** What was asked for is there, once and unchanged, and nothing else does. */
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

async function coverDiffers(output: Blob, head: VorbisHeaders, cover: Cover | null): Promise<string | null> {
  if (!cover) return null;
  // Only now: a batch without covers never needs it here.
  const { parseBuffer } = await import('music-metadata');
  const bytes = await readBytes(output, 0, head.audioAt + BEHIND_HEADERS);
  const { common } = await parseBuffer(bytes, { mimeType: 'audio/ogg', size: bytes.length }, { duration: false });
  const data = common.picture?.[0]?.data;
  return data && sameBytes(data, cover.bytes) ? null : 'the cover does not read back';
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
