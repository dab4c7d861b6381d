/** A guide's file on this machine, unpacked where it is packed. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isGzip } from '#lanes/guide/bytes/guide-text.ts';
import { BrokenSource, type GuideBytes } from '#lanes/guide/bytes/read-guide.ts';

const PIECE = 256 * 1024;

/** Throws what the file system says where there is no such file. */
export async function openGuideFile(path: string): Promise<GuideBytes> {
  const handle = await open(path);
  const head = new Uint8Array(2);
  try {
    await handle.read(head, 0, 2, 0);
  } finally {
    await handle.close();
  }
  return isGzip(head) ? unpacked(path) : plain(path);
}

async function* plain(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE })) yield piece as Uint8Array;
  } catch (error) {
    throw new BrokenSource('The file could not be read to its end.', { cause: error });
  }
}

/** What was unpacked before a damage is given out. */
async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: PIECE });
  const gunzip = createGunzip({ chunkSize: PIECE });
  const pieces: Uint8Array[] = [];
  let isOver = false;
  let failure: unknown = null;
  let wake: () => void = () => undefined;
  gunzip.on('data', (piece: Uint8Array) => {
    pieces.push(piece);
    gunzip.pause();
    wake();
  });
  const over = (error?: unknown): void => {
    isOver = true;
    failure ??= error ?? null;
    wake();
  };
  gunzip.on('end', () => over());
  gunzip.on('error', over);
  file.on('error', over);
  file.pipe(gunzip);
  try {
    for (;;) {
      const piece = pieces.shift();
      if (piece !== undefined) yield piece;
      else if (isOver) break;
      else {
        const woken = new Promise<void>((resolve) => (wake = resolve));
        gunzip.resume();
        await woken;
      }
    }
    if (failure !== null)
      throw new BrokenSource('Its gzip is damaged or breaks off; what could be unpacked was read.', { cause: failure });
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}
