/** A guide's file on this machine, unpacked where it is packed. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isGzip } from '#lanes/guide/bytes/guide-text.ts';
import { BrokenSource, type GuideBytes } from '#lanes/guide/bytes/read-guide.ts';
import { gunzipped } from './gunzipped.ts';

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
  return isGzip(head) ? gunzipped(createReadStream(path, { highWaterMark: PIECE })) : plain(path);
}

async function* plain(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE })) yield piece as Uint8Array;
  } catch (error) {
    throw new BrokenSource('The file could not be read to its end.', { cause: error });
  }
}
