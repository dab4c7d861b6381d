/** Which engines of the toolbox are on this device: what was used once is kept by the service worker. */
import { packs, type EnginePlaces } from 'virtual:toolbox-packs';
import type { Runtime } from '#core/toolbox/cage.ts';

/** Where the service worker keeps large files (src/service-worker/codecs.ts). */
const CACHE = 'codecs';

export interface EngineState {
  /** Of its download. 0: it needs none. */
  bytes: number;
  kept: boolean;
}

/** Where this build has each engine. */
export const enginePlaces = (): EnginePlaces => packs;

/** By runtime; one that is not named is not to be had in this browser. */
export async function engineStates(): Promise<Map<Runtime, EngineState>> {
  const states = new Map<Runtime, EngineState>([['none', { bytes: 0, kept: true }]]);
  const cache = await openCache();
  for (const [runtime, { url, bytes }] of Object.entries(packs)) {
    const kept = (await cache?.match(url)) !== undefined;
    states.set(runtime as Runtime, { bytes, kept });
  }
  return states;
}

/** Frees its space; the next use fetches it again. */
export async function dropEngine(runtime: Runtime): Promise<void> {
  const place = packs[runtime];
  if (place !== undefined) await (await openCache())?.delete(place.url);
}

/** Where there is none (a page over http elsewhere than on this device), nothing is kept. */
const openCache = async (): Promise<Cache | null> =>
  typeof caches === 'undefined' ? null : await caches.open(CACHE).catch(() => null);
