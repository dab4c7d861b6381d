/** Plain tar files (ustar) of a few kinds of entries with short names, so that `tar tf` reads a backup, too. */
import type { FileHandle } from 'node:fs/promises';
import { tarHeader } from '#core/ingest/tar-header.ts';

const BLOCK = 512;
const NOTHING = new Uint8Array(0);

/** @param size bytes that `chunks` has. Throws when it has another number of them. */
export async function writeEntry(
  file: FileHandle,
  name: string,
  size: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await file.write(header(name, size));
  let written = 0;
  for await (const chunk of chunks) {
    await file.write(chunk);
    written += chunk.length;
  }
  if (written !== size) throw new Error(`${name} changed while it was read: ${written} bytes, not ${size}`);
  await file.write(Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK));
}

/** The two empty blocks that end a tar file. */
export async function writeEnd(file: FileHandle): Promise<void> {
  await file.write(Buffer.alloc(2 * BLOCK));
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export interface TarEntry {
  name: string;
  size: number;
  /** To be read to its end before the next entry is asked for. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Throws when the file ends before it should or holds something else. */
export async function* readEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const found = tarHeader(block);
    if (found === null) throw new Error('this is no tar file, or a damaged one');
    const { size } = found;
    yield { name: Buffer.from(found.name).toString('utf8'), size, chunks: bytes.stream(size) };
    await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Uint8Array = NOTHING;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of this.stream(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *stream(count: number): AsyncGenerator<Uint8Array> {
    let left = count;
    while (left > 0) {
      if (this.#kept.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) throw new Error('the file ends too early: it is not whole');
        this.#kept = next.value;
      }
      const part = this.#kept.subarray(0, left);
      this.#kept = this.#kept.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
