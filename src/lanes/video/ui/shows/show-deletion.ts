import { randomIds } from '#core/ids.ts';
import { ok } from '#core/result.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { needsServer } from '#ui/client/server-client.ts';
import { showCatalog } from '../client.ts';
import { ask, pipeline } from '#ui/client/workers.ts';
import { loadShow } from './show-load.ts';
import type { EditedShow } from './show-editor.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

const LATER = 'The catalog is edited on the server. Try again when it is back.';

/**
 * Deletes a show in the version that is known, and offers to bring just that back. False when it is still there; the
 * reason was said then.
 */
export async function deleteShow(known: EditedShow): Promise<boolean> {
  const current = known.version === undefined ? await loadShow(known.show.id) : ok(known);
  const { show, version } = current.ok ? current.value : known;
  const gone = current.ok ? await (await showCatalog()).deleteShow(show.id, version) : current;
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
