import { needsServer } from '#ui/client/server-client.ts';
import type { Result } from '#core/result.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import { catalog } from '../client.ts';
import { ask, pipeline } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

/** Asking for albums. The replica says later what is pending; until then this does. */
class CatalogRequests {
  /** Ids of albums that were asked for in this tab. */
  asked = $state.raw<ReadonlySet<string>>(new Set());
  busy = $state(false);

  async request(albumId: string, title: string): Promise<void> {
    const made = await this.#send(
      async (client) => client.createDownloadRequest({ album_id: albumId }),
      'Requests are kept on the server. Ask again when it is back.',
    );
    if (!made) return;
    this.asked = new Set([...this.asked, albumId]);
    toasts.say(`Requested: ${title}`);
  }

  /** Takes a request back; the way back is to ask again. */
  async withdraw({ id, title, album_id, track_id }: Withdrawn): Promise<void> {
    const done = await this.#send(async (client) => client.withdrawRequest(id), 'Withdraw it when the server is back.');
    if (!done) return;
    if (album_id !== null) this.asked = new Set([...this.asked].filter((one) => one !== album_id));
    const again = album_id === null ? (track_id === null ? null : { track_id }) : { album_id };
    const undo = {
      label: 'Undo',
      run: () =>
        void (
          again !== null &&
          this.#send(async (client) => client.createDownloadRequest(again), 'Ask again when the server is back.')
        ),
    };
    toasts.say(`Withdrawn: ${title}`, undo);
  }

  async #send<T>(call: (client: CatalogClient) => Promise<Result<T>>, remedy: string): Promise<boolean> {
    this.busy = true;
    try {
      const sent = await call(await catalog());
      if (!sent.ok) toasts.fail(needsServer(sent.failure, remedy));
      else await ask(pipeline().syncNow());
      return sent.ok;
    } finally {
      this.busy = false;
    }
  }
}

interface Withdrawn {
  id: string;
  title: string;
  album_id: string | null;
  track_id: string | null;
}

export const catalogRequests = new CatalogRequests();
