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
    this.#say(words, [done.edit_id]);
    return true;
  }

  /** Removes one after the other; taken back as one. Stops at the first that fails, which is said. */
  async removeTracks(ids: readonly string[], words: (removed: number) => string): Promise<boolean> {
    const edits: string[] = [];
    for (const id of ids) {
      const done = await this.#send((client) => client.removeTrack(id));
      if (done === null) break;
      edits.push(done.edit_id);
    }
    if (edits.length > 0) this.#say(words(edits.length), edits);
    return edits.length === ids.length;
  }

  /** It stays until it is closed: there is no other way back on the pages. */
  #say(words: string, edits: readonly string[]): void {
    toasts.say(words, { label: 'Undo', run: () => void this.#undo(words, edits) }, true);
  }

  /** The last one first, as each is taken back from what it left. */
  async #undo(words: string, edits: readonly string[]): Promise<void> {
    let back: CatalogEdited | null = null;
    for (const [at, edit] of [...edits.entries()].toReversed()) {
      back = await this.#send((client) => client.undoEdit(edit));
      // It can be tried again: the server may only be away.
      if (back === null) return this.#say(words, edits.slice(0, at + 1));
    }
    const [album] = back?.albums ?? [];
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
