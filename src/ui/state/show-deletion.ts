import { randomIds } from '#core/ids.ts';
import type { Show } from '#core/video/show-catalog.ts';
import { showCatalog } from '../catalog-door.ts';
import { ask, pipeline } from '../client.ts';
import { needsServer } from '../needs-server.ts';
import { toasts } from './toasts.svelte.ts';

const LATER = 'The catalog is edited on the server. Try again when it is back.';

/** Deletes a show as it was read, and offers to bring it back. False when it is still there; the reason was said then. */
export async function deleteShow(show: Show, version: number | undefined): Promise<boolean> {
  const gone = await (await showCatalog()).deleteShow(show.id, version);
  if (!gone.ok) {
    toasts.fail(needsServer(gone.failure, LATER));
    return false;
  }
  toasts.say(`Deleted: ${show.title}`, { label: 'Undo', run: () => void bringBack(show) });
  await ask(pipeline().syncNow());
  return true;
}

async function bringBack(show: Show): Promise<void> {
  const made = await (await showCatalog()).createShow(show, randomIds.next());
  if (!made.ok) {
    toasts.fail(needsServer(made.failure, LATER));
    return;
  }
  toasts.say(`Brought back: ${show.title}`);
  await ask(pipeline().syncNow());
}
