/** What an engine is made of: one file of the app, fetched when it is first used and kept for a start without the network. */
import { sha256 } from 'hash-wasm';
import type { PackPlace } from 'virtual:toolbox-packs';
import type { CancelSignal } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import { dropParts, keepPart, keptParts, PIECE, WHOLE_CACHE } from './engine-parts.ts';
import { chunksOf } from '../../media/blob-pieces.ts';
import type { GivenFile } from './programs/files.ts';
import { openCache } from './open-cache.ts';

/** Of the download, 0..1. */
export type OnShare = (share: number) => void;

/** Throws AccessionError: `tool_unavailable` offline or where the bytes are not what was built, `cancelled`. */
export async function fetchPack(place: PackPlace, onShare: OnShare, signal?: CancelSignal): Promise<GivenFile[]> {
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  signal?.addEventListener('abort', cancel);
  try {
    const packed = (await keptWhole(place)) ?? (await inPieces(place, onShare, stop.signal));
    if ((await sha256(packed)) !== place.sha256) {
      await forget(place);
      throw failed('tool_unavailable', 'What was fetched of the engine is not what was built.');
    }
    await keepWhole(place, packed);
    return filesOf(new Uint8Array(await new Response(unpacked(packed)).arrayBuffer()));
  } catch (thrown) {
    if (stop.signal.aborted) throw failed('cancelled', 'cancelled');
    if (thrown instanceof Error && 'failure' in thrown) throw thrown;
    throw failed('tool_unavailable', 'This engine is not on this device yet.', { cause: thrown });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function keptWhole(place: PackPlace): Promise<Uint8Array<ArrayBuffer> | null> {
  const kept = await (await openCache(WHOLE_CACHE))?.match(place.url);
  return kept === undefined ? null : new Uint8Array(await kept.arrayBuffer());
}

async function keepWhole(place: PackPlace, packed: Uint8Array<ArrayBuffer>): Promise<void> {
  const cache = await openCache(WHOLE_CACHE);
  if (cache === null || (await cache.match(place.url)) !== undefined) return;
  const headers = { 'content-type': 'application/octet-stream' };
  // Where there is no space, it is fetched again.
  await cache.put(place.url, new Response(packed, { headers })).then(
    () => dropParts(place),
    () => undefined,
  );
}

/** What is wrong is not kept: the next try begins anew. */
async function forget(place: PackPlace): Promise<void> {
  await (await openCache(WHOLE_CACHE))?.delete(place.url);
  await dropParts(place);
}

/** Piece by piece, each kept as soon as it is whole: what was begun before is gone on with. */
async function inPieces(place: PackPlace, onShare: OnShare, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await keptParts(place);
  let at = parts.reduce((sum, part) => sum + part.length, 0);
  onShare(at / place.bytes);
  while (at < place.bytes) {
    const to = Math.min(at + PIECE, place.bytes);
    const response = await fetch(place.url, { signal, headers: { Range: `bytes=${at}-${to - 1}` } });
    // A host that knows no ranges sends all of it.
    if (response.status !== 206) return whole(response, place, onShare);
    const part = new Uint8Array(await response.arrayBuffer());
    if (part.length !== to - at) throw new Error(`${place.url} is cut`);
    await keepPart(place, at, part);
    parts.push(part);
    at = to;
    onShare(at / place.bytes);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function whole(response: Response, place: PackPlace, onShare: OnShare): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok || response.body === null) throw new Error(`${place.url}: ${response.status}`);
  const packed = new Uint8Array(place.bytes);
  let at = 0;
  for await (const piece of chunksOf(response.body)) {
    if (at + piece.length > packed.length) throw new Error(`${place.url} is too long`);
    packed.set(piece, at);
    at += piece.length;
    onShare(at / place.bytes);
  }
  if (at < packed.length) throw new Error(`${place.url} is cut`);
  return packed;
}

const unpacked = (packed: Uint8Array<ArrayBuffer>): ReadableStream =>
  new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));

/** Four bytes: how long the list is; the list of names and lengths; the files one behind the other. */
function filesOf(whole: Uint8Array<ArrayBuffer>): GivenFile[] {
  const length = new DataView(whole.buffer).getUint32(0);
  const listed = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length))) as {
    name: string;
    bytes: number;
  }[];
  let at = 4 + length;
  return listed.map(({ name, bytes }) => {
    at += bytes;
    return { name, bytes: whole.slice(at - bytes, at) };
  });
}
