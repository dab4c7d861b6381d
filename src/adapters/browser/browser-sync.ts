import type { Clock, BlobStore, Ids } from '#core/ports.ts';
import { createCatalogClient, type CatalogClient } from '../http/catalog-client.ts';
import { resolveBase, type HttpOptions } from '../http/request.ts';
import { createCatalogSocket } from '../http/socket.ts';
import { createUploader } from '../http/upload.ts';
import type { AccessionDb } from './db.ts';
import { createSyncRunner, type SyncRunner, type SyncRunnerOptions } from './sync-runner.ts';
import { createTokenStore } from './token.ts';

export interface BrowserSyncOptions
  extends Pick<SyncRunnerOptions, 'onPublished' | 'onParked' | 'onConflict' | 'onRemoteAnswer'> {
  db: AccessionDb;
  blobs: Pick<BlobStore, 'size' | 'read'>;
  clock: Clock;
  ids: Ids;
  /** Setting `server_url`; `''` is the origin of the page. Another server wants another runner. */
  serverUrl: string;
}

/** Sync with one server, on the browser's own network, timers and token store. */
export function createBrowserSync(options: BrowserSyncOptions): { runner: SyncRunner; client: CatalogClient } {
  const { db, blobs, clock, ids } = options;
  const baseUrl = resolveBase(options.serverUrl);
  const tokens = createTokenStore(db, new URL(baseUrl).origin);
  const http: HttpOptions = { baseUrl, token: () => tokens.get(), now: () => clock.now() };
  const client = createCatalogClient({ ...http, ids });
  const random = (): number => Math.random();
  const timers = {
    set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
    clear: (handle: unknown): void => {
      if (typeof handle === 'number') clearTimeout(handle);
    },
  };
  const runner = createSyncRunner({
    ...options,
    client,
    upload: createUploader({ ...http, blobs }),
    token: http.token,
    random,
    timers,
    network: globalThis,
    socket: (onHint) => createCatalogSocket({ sign: () => client.signedUrl('/v1/ws'), onHint, timers, random }),
  });
  return { runner, client };
}
