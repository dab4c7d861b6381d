/** Working on uploads to the server: the code for it is loaded when this tab leads. */
import type { RunBeside } from '#core/run/ports.ts';
import type { SocketHint } from '../http/socket.ts';
import { freeSpace } from './blobs/free-space.ts';
import type { UploadsDeps } from './uploads/state.ts';
import type { UploadsWorker } from './uploads/uploads-worker.ts';

export interface Uploads extends RunBeside {
  start(): void;
  stop(): void;
  /** A message of the server's socket. */
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
