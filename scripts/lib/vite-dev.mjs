/**
 * Vite with hot reload in front of a catalog server (`node vite-dev.mjs PORT SERVER_ORIGIN`): API calls and
 * the socket are passed on, so that page and API have one origin as in the build.
 */
import { createServer } from 'vite';

const [port, target = ''] = process.argv.slice(2);
/** The server answers only origins it knows; behind this proxy the page's origin is its own. */
const toServer = { target, ws: true, changeOrigin: true, headers: { origin: target } };
const server = await createServer({
  server: {
    host: '127.0.0.1',
    port: Number(port),
    strictPort: true,
    proxy: { '/v1': toServer, '/health': toServer },
  },
});
await server.listen();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void server.close().then(() => process.exit(0)));
}
