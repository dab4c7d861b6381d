/** A download that was begun: pieces of an engine as they came, kept until it is whole, so that it can pause and go on. */
import type { PackPlace } from 'virtual:toolbox-packs';
import { openCache } from './open-cache.ts';

/** Where the service worker keeps large files that are whole (src/service-worker/codecs.ts). */
export const WHOLE_CACHE = 'codecs';

const CACHE = 'engine-parts';
/** Bytes of a piece. */
export const PIECE = 1024 * 1024;

const placeOf = ({ sha256 }: PackPlace, from: number): string => `/engine-parts/${sha256}/${from}`;

/** The pieces from the beginning on, without a gap. */
export async function keptParts(place: PackPlace): Promise<Uint8Array<ArrayBuffer>[]> {
  const cache = await openCache(CACHE);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < place.bytes; from += PIECE) {
    const kept = await cache?.match(placeOf(place, from));
    if (kept === undefined) break;
    parts.push(new Uint8Array(await kept.arrayBuffer()));
  }
  return parts;
}

/** Bytes that are there of a download that was begun. */
export async function begunBytes(place: PackPlace): Promise<number> {
  const cache = await openCache(CACHE);
  let from = 0;
  while (from < place.bytes && (await cache?.match(placeOf(place, from))) !== undefined) from += PIECE;
  return Math.min(from, place.bytes);
}

/** Where there is no space for it, it is fetched again. */
export async function keepPart(place: PackPlace, from: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await (await openCache(CACHE))?.put(placeOf(place, from), new Response(bytes)).catch(() => undefined);
}

export async function dropParts(place: PackPlace): Promise<void> {
  const cache = await openCache(CACHE);
  for (let from = 0; from < place.bytes; from += PIECE) await cache?.delete(placeOf(place, from));
}
