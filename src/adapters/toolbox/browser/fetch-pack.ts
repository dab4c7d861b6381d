/** What an engine is made of: one file of the app, fetched when it is first used and kept for a start without the network. */
import { sha256 } from 'hash-wasm';
import type { PackPlace } from 'virtual:toolbox-packs';
import type { CancelSignal } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import { chunksOf } from '../../media/blob-pieces.ts';
import type { GivenFile } from './programs/files.ts';

/** Of the download, 0..1. */
export type OnShare = (share: number) => void;

/** Throws AccessionError: `tool_unavailable` offline or where the bytes are not what was built, `cancelled`. */
export async function fetchPack(place: PackPlace, onShare: OnShare, signal?: CancelSignal): Promise<GivenFile[]> {
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  signal?.addEventListener('abort', cancel);
  try {
    const packed = await download(place, onShare, stop.signal);
    if ((await sha256(packed)) !== place.sha256)
      throw failed('tool_unavailable', 'What was fetched of the engine is not what was built.');
    return filesOf(new Uint8Array(await new Response(unpacked(packed)).arrayBuffer()));
  } catch (thrown) {
    if (stop.signal.aborted) throw failed('cancelled', 'cancelled');
    if (thrown instanceof Error && 'failure' in thrown) throw thrown;
    throw failed('tool_unavailable', 'This engine is not on this device yet.', { cause: thrown });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function download(place: PackPlace, onShare: OnShare, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(place.url, { signal });
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
