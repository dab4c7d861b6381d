/**
 * The server's address. Node lets one new connection of a listening socket in with each turn of its event loop, so under
 * load whoever comes new would wait one turn for each who came before; several sockets on the same address let in as many
 * a turn, and the system shares newcomers out among them.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Server as Listener } from 'node:net';

/** Sockets that listen: so many newcomers are let in with one turn. */
export const LISTENERS = 32;
/** Where several sockets may listen on one address (`SO_REUSEPORT`, as Node has it). */
const SHARING = new Set<NodeJS.Platform>(['linux', 'freebsd', 'sunos', 'aix']);

export interface Listening {
  port: number;
  /** Lets nobody new in; whoever is in stays. */
  stop(): void;
}

/**
 * Listens on `host`, with one socket alone where the system picks the port (0) or cannot share it. Rejects with
 * `EADDRINUSE` where another program has the port.
 */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<Listening> {
  const isShared = port !== 0 && SHARING.has(process.platform);
  // A socket that shares would be let in beside another server of the same user; one that does not is refused.
  if (isShared) await refuseTaken(port, host);
  await open(server, { port, host, reusePort: isShared });
  const others: Listener[] = [];
  if (isShared)
    for (let more = 1; more < LISTENERS; more += 1) {
      // As node:http makes its own.
      const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
      await open(other, { port, host, reusePort: true });
      others.push(other);
    }
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      for (const other of others) other.close();
    },
  };
}

async function refuseTaken(port: number, host: string): Promise<void> {
  const alone = createServer();
  await open(alone, { port, host, reusePort: false });
  alone.close();
  await once(alone, 'close');
}

async function open(listener: Listener, at: { port: number; host: string; reusePort: boolean }): Promise<void> {
  // Rejects with the listener's own error.
  const listening = once(listener, 'listening');
  listener.listen(at);
  await listening;
}
