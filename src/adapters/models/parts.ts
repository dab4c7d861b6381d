import * as v from 'valibot';
import type { Clock, Ids } from '#core/ports.ts';
import type { Machine } from './machine.ts';
import { LOCAL_ENGINES, type LocalEngine } from '#core/agent/llm/providers.ts';
import type { ListedModel } from './model-list.ts';

/** A piece of a model that is fetched, kept and checked by itself. */
export const PartSchema = v.object({
  /** Where it is kept: unique in its store. */
  key: v.string(),
  url: v.string(),
  /** First byte wanted of what is at the address; null: all of it. */
  start: v.nullable(v.number()),
  /** null until it is known. */
  bytes: v.nullable(v.number()),
  /** As the publisher lists it, lower-case hex. */
  md5: v.nullable(v.string()),
  /** As it was when it was first complete here, lower-case hex: a later copy must be the same. */
  sha256: v.nullable(v.string()),
});
export type Part = v.InferOutput<typeof PartSchema>;

/** What this browser knows of a model that it has, has begun, or that the person added. */
export const ModelRowSchema = v.object({
  schemaVersion: v.literal(1),
  id: v.string(),
  name: v.string(),
  engine: v.picklist(LOCAL_ENGINES),
  /** Added by the person. */
  own: v.boolean(),
  /** Bytes that are kept when it is complete; null while a size is missing. */
  total: v.nullable(v.number()),
  context_length: v.number(),
  licence: v.string(),
  licence_url: v.nullable(v.string()),
  /** Of the whole file, lower-case hex, where it is published; compared once, when the last part has come. */
  sha256: v.nullable(v.string()),
  /** ETag of the address, so that no two versions of a file are mixed. */
  version: v.nullable(v.string()),
  /** Of every part, in order. */
  parts: v.array(PartSchema),
  /** All parts came, and the whole was as published. */
  complete: v.boolean(),
});
export type ModelRow = v.InferOutput<typeof ModelRowSchema>;

/** Rows by model id; a damaged row counts as absent. */
export interface ModelRows {
  get(id: string): Promise<ModelRow | null>;
  put(row: ModelRow): Promise<void>;
  remove(id: string): Promise<void>;
  list(): Promise<ModelRow[]>;
}

/** Keeps parts whole or not at all. Throws AccessionError `storage_full` or `storage_failed`. */
export interface PartStore {
  /** Bytes, or null where there is no such part. */
  size(key: string): Promise<number | null>;
  /** `bytes`: how many will come, where that is known. */
  put(key: string, chunks: AsyncIterable<Uint8Array>, bytes: number | null): Promise<void>;
  /** Throws AccessionError `blob_missing`. Bytes are read when they are used. */
  read(key: string): Promise<Blob>;
  /** No error where there is no such part. */
  remove(key: string): Promise<void>;
}

export function sumOf(parts: readonly Part[]): number | null {
  return parts.reduce<number | null>((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0);
}

export type Fetch = (url: string, init: { headers?: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

/** One text that is kept sealed. */
interface KeptSecret {
  get(): Promise<string | null>;
  set(text: string): Promise<void>;
  clear(): Promise<void>;
}

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
  query: (id: string) => KeptSecret;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  listed?: readonly ListedModel[];
  /** Bytes of one part of a GGUF file. */
  partBytes?: number;
}
