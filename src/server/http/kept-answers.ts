/**
 * JSON answers that are made once and kept until what they say changes: a number of bytes of them, those asked for last.
 * The tag is of the very bytes, so that 304 is said where nothing changed and nowhere else, whichever process is asked.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Env } from '../deps.ts';
import { takesGzip } from './packed-answers.ts';

export interface KeptAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Without quotation marks: the record's version, for `If-Match`, and a hash of the bytes. */
  readonly tag: string;
  /** Made at its second reading; null: not yet. */
  packed: Promise<Uint8Array<ArrayBuffer>> | null;
  /** It was read since it was made. */
  isRead: boolean;
}

/** Bytes below which it goes as it is: it would hardly be shorter. */
const LEAST_PACKED = 1024;
/** Digits of the hash in a tag. */
const DIGITS = 16;
/** What the tag of the packed bytes ends with. */
const PACKED = 'g';

const pack = promisify(gzip);

export function keptAnswer(body: { version: number }): KeptAnswer {
  const bytes = Buffer.from(JSON.stringify(body));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS);
  return { bytes, tag: `${body.version}-${hash}`, packed: null, isRead: false };
}

/** The version in a tag of an answer; a bare version is one, too. */
export const versionOfTag = (tag: string): string => tag.replace(/-[0-9a-f]{16}g?$/, '');

/** Whoever asks has been let in before: what is kept is the same for everybody who may read the catalog. */
export async function sendKept(c: Context<Env>, kept: KeptAnswer): Promise<Response> {
  const [first, isLong] = [!kept.isRead, kept.bytes.length >= LEAST_PACKED];
  kept.isRead = true;
  // Most answers are asked for once: those are not worth their packing.
  if (isLong && !first) kept.packed ??= pack(kept.bytes) as Promise<Uint8Array<ArrayBuffer>>;
  const packed = takesGzip(c.req.header('accept-encoding')) ? await kept.packed : null;
  const tag = packed === null ? kept.tag : `${kept.tag}${PACKED}`;
  c.header('ETag', `"${tag}"`);
  c.header('Vary', 'Authorization, Accept-Encoding');
  // Kept by a browser, and asked for again each time, under the token of then.
  c.header('Cache-Control', 'private, no-cache');
  if (names(c.req.header('if-none-match'), kept.tag)) return c.body(null, 304);
  c.header('Content-Type', 'application/json');
  if (packed !== null) c.header('Content-Encoding', 'gzip');
  return c.body(packed ?? kept.bytes, 200);
}

/** Whether the header names the answer, packed or not. */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.some((one) => one === '*' || one === `"${tag}"` || one === `"${tag}${PACKED}"`);
}

/** Answers by name, each with what it depends on, so that a change of that drops it. */
export function createKept(mostBytes: number) {
  /** In the order in which they were asked for. */
  const kept = new Map<string, { answer: KeptAnswer; of: readonly string[] }>();
  const dependent = new Map<string, Set<string>>();
  let bytes = 0;

  function drop(name: string): void {
    const entry = kept.get(name);
    if (entry === undefined) return;
    kept.delete(name);
    bytes -= entry.answer.bytes.length;
    for (const one of entry.of) {
      const names = dependent.get(one);
      names?.delete(name);
      if (names?.size === 0) dependent.delete(one);
    }
  }

  return {
    get(name: string): KeptAnswer | null {
      const entry = kept.get(name);
      if (entry === undefined) return null;
      kept.delete(name);
      kept.set(name, entry);
      return entry.answer;
    },
    /** @param of what it says something of */
    put(name: string, answer: KeptAnswer, of: readonly string[]): void {
      drop(name);
      kept.set(name, { answer, of });
      bytes += answer.bytes.length;
      for (const one of of) dependent.set(one, (dependent.get(one) ?? new Set()).add(name));
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
    },
    /** Everything that says something of it. */
    dropOf(one: string): void {
      for (const name of [...(dependent.get(one) ?? [])]) drop(name);
    },
    clear(): void {
      kept.clear();
      dependent.clear();
      bytes = 0;
    },
    get bytes(): number {
      return bytes;
    },
  };
}
