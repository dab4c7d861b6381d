/**
 * What is known about the server, as one value; the top bar's truth and the outbox's gate.
 *
 *   starting --answer--> ok <--answer-- offline | server_error   (tried again at next_try_at)
 *                        |                 ^
 *                        +----failure------+
 *   any --401, 403--> unauthorized  --another token, or a person's retry--> starting
 */
import type { Failure } from '../errors.ts';

/** A number in [0, 1). Injected, so that a test decides it. */
export type Random = () => number;

const FIRST_MS = 1_000;
/** No failure waits longer than this for its next try, unless the server asked for more. */
export const BACKOFF_CAP_MS = 60_000;
/** A server's Retry-After is believed up to this; a larger one is a mistake or an attack. */
export const RETRY_AFTER_CAP_MS = 3_600_000;

/**
 * Milliseconds to wait before the given try (from 1): doubling from one second up to the cap, the upper half
 * random, so that many workstations do not return in step.
 */
export function backoffMs(attempt: number, random: Random): number {
  const ceiling = Math.min(BACKOFF_CAP_MS, FIRST_MS * 2 ** Math.min(Math.max(attempt, 1) - 1, 16));
  return Math.round(ceiling / 2 + random() * (ceiling / 2));
}

/** What the other side asked for, where it did; our own back-off otherwise. Milliseconds. */
export function delayMs(retryAfterMs: number | undefined, attempt: number, random: Random): number {
  if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs < 0)
    return backoffMs(attempt, random);
  return Math.min(retryAfterMs, RETRY_AFTER_CAP_MS);
}

/** Milliseconds of a Retry-After: seconds, or an HTTP date; undefined where it makes no sense. */
export function retryAfter(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const at = text === '' ? NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

export interface Connection {
  state: 'starting' | 'ok' | 'offline' | 'unauthorized' | 'server_error';
  message: string | null;
  /** Failures in a row. */
  failures: number;
  last_contact_at: number | null;
  /** Not before this time; null: at once. */
  next_try_at: number | null;
  /** The token that was refused; null also means "there is none". */
  refused_token: string | null;
}

/** The longest pause between two probes of a server that does not answer: one small request, so a short one. */
const PROBE_CAP_MS = 15_000;

export const STARTING: Connection = {
  state: 'starting',
  message: null,
  failures: 0,
  last_contact_at: null,
  next_try_at: null,
  refused_token: null,
};

/** The server gave a usable answer. */
export function answered(connection: Connection, now: number): Connection {
  return { ...STARTING, state: 'ok', last_contact_at: now, refused_token: connection.refused_token };
}

/**
 * A request failed. A refusal of its content (404, 409, 413, 415, 422) is an answer like any other: the
 * connection is fine.
 */
export function failedWith(
  connection: Connection,
  reason: Failure,
  context: { now: number; random: Random; token: string | null },
): Connection {
  const failures = connection.failures + 1;
  const next_try_at = context.now + delayMs(reason.retryAfterMs, failures, context.random);
  const common = { ...connection, message: reason.message, failures };
  switch (reason.code) {
    case 'unauthorized':
    case 'forbidden':
      return {
        ...common,
        state: 'unauthorized',
        next_try_at: null,
        refused_token: context.token,
        last_contact_at: context.now,
      };
    case 'offline':
      return { ...common, state: 'offline', next_try_at: Math.min(next_try_at, context.now + PROBE_CAP_MS) };
    case 'server_error':
      return { ...common, state: 'server_error', next_try_at, last_contact_at: context.now };
    case 'rate_limited':
      return {
        ...common,
        state: connection.state === 'starting' ? 'starting' : 'ok',
        next_try_at,
        last_contact_at: context.now,
      };
    case 'cancelled':
    case 'internal':
    case 'blob_missing':
      return connection;
    default:
      return answered(connection, context.now);
  }
}

/** A pause for a refused token ends when another token is there (SYNC-4). */
export function tokenSeen(connection: Connection, token: string | null): Connection {
  if (connection.state !== 'unauthorized' || token === null || token === connection.refused_token) return connection;
  return STARTING;
}

/** A person, or the browser's `online` event: try now, whatever the timers say. */
export function tryNow(connection: Connection): Connection {
  return {
    ...connection,
    state: connection.state === 'unauthorized' ? 'starting' : connection.state,
    next_try_at: null,
    failures: 0,
  };
}

/** May requests be made now? `paused` wants a token, `later` has its time in `next_try_at`. */
export function gate(connection: Connection, now: number): 'open' | 'later' | 'paused' {
  if (connection.state === 'unauthorized') return 'paused';
  const at = connection.next_try_at;
  // A time beyond any delay we set comes from a clock that was wrong: not waited for.
  return at !== null && at > now && at - now <= RETRY_AFTER_CAP_MS ? 'later' : 'open';
}
