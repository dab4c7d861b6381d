/**
 * multipart/form-data (RFC 7578) as it arrives: each part's content is passed on piece by piece, so that a file of any
 * size costs one piece of memory. (`@remix-run/multipart-parser` hands a part out when all of it is in memory.)
 *
 *   preamble --boundary--> headers --blank line--> content --boundary--> headers ... --boundary--"--> end
 */
import { HttpError } from './http-error.ts';

export interface Part {
  /** Of the form field. */
  name: string;
  /** As the client calls the file; null for a plain field. */
  filename: string | null;
  /** Its content, once; what is not read of it is skipped. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Bytes of the headers of one part. */
const MAX_HEADERS = 16 * 1024;

/** Throws HttpError 400 where it is none. */
export function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new HttpError('invalid', 'The body must be multipart/form-data with a boundary (curl -F does that).');
  return boundary;
}

/** The parts in their order. Throws HttpError 400 for a body that is cut off or not in this form, and what it reads throws. */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  // The first boundary may be at the very beginning, all others after a line break.
  const input = inputOf(body, Buffer.from('\r\n'));
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  try {
    await drain(input.until(delimiter));
    while (!(await input.isLast())) {
      const { name, filename } = readHeaders(await input.headers());
      const content = input.until(delimiter);
      yield { name, filename, chunks: { [Symbol.asyncIterator]: () => content } };
      await drain(content);
    }
    // What comes behind the end belongs to the request: it is read, and means nothing.
    await drain(input.rest());
  } finally {
    await input.close();
  }
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/** @param begun what counts as read before the body */
function inputOf(body: AsyncIterable<Uint8Array>, begun: Buffer) {
  const source = body[Symbol.asyncIterator]();
  let held = begun;

  async function more(): Promise<void> {
    const next = await source.next();
    if (next.done === true) throw new HttpError('invalid', 'The body ended before its last boundary.');
    held = Buffer.concat([held, next.value]);
  }

  /** Takes so many bytes of what is held. */
  function cut(bytes: number): Buffer {
    const before = held.subarray(0, bytes);
    held = held.subarray(bytes);
    return before;
  }

  return {
    /** Everything before the mark, which is taken too. */
    async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = held.indexOf(mark);
        // The mark may have begun at the end of what is here.
        const before = cut(Math.max(0, at >= 0 ? at : held.length - mark.length));
        if (at >= 0) cut(mark.length);
        if (before.length > 0) yield before;
        if (at >= 0) return;
        await more();
      }
    },

    /** After a boundary: whether it was the last one. */
    async isLast(): Promise<boolean> {
      while (held.length < 2) await more();
      return held.toString('latin1', 0, 2) === '--';
    },

    /** The headers after a boundary, up to their blank line. */
    async headers(): Promise<string> {
      for (;;) {
        const at = held.indexOf('\r\n\r\n');
        if (at >= 0) return cut(at + 4).toString('utf8', 0, at);
        if (held.length > MAX_HEADERS)
          throw new HttpError('invalid', `The headers of a part may have ${MAX_HEADERS} bytes.`);
        await more();
      }
    },

    rest: (): AsyncIterable<Uint8Array> => ({ [Symbol.asyncIterator]: () => source }),

    async close(): Promise<void> {
      await source.return?.();
    },
  };
}

/** Throws HttpError 400 for a part without a name. */
function readHeaders(text: string): { name: string; filename: string | null } {
  const line = text.split('\r\n').find((one) => /^content-disposition\s*:/i.test(one));
  const name = line === undefined ? null : parameter(line, 'name');
  if (line === undefined || name === null)
    throw new HttpError('invalid', 'A part of the body has no Content-Disposition with a name.');
  return { name, filename: parameter(line, 'filename') };
}

/** `key="value"`; browsers write a quote in a name as %22, curl as \". */
function parameter(line: string, key: string): string | null {
  const [, quoted, plain] = new RegExp(`;\\s*${key}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(line) ?? [];
  const value = quoted
    ?.replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '')
    .replace(/%0A/gi, '');
  return value ?? plain ?? null;
}
