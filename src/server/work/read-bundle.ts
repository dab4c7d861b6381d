/**
 * An exported result as it arrives: a ZIP in which nothing is packed, read entry by entry without being kept. Its texts
 * come first; the audio behind them is handed on piece by piece.
 */
import * as v from 'valibot';
import {
  BUNDLE_MANIFEST,
  HEADER_BYTES,
  BUNDLE_AUDIO,
  BUNDLE_DECISION,
  BundleManifestSchema,
  damagedBundle,
  MAX_BUNDLE_TEXT,
  type BundleManifest,
} from '#core/sync/bundle-manifest.ts';
import { bodySha, prepareOutboxItems } from '#core/sync/outbox-item.ts';
import { CommitRequestSchema, type CommitRequest } from '#core/sync/protocol.ts';
import { isTooDeep } from '../http/body.ts';

const LOCAL_HEADER = 0x04034b50;
const MOST_ENTRIES = 16;

export interface Bundle {
  manifest: BundleManifest;
  decision: CommitRequest;
  /** The decision as the workstation that exported it would send it: of one key the server takes one text. */
  text: string;
  /** Of the audio, as the bundle says it; the hash is another matter. */
  size: number;
  /** To be read to its end. */
  audio: AsyncIterable<Uint8Array>;
}

/**
 * Reads up to the audio. Throws AccessionError `archive_corrupt` for what is none, is changed or cut off; what `audio`
 * reads throws it, too. What is behind the audio is read with it and means nothing.
 */
export async function readBundle(body: AsyncIterable<Uint8Array>): Promise<Bundle> {
  await prepareOutboxItems();
  const input = new Pieces(body);
  const texts = new Map<string, string>();
  for (let entries = 0; entries < MOST_ENTRIES; entries += 1) {
    const { name, size } = await entryOf(input);
    if (entries === 0 && name !== BUNDLE_MANIFEST) throw damagedBundle('it does not begin with its list');
    if (name !== BUNDLE_AUDIO) {
      if (size > MAX_BUNDLE_TEXT) throw damagedBundle(`"${name}" is too large`);
      texts.set(name, (await input.take(size)).toString('utf8'));
      continue;
    }
    const manifest = v.safeParse(BundleManifestSchema, jsonOf(texts, BUNDLE_MANIFEST));
    const said = jsonOf(texts, BUNDLE_DECISION);
    const decision = v.safeParse(CommitRequestSchema, said);
    if (!manifest.success || !decision.success) throw damagedBundle('a part is missing or not as it should be');
    if (bodySha(decision.output) !== manifest.output.body_sha) throw damagedBundle('the decision was changed');
    const audio = input.through(size);
    return { manifest: manifest.output, decision: decision.output, text: JSON.stringify(said), size, audio };
  }
  throw damagedBundle('it has no audio');
}

async function entryOf(input: Pieces): Promise<{ name: string; size: number }> {
  const head = await input.take(HEADER_BYTES);
  if (head.readUInt32LE(0) !== LOCAL_HEADER) throw damagedBundle('a part is missing');
  const [flags, method] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  const [packed, size] = [head.readUInt32LE(18), head.readUInt32LE(22)];
  // Nothing of ours is packed, so nothing can expand; bit 3: the size comes after the data.
  if (method !== 0 || packed !== size || (flags & 8) !== 0) throw damagedBundle('it was packed by another program');
  const name = (await input.take(head.readUInt16LE(26))).toString('utf8');
  await input.take(head.readUInt16LE(28));
  return { name, size };
}

function jsonOf(texts: ReadonlyMap<string, string>, name: string): unknown {
  const text = texts.get(name);
  if (text === undefined || isTooDeep(text)) throw damagedBundle(`"${name}" is missing`);
  try {
    return JSON.parse(text);
  } catch {
    throw damagedBundle(`"${name}" cannot be read`);
  }
}

class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes. */
  async take(bytes: number): Promise<Buffer> {
    const parts = [this.#held];
    for (let size = this.#held.length; size < bytes;) {
      const next = await this.#next();
      parts.push(next);
      size += next.length;
    }
    const all = parts.length === 1 ? this.#held : Buffer.concat(parts);
    this.#held = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  /** So many bytes as they come, then the rest of the body for nothing. */
  async *through(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      const next = this.#held.length > 0 ? this.#held : await this.#next();
      const own = next.subarray(0, left);
      this.#held = next.subarray(own.length);
      left -= own.length;
      yield own;
    }
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next());
  }

  async #next(): Promise<Buffer> {
    const next = await this.#source.next();
    if (next.done === true) throw damagedBundle('it was cut off');
    return Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
  }
}
