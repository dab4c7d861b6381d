/** From a file's first bytes to the reader of its header. */
import { familyOf, type FileKind } from '#core/ingest/file-kinds.ts';
import { HEAD_BYTES, sniff } from '#core/ingest/sniff.ts';
import { readAac } from './aac.ts';
import { readAc3 } from './ac3.ts';
import { readAiff } from './aiff.ts';
import { readApe } from './ape.ts';
import { readAsf } from './asf.ts';
import { wholeHeader, type AudioHeader, type HeaderReader } from './audio-header.ts';
import { id3v2Length, readBytes } from './bytes.ts';
import { readCaf } from './caf.ts';
import { readDsf } from './dsf.ts';
import { readFlac } from './flac.ts';
import { readMp3 } from './mp3.ts';
import { readMp4 } from './mp4.ts';
import { readOgg } from './ogg.ts';
import { readTta } from './tta.ts';
import { readW64, readWav } from './wav.ts';
import { readWavpack } from './wavpack.ts';

/** Kinds whose length is in their own structure. */
const READERS: Partial<Record<FileKind, HeaderReader>> = {
  mp3: readMp3,
  flac: readFlac,
  vorbis: readOgg,
  opus: readOgg,
  'ogg-flac': readOgg,
  mp4: readMp4,
  quicktime: readMp4,
  wav: readWav,
  rf64: readWav,
  aiff: readAiff,
  aifc: readAiff,
  asf: readAsf,
  aac: readAac,
  ac3: readAc3,
  wavpack: readWavpack,
  tta: readTta,
  caf: readCaf,
  w64: readW64,
  ape: readApe,
  dsd: readDsf,
};

/** Undefined for a kind whose length only a decode can tell. */
export function readerOf(kind: FileKind): HeaderReader | undefined {
  return READERS[kind];
}

/** By content; what follows ID3v2 tags decides, since a cover in them can be megabytes long. */
export async function kindOf(blob: Blob): Promise<FileKind> {
  const start = await id3v2Length(blob);
  const kind = sniff(await readBytes(blob, start, start + HEAD_BYTES));
  return start > 0 && familyOf(kind) !== 'audio' ? 'unknown' : kind;
}

/** A header so broken that its reader runs out of the bytes says nothing; the decoder is asked then. */
export async function readOrNull(reader: HeaderReader, blob: Blob): Promise<AudioHeader | null> {
  try {
    const said = await reader(blob);
    return said && wholeHeader(said);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** The header as far as the file's own structure gives it; null where only a decode can tell. */
export async function headerOf(blob: Blob): Promise<AudioHeader | null> {
  const reader = readerOf(await kindOf(blob));
  return reader ? readOrNull(reader, blob) : null;
}
