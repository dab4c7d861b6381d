/**
 * GET /v1/ws: hints about jobs and the catalog, one way. Whoever connects is known by a signed URL (a browser
 * cannot send a header here) and, from a page, comes from an allowed origin.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { identify } from './auth/identify.ts';
import { may } from './auth/principal.ts';
import type { CatalogDeps } from './deps.ts';
import type { ServerMessage } from './events.ts';
import { feedPosition } from './store/feed.ts';

const PATH = '/v1/ws';
/** A peer that does not answer a ping before the next one is gone, milliseconds. */
const HEARTBEAT_MS = 30_000;
/** How often the feed is looked at for changes of another process (the CLI's import), milliseconds. */
const WATCH_MS = 1000;
/** Bytes that may wait for a slow peer; it pulls what it missed after reconnecting. */
const MAX_WAITING = 1024 * 1024;

export interface Sockets {
  close(): Promise<void>;
}

type SocketDeps = Pick<CatalogDeps, 'store' | 'auth' | 'signer' | 'clock' | 'events' | 'origins' | 'log'>;

export function attachSockets(server: Server, deps: SocketDeps): Sockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024, perMessageDeflate: false });
  const alive = new WeakSet<WebSocket>();

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    admit(deps, request).then(
      (refusal) => {
        if (refusal !== null) return refuse(socket, refusal);
        sockets.handleUpgrade(request, socket, head, (peer) => {
          alive.add(peer);
          peer.on('pong', () => alive.add(peer));
          peer.on('error', () => peer.terminate());
        });
      },
      (error: unknown) => {
        deps.log.error('a socket could not be opened', { error: String(error) });
        refuse(socket, '500 Internal Server Error');
      },
    );
  });

  const send = (message: ServerMessage): void => {
    const text = JSON.stringify(message);
    for (const peer of sockets.clients) {
      if (peer.bufferedAmount > MAX_WAITING) peer.terminate();
      else if (peer.readyState === peer.OPEN) peer.send(text);
    }
  };
  const stopListening = deps.events.listen(send);

  const heartbeat = setInterval(() => {
    for (const peer of sockets.clients) {
      if (!alive.has(peer)) peer.terminate();
      else {
        alive.delete(peer);
        peer.ping();
      }
    }
  }, HEARTBEAT_MS);
  const stopWatching = watchFeed(deps, sockets, () => send({ type: 'CatalogChanged' }));

  return {
    close: () => {
      clearInterval(heartbeat);
      stopWatching();
      stopListening();
      for (const peer of sockets.clients) peer.close(1001, 'the server is stopping');
      return new Promise((resolve) => sockets.close(() => resolve()));
    },
  };
}

/** Null when the socket may be opened, otherwise the status line of the refusal. */
async function admit(deps: SocketDeps, request: IncomingMessage): Promise<string | null> {
  const url = new URL(request.url ?? '/', 'http://server');
  if (url.pathname !== PATH) return '404 Not Found';
  const { origin, host, authorization } = request.headers;
  if (origin !== undefined && !deps.origins.includes(origin) && !isOwn(origin, host)) return '403 Forbidden';
  const credentials = {
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    authorization: authorization ?? null,
  };
  const principal = await identify(deps, credentials);
  if (principal === null) return '401 Unauthorized';
  return may(principal, 'EditCatalog') ? null : '403 Forbidden';
}

/** The page came from this very server. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function watchFeed(deps: SocketDeps, sockets: WebSocketServer, changed: () => void): () => void {
  let seen: number | null = null;
  let busy = false;
  const look = async (): Promise<void> => {
    const position = await feedPosition(deps.store.db);
    if (seen !== null && position > seen) changed();
    seen = position;
  };
  const timer = setInterval(() => {
    if (busy || sockets.clients.size === 0) return;
    busy = true;
    look()
      .catch((error: unknown) => deps.log.error('the change feed could not be read', { error: String(error) }))
      .finally(() => {
        busy = false;
      });
  }, WATCH_MS);
  return () => clearInterval(timer);
}
