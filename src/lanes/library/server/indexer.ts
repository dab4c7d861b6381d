/** Takes one folder after the other by lease and brings it up to date. */
import { AccessionError, messageOf } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import type { FolderSource } from '#lanes/library/core/indexing/ports.ts';
import { indexServerFolder, type ServerIndexing } from './index-server-folder.ts';
import { holdFolder, LEASE_MS, takeFolder, type Lease } from './leases.ts';
import { clearFolder } from './write-files.ts';

export interface IndexerUsing extends Omit<ServerIndexing, 'folder' | 'cancel'> {
  /** Folders that this process may read, by id. */
  folders: readonly string[];
  openFolder(path: string): FolderSource;
  stop: Cancel;
}

/** Files that are taken away at once of a folder that is no longer named. */
const CLEARED = 20;
/** Until a run that failed is tried again, milliseconds, where the folder's own time is not sooner. */
const RETRY_MS = 60_000;

/** Brings the folder that waits longest up to date. False: none waits. */
export async function indexNext(using: IndexerUsing): Promise<boolean> {
  const lease = await takeFolder(using.store, using, using.folders);
  if (lease === null) return false;
  const held = holdOn(using, lease);
  try {
    if (lease.folder.removed === 1) await clear(using, lease, held.cancel);
    else {
      const folder = using.openFolder(lease.folder.path);
      await indexServerFolder({ ...using, folder, cancel: held.cancel }, lease);
    }
  } catch (thrown) {
    using.say(`${lease.folder.name}: ${messageOf(thrown)}`);
    await giveBack(using, lease);
  } finally {
    held.end();
  }
  return true;
}

/** Holds the folder while one long file is read, too. The wish to stop is also there when it is another's by now. */
function holdOn({ store, clock, timers, stop }: IndexerUsing, lease: Lease): { cancel: Cancel; end(): void } {
  let lost = false;
  let ended = false;
  let timer: unknown = null;
  const beat = async (): Promise<void> => {
    try {
      await store.write((tx) => holdFolder(tx, lease, clock, {}));
    } catch (thrown) {
      // A database that is away for a while is no other process.
      lost ||= thrown instanceof AccessionError;
    }
    if (!ended) timer = timers.set(() => void beat(), LEASE_MS / 4);
  };
  timer = timers.set(() => void beat(), LEASE_MS / 4);
  const cancel = {
    get aborted() {
      return lost || stop.aborted;
    },
  };
  return {
    cancel,
    end() {
      ended = true;
      timers.clear(timer);
    },
  };
}

async function clear({ store, clock }: IndexerUsing, lease: Lease, cancel: Cancel): Promise<void> {
  let done = false;
  while (!done && !cancel.aborted)
    done = await store.write(async (tx) => {
      await holdFolder(tx, lease, clock, {});
      return clearFolder(tx, lease.folder.id, CLEARED);
    });
}

/** After a run that failed or was stopped; where it is another's by now, nothing changes. */
async function giveBack({ store, clock, everyMs, stop }: IndexerUsing, { folder, id }: Lease): Promise<void> {
  const due_at = clock.now() + (stop.aborted ? 0 : Math.min(everyMs, RETRY_MS));
  const back = { lease_id: null, lease_until: null, due_at };
  const row = (tx: Parameters<Parameters<typeof store.write>[0]>[0]) =>
    tx.updateTable('library_folders').set(back).where('id', '=', folder.id).where('lease_id', '=', id).execute();
  // Otherwise the lease ends by itself.
  await store.write(row).catch(() => undefined);
}
