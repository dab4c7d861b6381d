/**
 * The server's WebSocket, as a hint that something changed. What is true is always pulled: a lost or invented
 * message costs nothing.
 *
 *   sign -> connecting -> open -> (close or error) -> back-off -> sign -> ...
 *     '--- 401, 403: waits for a poke
 */
import * as v from 'valibot';
import { backoffMs, type Random } from '#core/sync/backoff.ts';
import { CatalogChangedSchema, IngestionUpdateSchema, type IngestionUpdate } from '#core/sync/protocol.ts';
import type { Result } from '#core/result.ts';

/** Injected timers: a test turns them by hand. */
export interface Timers {
  set(run: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export type SocketHint = { type: 'connected' } | { type: 'CatalogChanged' } | IngestionUpdate;

export interface SocketOptions {
  /** A signed URL of `/v1/ws`, absolute http(s). */
  sign: () => Promise<Result<{ url: string }>>;
  onHint: (hint: SocketHint) => void;
  timers: Timers;
  random: Random;
  open?: (url: string) => WebSocket;
}

export interface CatalogSocket {
  start(): void;
  stop(): void;
  /** Connects now when it is waiting to reconnect, or was refused (the server was just reached by other means). */
  poke(): void;
}

const MessageSchema = v.union([IngestionUpdateSchema, CatalogChangedSchema]);

export function createCatalogSocket(options: SocketOptions): CatalogSocket {
  const open = options.open ?? ((url: string) => new WebSocket(url));
  let running = false;
  let attempts = 0;
  let timer: unknown = null;
  let socket: WebSocket | null = null;
  let signing = false;
  /** The token was refused: asking again and again would only get this address shut out. */
  let refused = false;

  async function connect(): Promise<void> {
    timer = null;
    if (!running || signing || socket !== null) return;
    signing = true;
    const signed = await options.sign();
    signing = false;
    if (!running) return;
    refused = !signed.ok && (signed.failure.code === 'unauthorized' || signed.failure.code === 'forbidden');
    if (signed.ok) listen(signed.value.url);
    else if (!refused) retry();
  }

  function listen(url: string): void {
    let current: WebSocket;
    try {
      current = open(url.replace(/^http/, 'ws'));
    } catch {
      return retry();
    }
    socket = current;
    current.onopen = () => {
      attempts = 0;
      options.onHint({ type: 'connected' });
    };
    current.onmessage = (event: MessageEvent<unknown>) => {
      const hint = parse(event.data);
      if (hint !== null) options.onHint(hint);
    };
    // An error is always followed by a close.
    current.onclose = () => {
      if (socket === current) socket = null;
      retry();
    };
  }

  function retry(): void {
    if (!running || timer !== null || socket !== null) return;
    attempts += 1;
    timer = options.timers.set(() => void connect(), backoffMs(attempts, options.random));
  }

  return {
    start() {
      if (running) return;
      running = true;
      void connect();
    },
    stop() {
      running = false;
      if (timer !== null) options.timers.clear(timer);
      timer = null;
      const last = socket;
      socket = null;
      last?.close();
    },
    poke() {
      if (timer === null && !refused) return;
      if (timer !== null) options.timers.clear(timer);
      void connect();
    },
  };
}

function parse(data: unknown): SocketHint | null {
  if (typeof data !== 'string') return null;
  try {
    const outcome = v.safeParse(MessageSchema, JSON.parse(data));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}
