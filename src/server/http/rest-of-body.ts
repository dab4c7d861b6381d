/**
 * A request may be answered before all of its body has come: its scope is missing, its first row is wrong. Many clients
 * read nothing until they have sent everything, and a connection that is closed meanwhile is all that they see of the
 * answer. So the rest is read and thrown away, within bounds.
 */
import type { IncomingMessage, Server } from 'node:http';

/** More than any body of JSON may have (128 MB): whoever sends more than that is cut off. Bytes. */
const MOST = 160 * 1024 * 1024;
/** So long the rest may take, milliseconds. */
const PATIENCE_MS = 30_000;

export function takeRestOfBodies(server: Server): void {
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('finish', () => takeRest(incoming));
  });
}

function takeRest(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  const cutOff = (): void => incoming.socket.destroySoon();
  const timer = setTimeout(cutOff, PATIENCE_MS);
  timer.unref();
  let bytes = 0;
  // Whoever read so far would keep what comes, and hold it up.
  incoming.removeAllListeners('data');
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MOST) cutOff();
  });
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}
