/** Reads a guide out of bytes, wherever they come from; what cannot be read is a sentence, and what came before stays. */
import type { Cancel } from '#core/ports.ts';
import {
  GuideReader,
  READ_LIMITS,
  type GuideHandler,
  type ReadGuide,
  type ReadLimits,
} from '#lanes/guide/core/read/guide-reader.ts';
import { GuideText, Undecodable } from './guide-text.ts';

/** The most that is unpacked: bytes. */
export const MOST_BYTES = 512 * 1024 * 1024;

/** A source of unpacked bytes. It may fail on the way, with a sentence for a person. */
export type GuideBytes = AsyncIterable<Uint8Array>;

export interface ReadOptions {
  limits?: ReadLimits;
  mostBytes?: number;
  cancel?: Cancel;
  /** Called when what a piece held was told. */
  afterPiece?(): Promise<void>;
}

/** Throws only what `handler` throws. */
export async function readGuide(
  source: GuideBytes,
  handler: GuideHandler,
  options: ReadOptions = {},
): Promise<ReadGuide> {
  const { limits = READ_LIMITS, mostBytes = MOST_BYTES } = options;
  const reader = new GuideReader(handler, limits);
  const text = new GuideText();
  let bytes = 0;
  try {
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > mostBytes) {
        reader.stop(`It is larger than ${Math.round(mostBytes / 1024 / 1024)} MB; what came before was read.`);
        break;
      }
      if (options.cancel?.aborted === true) reader.stop('Reading was cancelled.');
      decode(reader, () => text.write(piece));
      await options.afterPiece?.();
      if (reader.stopped) break;
    }
    if (bytes === 0) reader.stop('The file is empty.');
    decode(reader, () => text.end());
  } catch (error) {
    if (!(error instanceof BrokenSource)) throw error;
    reader.stop(error.message);
  }
  return reader.end();
}

/** A source that could not be read to its end: a broken gzip, a lost file. */
export class BrokenSource extends Error {}

function decode(reader: GuideReader, read: () => string): void {
  if (reader.stopped) return;
  try {
    reader.write(read());
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    reader.write(error.before);
    reader.stop(error.message);
  }
}
