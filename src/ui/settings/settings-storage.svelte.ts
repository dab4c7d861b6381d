import type { StorageReport } from '#adapters/browser/api.ts';
import { ask, pipeline } from '../client/workers.ts';
import { pausedRow } from '../client/db.ts';

/** What this browser holds for Accession. Counted when asked for: it walks through all stored files. */
export class StorageView {
  report = $state.raw<StorageReport | null>(null);
  busy = $state(true);
  /** Bytes that the last "Free now" freed. */
  freed = $state<number | null>(null);
  /** Work was paused when it freed nothing: a drop may be waiting to be read in. */
  paused = $state(false);
  /** The browser said no to keeping the data. */
  declined = $state(false);

  async load(): Promise<void> {
    this.busy = true;
    this.report = await ask(pipeline().storage());
    this.busy = false;
  }

  /** What waits for its day as well. */
  async free(): Promise<void> {
    this.busy = true;
    this.freed = (await ask(pipeline().freeStorage(true)))?.freed ?? null;
    this.paused = this.freed === 0 && (await pausedRow());
    await this.load();
  }

  /** Asks the browser not to clear the data when space runs low. */
  async persist(): Promise<void> {
    this.declined = !((await navigator.storage?.persist?.()) ?? false);
    await this.load();
  }
}
