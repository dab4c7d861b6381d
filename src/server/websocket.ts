/**
 * GET /v1/ws: hints about jobs and the catalog. Whoever connects is known by a signed URL (a browser cannot send a
 * header here) and, from a page, comes from an allowed origin. What is told is read from the database
 * (socket-feed.ts), so several processes tell the same.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { identify } from './auth/identify.ts';
import { may, type Principal } from './auth/principal.ts';
import type { CatalogDeps } from './deps.ts';
import { SocketFeed } from './socket-feed.ts';
import { SocketPeer } from './socket-peer.ts';

const PATH = '/v1/ws';
/** A peer that does not answer a ping before the next one is gone, milliseconds. */
const HEARTBEAT_MS = 30_000;

export interface Sockets {
  /** Open connections. */
  readonly count: number;
  close(): Promise<void>;
}

type SocketDeps = Pick<CatalogDeps, 'store' | 'auth' | 'signer' | 'clock' | 'events' | 'origins' | 'log'>;

export function attachSockets(server: Server, deps: SocketDeps, heartbeatMs = HEARTBEAT_MS): Sockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024, perMessageDeflate: false });
  const alive = new WeakSet<WebSocket>();
  const feed = new SocketFeed(deps);

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const url = new URL(request.url ?? '/', 'http://server');
    admit(deps, request, url).then(
      (admitted) => {
        if (typeof admitted === 'string') return refuse(socket, admitted);
        sockets.handleUpgrade(request, socket, head, (ws) => {
          alive.add(ws);
          ws.on('pong', () => alive.add(ws));
          ws.on('error', () => ws.terminate());
          const peer = new SocketPeer(ws, feed, admitted.user, heartbeatMs);
          ws.on('close', () => feed.remove(peer));
          ws.on('message', (data) => peer.hear(data));
          peer.begin(url.searchParams.get('since'));
        });
      },
      (error: unknown) => {
        deps.log.error('a socket could not be opened', { error: String(error) });
        refuse(socket, '500 Internal Server Error');
      },
    );
  });

  const heartbeat = setInterval(() => {
    for (const ws of sockets.clients) {
      if (!alive.has(ws)) ws.terminate();
      else {
        alive.delete(ws);
        ws.ping();
      }
    }
    feed.beat();
  }, heartbeatMs);

  return {
    get count() {
      return sockets.clients.size;
    },
    close: () => {
      clearInterval(heartbeat);
      feed.close();
      for (const peer of sockets.clients) peer.close(1001, 'the server is stopping');
      return new Promise((resolve) => sockets.close(() => resolve()));
    },
  };
}

/** Whose jobs are told, null for everybody's; or the status line of the refusal. */
async function admit(deps: SocketDeps, request: IncomingMessage, url: URL): Promise<{ user: string | null } | string> {
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
  return mayHear(principal, url.searchParams.get('all') === 'true');
}

/** A user hears of their own jobs; an administrator who asks for it, of everybody's. */
function mayHear(principal: Principal, all: boolean): { user: string | null } | string {
  if (!may(principal, 'EditCatalog')) return '403 Forbidden';
  if (!all) return { user: principal.user_id };
  return may(principal, 'Admin') ? { user: null } : '403 Forbidden';
}

/** The page came from this very server. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
