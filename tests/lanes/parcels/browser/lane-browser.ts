import type { AccessionDb } from '#adapters/browser/db.ts';
import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { createParcelRun } from '../core/parcel-run.ts';
import type { ParcelRows } from '../core/types.ts';

const shelves = (db: AccessionDb): ParcelRows => ({
  shelfOf: async (street) => (await db.shelves.get(street))?.shelf ?? null,
  keep: async (row) => void (await db.shelves.put(row)),
});

export const browser: LaneBrowser = {
  rows: (db) => ({ tables: ['shelves'], rows: shelves(db) }),
  open: ({ ids, clock }) =>
    Promise.resolve({
      run: ({ blobs }) =>
        laneRun(createParcelRun({ ids, clock, read: async (sha256) => (await blobs.file(sha256)).text() })),
    }),
};
