import type { LaneCore } from '#core/lane-core.ts';
import type { Ingester } from '#core/ingest/ingester.ts';
import { mislabelled } from '#core/ingest/take-by-content.ts';
import type { ParcelRows } from './types.ts';

const parcelIngester: Ingester = {
  agentId: 'parcel-ingester',
  name: 'Parcel ingester',
  description: 'Takes in parcels.',
  priority: 10,
  capabilities: ['ingest:parcel'],
  tags: ['ingester', 'parcel'],
  lane: 'parcels',
  ingest(input) {
    if (input.kind !== 'text') return mislabelled(input, 'a parcel');
    return { as: 'job', lane: 'parcels', kind: input.kind, note: null };
  },
};

export class MemoryParcelRows implements ParcelRows {
  readonly #shelves: Map<string, string>;

  constructor(shelves: Iterable<readonly [string, string]> = []) {
    this.#shelves = new Map(shelves);
  }

  copy(): MemoryParcelRows {
    return new MemoryParcelRows(this.#shelves);
  }

  shelfOf(street: string): Promise<string | null> {
    return Promise.resolve(this.#shelves.get(street) ?? null);
  }

  keep({ street, shelf }: { street: string; shelf: string }): Promise<void> {
    this.#shelves.set(street, shelf);
    return Promise.resolve();
  }
}

export const core: LaneCore = { ingesters: [parcelIngester], rows: () => new MemoryParcelRows() };
