/**
 * A page that is closed while this browser works on an upload gives it back at once. Without that word, as after a crash,
 * the lease is over by itself a minute later.
 */
import { liveQuery } from 'dexie';
import { leaseReturn } from '../client/server-client.ts';
import { uploadsRow } from '../client/db.ts';

/** Ready beforehand: in the moment in which a page goes, nothing can be waited for. */
let word: (() => void) | null = null;

export function giveBackOnClose(): void {
  let lease: string | null = null;
  liveQuery(async () => (await uploadsRow()).current?.lease_id ?? null).subscribe((now) => {
    if (now === lease) return;
    lease = now;
    word = null;
    if (now === null) return;
    void leaseReturn(now).then((ready) => {
      if (lease === now) word = ready;
    });
  });
  window.addEventListener('pagehide', () => word?.());
}
