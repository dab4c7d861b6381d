/** The body of an answer of the internet: unpacked, and counted as it is. */
import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { contentType } from '../http/content.ts';

/** Null: it is packed in a way that is not known. */
export function unpacked(answer: IncomingMessage): Readable | null {
  switch ((answer.headers['content-encoding'] ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return answer;
    case 'gzip':
      return piped(answer, createGunzip());
    case 'br':
      return piped(answer, createBrotliDecompress());
    case 'deflate':
      return piped(answer, createInflate());
    default:
      return null;
  }
}

function piped(answer: IncomingMessage, through: Duplex): Readable {
  answer.on('error', (error) => through.destroy(error));
  return answer.pipe(through);
}

/** Null: there are more bytes than `most`. Throws where it breaks off. */
export async function bytesWithin(stream: Readable, most: number): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  let count = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    count += part.length;
    if (count > most) {
      stream.destroy();
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Of its head. */
export const typeOf = (answer: IncomingMessage): ReturnType<typeof contentType> =>
  contentType(answer.headers['content-type']);
