/** How a guide's address is asked. */
import { lookup } from 'node:dns/promises';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { isPublicAddress } from '#adapters/node/public-address.ts';

export interface FetchWire {
  /** All addresses of a name. */
  resolve(host: string): Promise<{ address: string }[]>;
  /** Somebody's on the public internet. */
  isPublic(address: string): boolean;
  /** A connection to this address, as the address's host. */
  connect(address: string, url: URL): Duplex;
  /** Without a byte, milliseconds. */
  idleMs: number;
}

export const FETCH_WIRE: FetchWire = {
  resolve: (host) => lookup(host, { all: true }),
  isPublic: isPublicAddress,
  connect: (host, { protocol, port, hostname }) =>
    protocol === 'https:'
      ? connectTls({ host, port: Number(port) || 443, servername: hostname })
      : connectPlain({ host, port: Number(port) || 80 }),
  idleMs: 30_000,
};
