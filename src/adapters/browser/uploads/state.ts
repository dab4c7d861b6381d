/**
 * What this browser does about files that were sent to the server, in two meta rows: `uploads` is written by the tab that
 * holds the lock, `uploads_rest` by whichever tab a person pressed a button in.
 */
import * as v from 'valibot';
import type { AccessionDb } from '../db.ts';
import type { LaneCore } from '#core/lane-core.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Agent } from '#core/run/agent.ts';
import type { HttpOptions } from '../../http/request.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { Timers } from '../../http/socket.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import type { OpenedLanes } from '../run/open-lanes.ts';

const ROW = 'uploads';
const REST_ROW = 'uploads_rest';

const CurrentSchema = v.object({
  lease_id: v.string(),
  label: v.string(),
  /** Whose files they are. */
  user: v.string(),
  /** Milliseconds since the epoch. */
  since: v.number(),
  /** Null until the first step is done. */
  progress: v.nullable(
    v.object({
      doing: v.picklist(['fetching', 'reading', 'matching', 'asking', 'converting', 'publishing']),
      name: v.string(),
      job: v.nullable(v.string()),
      done: v.number(),
      total: v.number(),
    }),
  ),
});

/** Why nothing is taken now; null: it looks for uploads, or works on one. */
const WHY_NOT = ['off', 'saving', 'resting', 'paused', 'offline', 'loading', 'not_allowed', 'busy'] as const;
export type WhyNot = (typeof WHY_NOT)[number];

const UploadsStateSchema = v.object({
  why_not: v.nullable(v.picklist(WHY_NOT)),
  /** The upload under this browser's lease; after a kill, the one that it was at. */
  current: v.nullable(CurrentSchema),
  /** What became of the last one. `trouble`: why it was given back; null where everything that could be done was. */
  last: v.nullable(v.object({ label: v.string(), at: v.number(), trouble: v.nullable(v.string()) })),
});
export type UploadsState = v.InferOutput<typeof UploadsStateSchema>;

const NOTHING: UploadsState = { why_not: 'loading', current: null, last: null };

export async function readUploadsState(db: AccessionDb): Promise<UploadsState> {
  const read = v.safeParse(UploadsStateSchema, (await db.meta.get(ROW))?.value);
  return read.success ? read.output : NOTHING;
}

export async function patchUploadsState(db: AccessionDb, patch: Partial<UploadsState>): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const before = await readUploadsState(db);
    const value = { ...before, ...patch };
    // Each write wakes the pages.
    if (JSON.stringify(before) !== JSON.stringify(value)) await db.meta.put({ key: ROW, value });
  });
}

/** Of the upload under this lease alone: what is said late changes nothing. */
export async function noteProgress(
  db: AccessionDb,
  leaseId: string,
  progress: NonNullable<UploadsState['current']>['progress'],
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const { current } = await readUploadsState(db);
    if (current?.lease_id === leaseId) await patchUploadsState(db, { current: { ...current, progress } });
  });
}

/** Until when uploads are left alone because a person said so; milliseconds since the epoch, 0: they are not. */
export async function readUploadsRest(db: AccessionDb): Promise<number> {
  const read = v.safeParse(v.object({ until: v.number() }), (await db.meta.get(REST_ROW))?.value);
  return read.success ? read.output.until : 0;
}

export async function writeUploadsRest(db: AccessionDb, until: number): Promise<void> {
  await db.meta.put({ key: REST_ROW, value: { until } });
}

/** What working on uploads to the server needs of the workstation. */
export interface UploadsDeps {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  random(): number;
  blobs: BrowserBlobStore;
  http: HttpOptions;
  client: ServerClient;
  agent: Agent;
  lanes: Pick<OpenedLanes, 'runsAt' | 'replicas' | 'takers'>;
  /** By id. */
  cores: ReadonlyMap<string, LaneCore>;
  /** Of this browser, in the server's list. */
  name: string;
  /** Shares 0..1 of what is being converted, by job. */
  report(shares: ReadonlyMap<string, number>): void;
  /** The browser was asked to save data. */
  savesData(): boolean;
  /** Bytes that may still be stored; null where the browser does not say. */
  free(): Promise<number | null>;
  onError(error: unknown): void;
}
