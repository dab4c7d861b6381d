/** A proxy before a catalog server that counts what is fetched of the app, compressed as a proxy does it. */
import { createServer, request as ask, type Server } from 'node:http';
import { createGzip } from 'node:zlib';

const isApi = (path: string): boolean => /^\/(v1|api)\/|^\/health/.test(path);
const PACKS = /javascript|css|html|json|svg/;

/** A file of the app that was asked for. */
export interface Counted {
  path: string;
  /** As its answer says. */
  type: string;
  /** Headers included. */
  bytes: number;
  /**
   * Who asked: the page with its workers, or its service worker for the time without a network. Wasm that a worker fetches
   * counts as the service worker's, too: both look the same.
   */
  by: 'page' | 'service worker';
}

/** Hands every request on; `counted` hears of each answered file of the app how many bytes it was, headers included. */
export function countingProxy(target: URL, counted: (file: Counted) => void): Server {
  return createServer((from, to) => {
    const path = from.url ?? '/';
    const { socket } = to;
    const before = socket?.bytesWritten ?? 0;
    let type = '';
    const onward = ask({ host: target.hostname, port: target.port, path, method: from.method, headers: from.headers });
    onward.on('response', (answer) => {
      const headers = { ...answer.headers };
      type = headers['content-type'] ?? '';
      const packs =
        !isApi(path) && headers['content-encoding'] === undefined && PACKS.test(headers['content-type'] ?? '');
      if (packs) {
        delete headers['content-length'];
        headers['content-encoding'] = 'gzip';
      }
      to.writeHead(answer.statusCode ?? 502, headers);
      if (packs) answer.pipe(createGzip()).pipe(to);
      else answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    to.on('finish', () => {
      if (isApi(path)) return;
      const bytes = (socket?.bytesWritten ?? before) - before;
      // Nothing that it fetches has a destination; of the page, scripts, styles and workers do. (There is no referrer: the
      // server's policy is to send none.)
      const ofServiceWorker = from.headers['service-worker'] === 'script' || from.headers['sec-fetch-dest'] === 'empty';
      counted({ path, type, bytes, by: ofServiceWorker ? 'service worker' : 'page' });
    });
    from.pipe(onward);
  });
}

/** Its address, once it listens. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return `http://127.0.0.1:${address.port}`;
}
