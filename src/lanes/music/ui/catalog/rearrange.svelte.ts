/** Merging, moving and removing on the server, each with its way back. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Result } from '#core/result.ts';
import type { CatalogEdited } from '#lanes/music/core/catalog.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import { needsServer } from '#ui/client/server-client.ts';
import { ask, pipeline } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { catalog } from '../client.ts';
import { albumPath } from './album-path.ts';

class Rearranging {
  busy = $state(false);

  /** @param words what is said of it @param path the page that shows it afterwards; null: the one that is open */
  async carryOut(
    call: (client: CatalogClient) => Promise<Result<CatalogEdited>>,
    words: string,
    path: string | null,
  ): Promise<boolean> {
    const done = await this.#send(call);
    if (done === null) return false;
    if (path !== null) await goto(resolve(path));
    toasts.say(words, { label: 'Undo', run: () => void this.#undo(done.edit_id) });
    return true;
  }

  async #undo(edit: string): Promise<void> {
    const back = await this.#send((client) => client.undoEdit(edit));
    if (back === null) return;
    const [album] = back.albums;
    if (album !== undefined) await goto(resolve(albumPath(album)));
    toasts.say('Taken back: it is as it was.');
  }

  async #send(call: (client: CatalogClient) => Promise<Result<CatalogEdited>>): Promise<CatalogEdited | null> {
    this.busy = true;
    try {
      const sent = await call(await catalog());
      if (!sent.ok) {
        toasts.fail(needsServer(sent.failure, 'The catalog is changed on the server. Try again when it is back.'));
        return null;
      }
      await ask(pipeline().syncNow());
      return sent.value;
    } finally {
      this.busy = false;
    }
  }
}

export const rearranging = new Rearranging();
