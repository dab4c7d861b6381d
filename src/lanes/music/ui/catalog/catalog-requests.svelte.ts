import { needsServer } from '#ui/client/server-client.ts';
import { catalog } from '../client.ts';
import { ask, pipeline } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

/** Asking for albums. The replica says later what is pending; until then this does. */
class CatalogRequests {
  /** Ids of albums that were asked for in this tab. */
  asked = $state.raw<ReadonlySet<string>>(new Set());
  busy = $state(false);

  async request(albumId: string, title: string): Promise<void> {
    this.busy = true;
    try {
      const made = await (await catalog()).createDownloadRequest({ album_id: albumId });
      if (!made.ok) {
        toasts.fail(needsServer(made.failure, 'Requests are kept on the server. Ask again when it is back.'));
        return;
      }
      this.asked = new Set([...this.asked, albumId]);
      toasts.say(`Requested: ${title}`);
      await ask(pipeline().syncNow());
    } finally {
      this.busy = false;
    }
  }
}

export const catalogRequests = new CatalogRequests();
