import { describe, expect, it } from 'vitest';
import { createCatalogSocket, type SocketHint } from '#adapters/http/socket.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { turnedTime } from './world.ts';

/** The part of a WebSocket that is used, steered by the test. */
class FakeSocket extends EventTarget {
  readonly url: string;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close(): void {
    this.closed = true;
    this.onclose?.();
  }
}

function setUp() {
  const time = turnedTime();
  const hints: SocketHint[] = [];
  const opened: FakeSocket[] = [];
  let signed: Result<{ url: string }> = ok({ url: 'https://server.example/v1/ws?signature=s' });
  let signs = 0;
  const socket = createCatalogSocket({
    sign: async () => {
      signs += 1;
      return signed;
    },
    onHint: (hint) => hints.push(hint),
    timers: time,
    random: () => 0.999999,
    open: (url) => {
      const one = new FakeSocket(url);
      opened.push(one);
      // The members that are used are there.
      return one as unknown as WebSocket;
    },
  });
  const settle = async () => {
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
  };
  return {
    time,
    hints,
    opened,
    socket,
    settle,
    signs: () => signs,
    sign: (result: Result<{ url: string }>) => (signed = result),
  };
}

const UPDATE = { type: 'IngestionUpdate', job_id: 'j1', status: 'COMPLETED', latest_step: null, needs_review: false };

describe('SYNC-21 the socket', () => {
  it('connects with a signed URL, and says so, because much may have happened before', async () => {
    const { socket, opened, hints, settle } = setUp();
    socket.start();
    await settle();
    expect(opened.map((one) => one.url)).toEqual(['wss://server.example/v1/ws?signature=s']);
    opened[0]?.onopen?.();
    expect(hints).toEqual([{ type: 'connected' }]);
  });

  it('passes on what it understands and drops the rest', async () => {
    const { socket, opened, hints, settle } = setUp();
    socket.start();
    await settle();
    for (const data of [
      JSON.stringify(UPDATE),
      '{"type":"CatalogChanged"}',
      'no json',
      '{"type":"Other"}',
      new ArrayBuffer(3),
    ]) {
      opened[0]?.onmessage?.({ data });
    }
    expect(hints).toEqual([UPDATE, { type: 'CatalogChanged' }]);
  });

  it('VIDEO-95 passes on that a plan waits', async () => {
    const { socket, opened, hints, settle } = setUp();
    socket.start();
    await settle();
    const ready = { type: 'RenameFilesPlanReady', taskId: 't1', planFilePath: 'plans/t1.plan.json' };
    opened[0]?.onmessage?.({ data: JSON.stringify(ready) });
    expect(hints).toEqual([ready]);
  });

  it('SYNC-43 reconnects with growing delays, each time with a new signature; an open connection resets them', async () => {
    const { socket, opened, time, settle, signs } = setUp();
    socket.start();
    await settle();
    for (const delay of [1000, 2000, 4000]) {
      opened.at(-1)?.onclose?.();
      expect(time.armed).toEqual([delay]);
      time.pass(delay);
      await settle();
    }
    expect(signs()).toBe(4);
    opened.at(-1)?.onopen?.();
    opened.at(-1)?.onclose?.();
    expect(time.armed).toEqual([1000]);
  });

  it('a refused signature is tried again too, at once when the server was reached by other means', async () => {
    const { socket, opened, time, settle, sign } = setUp();
    sign(fail(failure('offline', 'gone')));
    socket.start();
    await settle();
    expect(opened).toEqual([]);
    expect(time.armed).toEqual([1000]);
    sign(ok({ url: 'http://server.example/v1/ws' }));
    socket.poke();
    await settle();
    expect(opened.map((one) => one.url)).toEqual(['ws://server.example/v1/ws']);
    expect(time.armed).toEqual([]);
  });

  it('SYNC-43 a refused token is not tried again and again; a poke tries the next one', async () => {
    const { socket, opened, time, settle, sign, signs } = setUp();
    sign(fail(failure('unauthorized', 'no')));
    socket.start();
    await settle();
    expect([time.armed, signs()]).toEqual([[], 1]);
    sign(ok({ url: 'http://server.example/v1/ws' }));
    socket.poke();
    await settle();
    expect(opened).toHaveLength(1);
    socket.poke();
    await settle();
    expect(opened).toHaveLength(1);
  });

  it('stops for good, also while it waits or signs', async () => {
    const { socket, opened, time, settle } = setUp();
    socket.start();
    socket.stop();
    await settle();
    expect(opened).toEqual([]);
    socket.start();
    await settle();
    socket.stop();
    expect(opened[0]?.closed).toBe(true);
    expect(time.armed).toEqual([]);
  });
});
