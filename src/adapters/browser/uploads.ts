/** The door to working on uploads: what does it is fetched when this tab leads. */
import type { CatalogIndex } from '#core/music/search.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { CatalogClient } from '../http/catalog-client.ts';
import type { HttpOptions } from '../http/request.ts';
import type { SocketHint, Timers } from '../http/socket.ts';
import type { BrowserBlobStore } from './blob-store.types.ts';
import type { AccessionDb } from './db.ts';
import { freeSpace } from './free-space.ts';
import type { AgentStageDeps } from './pipeline/agent-stage.ts';
import type { BrowserMediaDeps } from './uploads/browser-media.ts';
import type { UploadsWorker } from './uploads/uploads-worker.ts';

export interface UploadsDeps extends Pick<BrowserMediaDeps, 'probe' | 'spawn' | 'tell'> {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  random(): number;
  blobs: BrowserBlobStore;
  http: HttpOptions;
  client: CatalogClient;
  index(): Promise<CatalogIndex | null>;
  agent: AgentStageDeps['agent'];
  /** Of this browser, in the server's list. */
  name: string;
  /** The browser was asked to save data. */
  savesData(): boolean;
  /** Bytes that may still be stored; null where the browser does not say. */
  free(): Promise<number | null>;
  onError(error: unknown): void;
}

export interface Uploads {
  /** This tab holds the lock. */
  start(): void;
  stop(): void;
  /** Somebody changed rows. */
  poke(): void;
  /** What the server's socket says. */
  hear(hint: SocketHint): void;
}

export function openUploads(deps: UploadsDeps): Uploads {
  let worker: UploadsWorker | null = null;
  let leads = false;
  let loading = false;

  async function load(): Promise<void> {
    loading = true;
    try {
      const { UploadsWorker: Worker } = await import('./uploads/uploads-worker.ts');
      worker = new Worker(deps);
      if (leads) worker.start();
    } catch (error) {
      // Not there now (offline before the app was kept whole): tried again at the next poke.
      deps.onError(error);
    } finally {
      loading = false;
    }
  }

  return {
    start() {
      leads = true;
      if (worker !== null) worker.start();
      else if (!loading) void load();
    },
    stop() {
      leads = false;
      worker?.stop();
    },
    poke() {
      if (worker !== null) worker.poke();
      else if (leads && !loading) void load();
    },
    hear(hint) {
      // Of an upload that is new, an answer to a question about one, and whatever may have been missed.
      if (hint.type === 'IngestionUpdate' || hint.type === 'connected' || hint.type === 'resync') worker?.wanted();
    },
  };
}

/** What the browser says of its owner's wish to save data, and of the space that is left. */
export const browserLimits: Pick<UploadsDeps, 'savesData' | 'free'> = {
  savesData: () => 'connection' in navigator && isSaving(navigator.connection),
  free: freeSpace,
};

function isSaving(connection: unknown): boolean {
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  );
}
