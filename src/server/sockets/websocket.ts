/**
 * GET /v1/ws: hints about jobs and the catalog. Whoever connects is known by a signed URL (a browser cannot send a
 * header here) and, from a page, comes from an allowed origin. What is sent is read from the database
 * (socket-feed.ts), so several processes tell the same.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { identify, signedOwner, clientAddress } from '../auth/require-permission.ts';
import { may, type Scope, type Principal } from '../auth/principal.ts';
import type { CatalogDeps } from '../deps.ts';
import { createLimits, type Limit } from '../rates/limits.ts';
import { createSocketFeed } from './socket-feed.ts';
import { createSocketPeer, NOBODY } from './socket-peer.ts';
import { isOwnHost } from '../http/middleware.ts';
import type { Log } from '../log.ts';

/** The open sockets of a process and who has them: one whose owner lost the permission is closed. */

/** WebSocket close code "policy violation". */
const NOT_ALLOWED = 1008;

interface Held {
  /** The same for sockets that the same token or person opened. */
  owner: string;
  /** Who that is now, or null. */
  identify(): Promise<Principal | null>;
  /** Whether that may have what this socket gets. */
  mayHave(principal: Principal): boolean;
}

function socketAccess(log: Log) {
  const all = new Map<WebSocket, Held>();
  let checking = false;
  let again = false;

  async function checkAll(): Promise<void> {
    while (again) {
      again = false;
      const owners = new Map<string, Principal | null>();
      for (const [ws, held] of [...all]) {
        let principal = owners.get(held.owner);
        if (principal === undefined) {
          principal = await held.identify();
          owners.set(held.owner, principal);
        }
        if (principal === null || !held.mayHave(principal)) ws.close(NOT_ALLOWED, 'you may not hear this any more');
      }
    }
  }

  return {
    add(ws: WebSocket, held: Held): void {
      all.set(ws, held);
      ws.on('close', () => all.delete(ws));
    },
    /** Checks every socket; one check at a time, and what changed during one is seen by another. */
    check(): void {
      again = true;
      if (checking) return;
      checking = true;
      checkAll()
        // While the database cannot be reached every socket stays open; it is checked again soon.
        .catch((error: unknown) => log.error('open sockets could not be checked', { error: String(error) }))
        .finally(() => {
          checking = false;
        });
    },
  };
}

const PATH = '/v1/ws';
/** A peer that does not answer a ping before the next one is gone, milliseconds. */
const HEARTBEAT_MS = 30_000;

export interface Sockets {
  /** Open connections. */
  readonly count: number;
  close(): Promise<void>;
}

type SocketDeps = Pick<
  CatalogDeps,
  'store' | 'auth' | 'signer' | 'clock' | 'events' | 'origins' | 'hosts' | 'trustedProxies' | 'log'
>;

export function attachSockets(server: Server, deps: SocketDeps, heartbeatMs = HEARTBEAT_MS): Sockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024, perMessageDeflate: false });
  const alive = new WeakSet<WebSocket>();
  const access = socketAccess(deps.log);
  const { refused } = createLimits(deps.store);
  const feed = createSocketFeed(deps, () => access.check());

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const target = request.url ?? '/';
    // What a client calls an address may be none, as `//`; and what is thrown here ends the process.
    if (!URL.canParse(target, 'http://server')) return refuse(socket, '400 Bad Request');
    const url = new URL(target, 'http://server');
    admit(deps, request, url, refused).then(
      (admitted) => {
        if (typeof admitted === 'string') return refuse(socket, admitted);
        sockets.handleUpgrade(request, socket, head, (ws) => {
          alive.add(ws);
          ws.on('pong', () => alive.add(ws));
          ws.on('error', () => ws.terminate());
          access.add(ws, admitted.held);
          const peer = createSocketPeer(ws, feed, admitted.user, heartbeatMs);
          ws.on('close', () => feed.remove(peer));
          ws.on('message', (data) => peer.receive(data));
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
    // Tokens end by themselves, too.
    access.check();
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

interface Admitted {
  /** Whose jobs it gets; null: everybody's. */
  user: string | null;
  held: Held;
}

/** What the socket gets, or the status line of the refusal. */
async function admit(deps: SocketDeps, request: IncomingMessage, url: URL, refused: Limit): Promise<Admitted | string> {
  if (url.pathname !== PATH) return '404 Not Found';
  const { origin, host, authorization } = request.headers;
  if (!isOwnHost(host ?? '', deps.hosts)) return '421 Misdirected Request';
  if (origin !== undefined && !deps.origins.includes(origin) && !isOwn(origin, host)) return '403 Forbidden';
  const credentials = {
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    authorization: authorization ?? null,
  };
  const principal = await identify(deps, credentials);
  if (principal === null) {
    const client = clientAddress(request.socket.remoteAddress, forwardedBy(request), deps.trustedProxies);
    return (await refused.take(client, deps.clock.now())) > 0 ? '429 Too Many Requests' : '401 Unauthorized';
  }
  const all = url.searchParams.get('all') === 'true';
  // Jobs are what `GET /v1/ingestion/jobs` shows to people, and want EditCatalog.
  const jobs = may(principal, 'EditCatalog');
  const wanted: Scope = all ? 'Admin' : jobs ? 'EditCatalog' : 'ReadCatalog';
  if (!may(principal, wanted)) return '403 Forbidden';
  const { user_id } = principal;
  const held: Held = {
    owner: authorization ?? `${user_id} ${principal.scopes.join(' ')}`,
    // The signature was for opening it: what counts from then on is its person.
    identify: () => (authorization === undefined ? signedOwner(deps.auth, principal) : identify(deps, credentials)),
    mayHave: (now) => may(now, wanted),
  };
  if (all) return { user: null, held };
  return { user: jobs ? user_id : NOBODY, held };
}

function forwardedBy({ headers }: IncomingMessage): string | undefined {
  const said = headers['x-forwarded-for'];
  return Array.isArray(said) ? said.join(',') : said;
}

/** The page came from this very server. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
