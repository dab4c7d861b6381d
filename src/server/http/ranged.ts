import type { Context } from 'hono';
import type { FileHandle } from 'node:fs/promises';
import { piecesOf } from './folder-file.ts';
import { HttpError } from './http-error.ts';
import { readRange, streamOf } from './stream.ts';

/** A file that is given to be kept and not to be shown by the browser, whole or the range that was asked for. Throws HttpError 416. */
export function ranged(
  c: Context,
  { type, size }: { type: string; size: number },
  read: (start: number, end: number) => AsyncIterable<Uint8Array>,
): Response {
  c.header('Accept-Ranges', 'bytes');
  c.header('Content-Type', type);
  c.header('Content-Disposition', 'attachment');
  const range = readRange(c.req.header('range'), size);
  if (range === 'unsatisfiable')
    throw new HttpError('invalid', `The file has ${size} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${size}` },
    });
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
  c.header('Content-Length', String(end - start));
  if (range !== 'whole') c.header('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  const status = range === 'whole' ? 200 : 206;
  return c.req.method === 'HEAD' || size === 0 ? c.body(null, status) : c.body(streamOf(read(start, end)), status);
}

/** The same of an open file, which is closed afterwards. Throws HttpError 416. */
export async function rangedFile(
  c: Context,
  type: string,
  { handle, size }: { handle: FileHandle; size: number },
): Promise<Response> {
  let isRead = false;
  try {
    return ranged(c, { type, size }, (start, end) => {
      isRead = true;
      return piecesOf(handle, start, end);
    });
  } finally {
    if (!isRead) await handle.close();
  }
}
