import { randomIds } from '#core/ids.ts';
import { ok, type Result } from '#core/result.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { needsServer } from '#ui/client/server-client.ts';
import { showCatalog } from '../client.ts';
import { ask, pipeline } from '#ui/client/workers.ts';
import { loadShow } from './show-load.ts';
import type { EditedShow } from './show-editor.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

/**
 * Deletes a show in the version that is known, and offers to bring just that back. False when it is still there; the
 * reason was said then.
 */
export async function deleteShow(known: EditedShow): Promise<boolean> {
  const current = known.version === undefined ? await loadShow(known.show.id) : ok(known);
  const { show, version } = current.ok ? current.value : known;
  const gone = current.ok ? await (await showCatalog()).deleteShow(show.id, version) : current;
  return isDone(gone, `Deleted: ${show.title}`, { label: 'Undo', run: () => void bringBack(show) });
}

async function bringBack(show: Show): Promise<void> {
  await isDone(await (await showCatalog()).createShow(show, randomIds.next()), `Brought back: ${show.title}`);
}

/** Says what was done, or why not. */
async function isDone(done: Result<unknown>, ...words: Parameters<typeof toasts.say>): Promise<boolean> {
  if (done.ok) {
    toasts.say(...words);
    await ask(pipeline().syncNow());
  } else toasts.fail(needsServer(done.failure, 'The catalog is edited on the server. Try again when it is back.'));
  return done.ok;
}
