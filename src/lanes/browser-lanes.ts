/** The lanes as the workers need them. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';
import { failed } from '#core/errors.ts';
import type { LaneCore } from '#core/lane-core.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { lanes } from './lanes.ts';

/** The parts for the browser, by lane, in the order of the product's list. */
export async function browserLanes(): Promise<[id: string, lane: LaneBrowser][]> {
  const parts = await Promise.all(lanes.map(async ({ id, browser }) => [id, await browser?.()] as const));
  return parts.flatMap(([id, part]) => (part === undefined ? [] : [[id, part]]));
}

/** The parts for the engine, by lane. */
export async function laneCores(): Promise<Map<string, LaneCore>> {
  return new Map(await Promise.all(lanes.map(async ({ id, core }) => [id, await core()] as const)));
}

/** One registry over all lanes: a file goes to the first lane that takes it. */
export async function laneIngesters(): Promise<IngesterRegistry> {
  return ingesterRegistry([...(await laneCores()).values()]);
}

/** A drop that fits what a download request asks for, of the first lane that knows the request. Throws AccessionError `not_found`. */
export async function exampleDrop(db: AccessionDb, requestId: string): Promise<{ file: File; label: string }> {
  for (const [, { example }] of await browserLanes()) if (example) return example(db, requestId);
  throw failed('not_found', 'There is nothing to try here.');
}
