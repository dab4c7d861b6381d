import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createCatalogApp } from './app.ts';
import type { CatalogDeps } from './deps.ts';
import { recover } from './ingest/recover.ts';
import { attachSockets } from './websocket.ts';

/** How long requests under way may take when the server stops, milliseconds. What is cut off is resumed or sent again. */
const GRACE_MS = 2000;

export interface RunningServer {
  port: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Ends sockets and requests and closes the store. Repeating it waits for the same end. */
  close(): Promise<void>;
}

/** Puts things in order after a crash, then serves on 127.0.0.1. Rejects when the port is taken. */
export async function startServer(deps: CatalogDeps, port: number): Promise<RunningServer> {
  await recover(deps);
  deps.snapshots?.check();
  const app = createCatalogApp(deps);
  // Always node:http here: no other server is asked for.
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const sockets = attachSockets(server, deps);
  await listen(server, port);
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | null = null;
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      closing ??= stop();
      return closing;
    },
  };

  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([sockets.close(), deps.broker?.close(), deps.snapshots?.close()]);
    server.closeIdleConnections();
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(impatience);
    await deps.store.close();
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
