/** Working on uploads to the server: the code for it is loaded some seconds after this tab leads, behind a person's first drop. */
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

/** Milliseconds: nobody waits for it, and the first minute is the person's own. */
const BEHIND_MS = 8_000;

export function openUploads(deps: UploadsDeps): Uploads {
  let worker: UploadsWorker | null = null;
  let leads = false;
  let loading = false;
  /** Its time has come. */
  let due = false;
  let timer: unknown = null;

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
      else if (due && !loading) void load();
      else
        timer ??= deps.timers.set(() => {
          due = true;
          if (leads && worker === null && !loading) void load();
        }, BEHIND_MS);
    },
    stop() {
      leads = false;
      if (timer !== null && !due) {
        deps.timers.clear(timer);
        timer = null;
      }
      worker?.stop();
    },
    poke() {
      if (worker !== null) worker.poke();
      else if (leads && due && !loading) void load();
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
