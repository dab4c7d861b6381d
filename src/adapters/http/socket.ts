/**
 * The server's WebSocket, as a hint that something changed. What is true is always pulled: a lost or invented
 * message costs nothing. It connects again with the cursor of the last message, so that what came meanwhile is sent
 * first; where the server does not know that place any more, it says so (`resync`).
 *
 *   sign -> connecting -> open -> (close, error, or silence) -> back-off -> sign -> ...
 *     '--- 401, 403: waits for a poke
 */
import * as v from 'valibot';
import { backoffMs, type Random } from '#core/sync/connection.ts';
import type { PlanReadyMessage } from '#core/sync/plan-protocol.ts';
import type { IngestionUpdate } from '#core/sync/protocol.ts';
import type { Result } from '#core/result.ts';
import { ServerMessageSchema, type NoticeMessage } from '#core/sync/socket-messages.ts';

/** Injected timers: a test turns them by hand. */
export interface Timers {
  set(run: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export type SocketHint =
  | { type: 'connected' }
  /** What was received before is out of date: read jobs and reviews. */
  | { type: 'resync' }
  | { type: 'CatalogChanged' }
  | PlanReadyMessage
  | NoticeMessage
  | IngestionUpdate;

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

/** Heartbeats that may be missing before the connection counts as dead. */
const PATIENCE = 2.5;

const MessageText = v.pipe(v.string(), v.parseJson(), ServerMessageSchema);

export function createCatalogSocket(options: SocketOptions): CatalogSocket {
  const open = options.open ?? ((url: string) => new WebSocket(url));
  let running = false;
  let attempts = 0;
  let timer: unknown = null;
  let socket: WebSocket | null = null;
  let signing = false;
  /** The token was refused: asking again and again would only get this address shut out. */
  let refused = false;
  /** Behind the last message. */
  let cursor: string | null = null;
  let heartbeatMs: number | null = null;
  let watchdog: unknown = null;

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
      current = open(since(url.replace(/^http/, 'ws')));
    } catch {
      return retry();
    }
    socket = current;
    current.onopen = () => {
      attempts = 0;
      options.onHint({ type: 'connected' });
    };
    current.onmessage = (event: MessageEvent<unknown>) => {
      const { output: message, success } = v.safeParse(MessageText, event.data);
      if (!success) return;
      if ('heartbeat_ms' in message) heartbeatMs = message.heartbeat_ms;
      if ('cursor' in message) cursor = message.cursor ?? cursor;
      watch(current);
      if (message.type === 'Hello') {
        if (message.resync) options.onHint({ type: 'resync' });
      } else if (message.type !== 'Heartbeat') options.onHint(message);
    };
    // An error is always followed by a close.
    current.onclose = () => {
      if (socket === current) ended();
    };
  }

  const since = (url: string): string => {
    if (cursor === null) return url;
    return `${url}${url.includes('?') ? '&' : '?'}since=${encodeURIComponent(cursor)}`;
  };

  /** A network that went away without a word closes nothing: silence does. */
  function watch(current: WebSocket): void {
    if (watchdog !== null) options.timers.clear(watchdog);
    watchdog = null;
    if (heartbeatMs === null || socket !== current) return;
    watchdog = options.timers.set(() => {
      watchdog = null;
      if (socket !== current) return;
      ended();
      current.close();
    }, heartbeatMs * PATIENCE);
  }

  function ended(): void {
    socket = null;
    heartbeatMs = null;
    if (watchdog !== null) options.timers.clear(watchdog);
    watchdog = null;
    retry();
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
      if (watchdog !== null) options.timers.clear(watchdog);
      watchdog = null;
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
