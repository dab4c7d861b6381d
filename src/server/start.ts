import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createCatalogApp } from './app.ts';
import { listen } from './listen.ts';
import { takeRestOfBodies } from './http/rest-of-body.ts';
import { recover } from './ingest/recover.ts';
import type { ServerDeps, LaneServer } from './lane-server.ts';
import { recoverPlans } from './plans/recover-plans.ts';
import { attachSockets } from './sockets/websocket.ts';
import { Metrics } from './watch/metrics.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { readMeta, writeMeta, type Store } from './store/store.ts';

/** How long requests under way may take when the server stops, milliseconds. What is cut off is resumed or sent again. */
const GRACE_MS = 5000;
/** How often connections whose request is done are looked for meanwhile, milliseconds. */
const SWEEP_MS = 50;

export interface RunningServer {
  port: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Ends sockets and requests and closes the store. Repeating it waits for the same end. */
  close(): Promise<void>;
}

/** Puts things in order after a crash, then serves on 127.0.0.1. Rejects when the port is taken. */
export async function startServer(deps: ServerDeps, port: number): Promise<RunningServer> {
  await recover(deps);
  await recoverPlans(deps);
  for (const lane of deps.lanes) lane.begin?.();
  const metrics = new Metrics(deps);
  const app = createCatalogApp(deps, metrics);
  // Always node:http here: no other server is asked for. Its own end of a body that nobody reads comes after half a second.
  const server = createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false }) as Server;
  bound(server);
  takeRestOfBodies(server);
  const sockets = attachSockets(server, deps);
  metrics.sockets = () => sockets.count;
  const listening = await listen(server, port);
  let closing: Promise<void> | null = null;
  return {
    port: listening.port,
    url: `http://127.0.0.1:${listening.port}`,
    close: () => {
      closing ??= stop();
      return closing;
    },
  };

  async function stop(): Promise<void> {
    listening.stop();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([sockets.close(), deps.broker?.close(), ...deps.lanes.map((lane) => lane.close?.())]);
    server.closeIdleConnections();
    // One whose answer is out is idle: its client would hold it for the next request.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(impatience);
    await deps.store.close();
  }
}

/**
 * A connection is not held by whoever says nothing: the head within 15 s, then a byte at least every five minutes. Who waits
 * for an answer says nothing, too: a change waits until a large import is written, here for more than two minutes under load.
 */
function bound(server: Server): void {
  server.headersTimeout = 15_000;
  // A large file over a slow line takes long; JSON has its own, shorter limit (http/body.ts).
  server.requestTimeout = 6 * 3600_000;
  server.timeout = 300_000;
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
}

const FIRST_START = 'first_start';

/**
 * On the very first start, lets the lanes load their demo into what is still empty. Without a demo the start counts all
 * the same: a catalog that was begun empty stays the person's own. True where something was loaded.
 */
export async function onFirstStart(
  store: Store,
  using: { ids: Ids; clock: Clock },
  lanes: readonly LaneServer[],
): Promise<boolean> {
  if ((await readMeta(store.db, FIRST_START)) !== null) return false;
  return store.write(async (tx) => {
    await writeMeta(tx, FIRST_START, String(using.clock.now()));
    let loaded = false;
    for (const lane of lanes) if ((await lane.demo?.(tx, using)) === true) loaded = true;
    return loaded;
  });
}
