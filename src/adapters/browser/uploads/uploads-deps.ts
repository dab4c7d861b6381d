import type { LaneCore } from '#core/lane-core.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Agent } from '#core/run/agent.ts';
import type { HttpOptions } from '../../http/request.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { Timers } from '../../http/socket.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import type { AccessionDb } from '../db.ts';
import type { OpenedLanes } from '../run/open-lanes.ts';

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
  lanes: Pick<OpenedLanes, 'runsAt' | 'replicas'>;
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
