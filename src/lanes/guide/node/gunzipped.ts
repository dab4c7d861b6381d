/** What a gzip holds, as far as it can be unpacked. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BrokenSource } from '#lanes/guide/bytes/read-guide.ts';

const PIECE = 256 * 1024;

/** What was unpacked before a damage is given out; then it throws BrokenSource. */
export async function* gunzipped(file: Readable): AsyncGenerator<Uint8Array> {
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
