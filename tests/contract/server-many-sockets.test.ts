/** Many sockets, and one that does not keep up: about the process, whatever the store. */
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServerMessage } from '#core/sync/socket-messages.ts';
import { job, step } from '../fixtures/mirrored.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { connectTo, cursorOf, dial, hangUp, mirrorTo, socketAddress, updates } from '../fixtures/sockets.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  hangUp();
  await server.end();
});

describe('GET /v1/ws', () => {
  test('SOCKET-10: a reader who takes nothing is dropped, comes again and has missed nothing', async () => {
    const slow = await connectTo(server);
    const quick = await connectTo(server);
    const cursor = cursorOf(slow);
    slow.socket.pause();
    const content = 'x'.repeat(19_000);
    let number = 0;
    const more = async (): Promise<void> => {
      const steps = Array.from({ length: 250 }, () => step('j1', (number += 1), content));
      await mirrorTo(server, { jobs: [job('j1')], steps });
    };
    const closed = once(slow.socket, 'close');
    // What the system's buffers take, which nobody knows, and a megabyte.
    for (let round = 0; round < 3; round += 1) await more();
    // Fourteen megabytes: on a busy machine they take their time.
    await expect.poll(() => updates(quick).length, { timeout: 120_000 }).toBe(number);
    slow.socket.resume();
    await closed;
    expect(updates(slow).length).toBeLessThan(number);
    const again = await connectTo(server, cursor);
    await expect.poll(() => updates(again).length, { timeout: 120_000 }).toBe(number);
    const last = updates(again).at(-1);
    expect(last?.latest_step?.step_number).toBe(number);
  });

  test('SOCKET-10: one who takes what comes is not dropped, however much comes at once', async () => {
    const content = 'x'.repeat(19_000);
    const quick = await connectTo(server);
    let isOpen = true;
    quick.socket.on('close', () => (isOpen = false));
    const steps = Array.from({ length: 500 }, (_, at) => step('j1', at + 1, content));
    expect((await mirrorTo(server, { jobs: [job('j1')], steps })).status).toBe(200);
    await expect.poll(() => updates(quick).length, { timeout: 120_000 }).toBe(500);
    expect(isOpen).toBe(true);
  });

  test('SOCKET-11: a thousand sockets are held, and each hears what it should', async () => {
    const many = 1000;
    const greeted = new Set<number>();
    const heard = new Set<number>();
    const open = Array.from({ length: many }, (_, at) => {
      const socket = dial(socketAddress(server), { headers: { authorization: `Bearer ${TOKEN}` } });
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString('utf8')) as ServerMessage;
        if (type === 'Hello') greeted.add(at);
        if (type === 'IngestionUpdate') heard.add(at);
      });
      return once(socket, 'open');
    });
    await Promise.all(open);
    await expect.poll(() => greeted.size).toBe(many);
    await mirrorTo(server, { jobs: [job('seen-by-all')] });
    await expect.poll(() => heard.size).toBe(many);
  });
});
