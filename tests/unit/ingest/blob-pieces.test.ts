import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { blobPieces } from '#adapters/media/blob-pieces.ts';

const PIECE = 1024 * 1024;
const bytes = Uint8Array.from({ length: 3 * PIECE + 5 }, (_, at) => (at * 31 + (at >> 12)) % 251);

/** A Blob whose stream ends, by an error or without one, behind so many bytes. */
class Broken extends Blob {
  readonly #whole: Blob;
  readonly #how: (controller: ReadableByteStreamController) => void;
  readonly #behind: number;

  constructor(behind: number, how: (controller: ReadableByteStreamController) => void) {
    super([bytes]);
    this.#whole = new Blob([bytes]);
    this.#behind = behind;
    this.#how = how;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const given = bytes.slice(0, this.#behind);
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => {
        controller.enqueue(given);
        this.#how(controller);
      },
    });
  }

  override slice(start?: number, end?: number): Blob {
    return this.#whole.slice(start, end);
  }
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function hashed(whole: Uint8Array): string {
  return createHash('sha256').update(whole).digest('hex');
}

describe('a blob in pieces', () => {
  it.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5])('gives all of %d bytes', async (size) => {
    expect(await hashOf(blobPieces(new Blob([bytes]).slice(0, size)))).toBe(hashed(bytes.subarray(0, size)));
  });

  it('gives pieces of 1 MiB that lie in one memory', async () => {
    const sizes: number[] = [];
    const earlier: ArrayBuffer[] = [];
    for await (const piece of blobPieces(new Blob([bytes]))) {
      // Memory that was read into again has no bytes left under its earlier name.
      expect(earlier.every((memory) => memory.byteLength === 0)).toBe(true);
      sizes.push(piece.length);
      earlier.push(piece.buffer);
    }
    expect(sizes).toEqual([PIECE, PIECE, PIECE, 5]);
  });

  it.each([
    ['breaks off', (controller: ReadableByteStreamController) => controller.error(new TypeError('network error'))],
    ['ends too early', (controller: ReadableByteStreamController) => controller.close()],
  ])('reads on where the stream %s', async (_, how) => {
    expect(await hashOf(blobPieces(new Broken(PIECE + 70_000, how)))).toBe(hashed(bytes));
  });

  it('reads in slices where blobs are no byte streams', async () => {
    const blob = new Blob([bytes]);
    vi.spyOn(blob, 'stream').mockReturnValue(new ReadableStream());
    expect(await hashOf(blobPieces(blob))).toBe(hashed(bytes));
  });

  it('says why what is missing cannot be read', async () => {
    const gone = new Broken(PIECE, (controller) => controller.close());
    const why = new DOMException('gone', 'NotReadableError');
    vi.spyOn(gone, 'slice').mockImplementation(() => {
      throw why;
    });
    await expect(hashOf(blobPieces(gone))).rejects.toBe(why);
  });

  it('lets the stream go when no more is wanted', async () => {
    const cancel = vi.fn();
    const blob = new Blob([bytes]);
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      type: 'bytes',
      pull: (controller) => controller.enqueue(new Uint8Array(PIECE)),
      cancel,
    });
    vi.spyOn(blob, 'stream').mockReturnValue(source);
    for await (const piece of blobPieces(blob)) if (piece.length > 0) break;
    expect(cancel).toHaveBeenCalledOnce();
  });
});
