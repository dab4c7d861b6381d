/** The server's address, on real sockets. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createListener, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../e2e/support/catalog-server.ts';
import { listen, type Listening } from '#server/listen.ts';

const HOST = '127.0.0.1';
const NEWCOMERS = 96;

const open: { server: Server; listening: Listening }[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { server, listening } of open.splice(0)) {
    listening.stop();
    server.close();
    server.closeAllConnections();
  }
});

async function serve(port: number): Promise<Server> {
  const server = createServer((_, response) => response.end('here'));
  open.push({ server, listening: await listen(server, port, HOST) });
  return server;
}

test('API-116 whoever comes new waits for a few turns of the loop, not for one each', async () => {
  const port = await freePort();
  const server = await serve(port);
  let came = 0;
  server.on('connection', () => (came += 1));
  // The system connects them; the loop has not had a turn yet when all are there.
  for (let one = 0; one < NEWCOMERS; one += 1) sockets.push(connect(port, HOST));
  let turns = 0;
  for (; came < NEWCOMERS; turns += 1) await setImmediate();
  expect(turns).toBeLessThan(process.platform === 'linux' ? NEWCOMERS / 3 : NEWCOMERS * 3);
});

test('API-116 each of them is answered, and nobody is let in after the end', async () => {
  const port = await freePort();
  await serve(port);
  const answers = await Promise.all(Array.from({ length: NEWCOMERS }, () => fetch(`http://${HOST}:${port}`)));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(new Set(['here']));
  for (const { server, listening } of open.splice(0)) {
    listening.stop();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  const late = connect(port, HOST);
  const [error] = (await once(late, 'error')) as [Error];
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('API-117 an address that another server has is refused, whether that one shares it or not', async () => {
  const port = await freePort();
  await serve(port);
  await expect(listen(createServer(), port, HOST)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const plain = createListener().listen(0, HOST);
  await once(plain, 'listening');
  await expect(listen(createServer(), (plain.address() as AddressInfo).port, HOST)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  plain.close();
});
