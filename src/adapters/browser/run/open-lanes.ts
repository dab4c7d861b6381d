import type { JobStore } from '#core/run/job-store.ts';
import type { LaneRun } from '#core/run/lane-run.ts';
import type { AccessionDb } from '../db.ts';
import { DexieJobStore, type DexieLaneRows } from '../job-store.ts';
import type { BrowserLane, LaneBrowser, Replica, RunPlace, Workstation } from '../lane-browser.ts';

/** The lanes of this workstation, each opened, in the order of the product's list. */
export interface OpenedLanes {
  /** By id. */
  parts: ReadonlyMap<string, BrowserLane>;
  /** What the lanes keep beside their jobs. */
  rows: DexieLaneRows;
  /** Over the workstation's rows and commands. */
  store: JobStore;
  runsAt(place: RunPlace): LaneRun[];
  /** What takes other work than uploads. */
  takers: readonly NonNullable<BrowserLane['take']>[];
  /** The first one says whether the server can be reached. */
  replicas: readonly [Replica, ...Replica[]];
}

/** Throws where no lane has a copy of the server's records. */
export async function openLanes(
  lanes: readonly (readonly [id: string, lane: LaneBrowser])[],
  workstation: Omit<Workstation, 'store'>,
): Promise<OpenedLanes> {
  const { db } = workstation;
  const rows = rowsOf(lanes, db);
  const store = new DexieJobStore(db, rows);
  const parts = new Map<string, BrowserLane>();
  for (const [id, lane] of lanes) if (lane.open) parts.set(id, await lane.open({ ...workstation, store }));
  const [first, ...others] = [...parts.values()].flatMap(({ replicas }) => replicas ?? []);
  if (first === undefined) throw new Error('no lane has a copy of the records of the server');
  return {
    ...{ parts, rows, store, replicas: [first, ...others] },
    takers: [...parts.values()].flatMap((part) => part.take?.bind(part) ?? []),
    runsAt: (place) => [...parts.values()].flatMap((part) => part.run?.(place) ?? []),
  };
}

function rowsOf(lanes: readonly (readonly [string, LaneBrowser])[], db: AccessionDb): DexieLaneRows {
  const kept = lanes.flatMap(([id, lane]) => (lane.rows ? [[id, lane.rows(db)] as const] : []));
  return {
    tables: kept.flatMap(([, { tables }]) => tables),
    rows: Object.fromEntries(kept.map(([id, { rows }]) => [id, rows])),
  };
}
