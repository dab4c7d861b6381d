/**
 * The port to sources on the network: one GET of one address for one connector. What may be asked is the adapter's to enforce, at
 * the first address and at each redirect; where there is no network it is not there, or answers from what was recorded.
 */
import type { CancelSignal } from '../../cancel.ts';
import type { Result } from '../../result.ts';

/** What all of a source's addresses have in common. */
export interface Connector {
  name: string;
  /** Patterns of hosts; null: whatever host the step, the question or the person names. */
  hosts: readonly string[] | null;
  licence: string;
  /** Whom to name beside what is made of its answers. */
  attribution: string;
  /** The other side lets pages of any origin ask. */
  direct: boolean;
  /** What its robots.txt forbids is not asked. */
  robots: boolean;
  /** Between two questions to a host, milliseconds. */
  everyMs: number;
  /** Of one answer. */
  bytes: number;
  timeMs: number;
  /** A key that the server or the terminal holds: it is never in a page. */
  secret?: Secret;
}

export interface Secret {
  /** By which its holder knows it. */
  name: string;
  /** The header or the field of the query that carries it. */
  header?: string;
  query?: string;
  /** Before it in the header: `Bearer `. */
  prefix?: string;
}

export const USUAL_CONNECTOR = {
  ...{ direct: false, robots: false, everyMs: 200, bytes: 4 * 1024 * 1024, timeMs: 15_000 },
} as const satisfies Partial<Connector>;

export interface NetAsk {
  connector: Connector;
  url: string;
  /** The content types that are wanted, as the header has them. */
  accept: string;
  /** Of the step or the question; null: a person asks, who chose the address. */
  domains: readonly string[] | null;
}

export interface NetAnswer {
  /** Behind all redirects. */
  url: string;
  /** Without its parameters. */
  type: string;
  charset: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** As the text that they are. */
  text(): string;
  /** When it was fetched, milliseconds. */
  at: number;
  /** It was not asked now: this is what it answered then. */
  recorded: boolean;
}

export interface Net {
  /**
   * An answer of status 200 to 299. Fails with `tool_refused` (not allowed, not of a wanted kind), `tool_limit`, `tool_timeout`,
   * `rate_limited` (with the wait), `tool_unavailable` (its status says no), `offline` (nothing was reached), `cancelled`.
   */
  ask(asked: NetAsk, signal?: CancelSignal): Promise<Result<NetAnswer>>;
}

/** The kinds of content that are taken: text of any form, and files of tables and maps. */
export const TAKEN =
  /^(?:text\/[\w.+-]+|application\/(?:json|[\w.-]+\+json|xml|[\w.-]+\+xml|x-ndjson|csv|dns-json|zip|octet-stream|geopackage\+sqlite3|vnd\.[\w.+-]+|x-[\w.+-]+)|image\/tiff|)$/;
