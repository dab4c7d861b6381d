import type { HttpBindings } from '@hono/node-server';
import type { DataStore } from '@tus/server';
import type { ServerDefaults } from '#core/agent/llm/wire.ts';
import type { BlobRef, Clock, Ids, MediaStore } from '#core/ports.ts';
import type { Auth, Principal } from './auth/principal.ts';
import type { UrlSigner } from './auth/signed-url.ts';
import type { EventHub } from './events.ts';
import type { Beside } from './beside/beside.ts';
import type { Broker } from './llm/broker.ts';
import type { Log } from './log.ts';
import type { PlanDeps } from './plans/server-plans.ts';
import type { Store } from './store/store.ts';
import type { UploadLimits } from './work/upload-limits.ts';

/** Where uploaded files lie, each under an id of its own. The disk's: adapters/node/disk-originals.ts. */
export interface Originals {
  /** Hashes while it writes. Throws AccessionError `storage_full` or `storage_failed`; leaves nothing behind then. */
  put(id: string, chunks: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  /** Bytes of a file; null where there is none. */
  size(id: string): Promise<number | null>;
  /** Bytes [start, end). */
  read(id: string, start: number, end: number): AsyncIterable<Uint8Array>;
  /** No error where there is no such file. */
  delete(id: string): Promise<void>;
  /** Every file, halves too, with when it last got bytes (milliseconds since the epoch). */
  list(): AsyncIterable<{ id: string; touched_at: number }>;
  /** Removes what no row names, half of it or whole. */
  discard(id: string): Promise<void>;
}

/** What every lane's routes work with; made by main.ts, or by a test. */
export interface CatalogDeps {
  store: Store;
  /** Uploads and the media directory. */
  blobs: MediaStore;
  /** Files that were uploaded to be worked on. */
  originals: Originals;
  /** The same uploads, as @tus/server sees them. */
  uploads: DataStore;
  clock: Clock;
  ids: Ids;
  auth: Auth;
  signer: UrlSigner;
  events: EventHub;
  log: Log;
  /** Rejects where nothing can be written to the data directory. */
  checkDisk: () => Promise<void>;
  /** The same for the directory of uploaded files (`temp_dir`). */
  checkOriginals: () => Promise<void>;
  /** Rejects where the bucket that audio is in cannot be used; null: audio is on the disk. */
  checkBlobs: (() => Promise<void>) | null;
  /** Of the product, for GET /health. */
  version: string;
  /** Origins other than the server's own from which pages may call it. */
  origins: readonly string[];
  /** Names beside this machine's own under which the server is asked; without a port, in small letters. */
  hosts: readonly string[];
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Bytes one upload may have. */
  maxUploadBytes: number;
  /** What else bounds what is uploaded. */
  uploadLimits: UploadLimits;
  /** The answer of GET /v1/config; `ingestion: false` refuses uploads and commits. */
  defaults: ServerDefaults;
  /** The server's model, or null where accession.toml sets up none. */
  broker: Broker | null;
  /** Why there is none: accession.toml has an [agent] that is switched off. */
  brokerOff?: boolean;
  /** Plans that people confirm, and the folders that they are about. */
  plans: PlanDeps;
  /** Does what large requests ask in a process of its own; absent: all is done in turns, in the server's own. */
  beside?: Beside;
  /** Directory of the built app, or null to serve the API alone. */
  appDirectory: string | null;
}

/** Hono's types for our routes. */
export interface Env {
  /** Absent when the app is called without a socket. */
  Bindings: Partial<HttpBindings>;
  /** `route`: the path of the table's route that answers. */
  Variables: {
    principal: Principal;
    route?: string;
    /** Bytes that the body may have, where it does not say how many it has. */
    most_body?: number;
  };
}
