import { isIP } from 'node:net';

/**
 * Where a request comes from: the address of its connection, or, where that is a proxy that the server was told to
 * trust, what this proxy says of its client: the last hop, since everything before it is the client's own word.
 */
export function clientAddress(
  connection: string | undefined,
  forwarded: string | undefined,
  proxies: readonly string[],
): string {
  const own = (connection ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '');
  if (forwarded === undefined || !proxies.includes(own)) return own;
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return isIP(last) === 0 ? own : last;
}
