import type { Clock, Ids } from '#core/ports.ts';
import type { TokenStore } from '../browser/token.ts';
import type { LocalEngine } from './inference.ts';
import type { Machine } from './machine.ts';
import type { ListedModel } from './model-list.ts';
import type { ModelRows, PartStore } from './parts.ts';
import type { Fetch } from './plan.ts';

/** What the model manager needs of the world. */
export interface ManagerPorts {
  rows: ModelRows;
  store: (engine: LocalEngine) => PartStore;
  fetch: Fetch;
  /** Runs the work alone among all tabs; rejects when `signal` says so while it waits. */
  alone: <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  clock: Clock;
  ids: Ids;
  machine: () => Promise<Machine>;
  /** Bytes that may still be stored; null where the browser does not say. */
  free: () => Promise<number | null>;
  /** Address of the person's own copy of WebLLM's files; '' for the usual place. */
  mirror: () => Promise<string>;
  /** Where the query of the address of a model of the person's own is kept: it may be a key to the file. */
  query: (id: string) => TokenStore;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  listed?: readonly ListedModel[];
  /** Bytes of one part of a GGUF file. */
  partBytes?: number;
}
