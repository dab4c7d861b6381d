/** Which engines of the toolbox are on this device: what was used once is kept by the service worker. */
import { packs, type EnginePlaces } from 'virtual:toolbox-packs';
import type { Runtime } from '#core/toolbox/cage.ts';
import { begunBytes, dropParts, WHOLE_CACHE } from './engine-parts.ts';
import { openCache } from './open-cache.ts';

export interface EngineState {
  /** Of its download. 0: it needs none. */
  bytes: number;
  kept: boolean;
  /** Bytes that are here of a download that was begun. */
  begun: number;
}

/** Where this build has each engine. */
export const enginePlaces = (): EnginePlaces => packs;

/** By runtime; one that is not named is not to be had in this browser. */
export async function engineStates(): Promise<Map<Runtime, EngineState>> {
  const states = new Map<Runtime, EngineState>([['none', { bytes: 0, kept: true, begun: 0 }]]);
  const cache = await openCache(WHOLE_CACHE);
  for (const [runtime, place] of Object.entries(packs)) {
    const kept = (await cache?.match(place.url)) !== undefined;
    states.set(runtime as Runtime, { bytes: place.bytes, kept, begun: kept ? 0 : await begunBytes(place) });
  }
  return states;
}

/** Frees its space; the next use fetches it again. */
export async function dropEngine(runtime: Runtime): Promise<void> {
  const place = packs[runtime];
  if (place === undefined) return;
  await (await openCache(WHOLE_CACHE))?.delete(place.url);
  await dropParts(place);
}
