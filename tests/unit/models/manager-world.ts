/** A model manager in a world that the test owns: a place that serves files, stores in memory, locks, a clock. */
import { createHash } from 'node:crypto';
import { failed } from '#core/errors.ts';
import type { ListedModel } from '#adapters/models/model-list.ts';
import { ModelManager } from '#adapters/models/manager.ts';
import type { Machine } from '#adapters/models/machine.ts';
import type { ManagerPorts, ModelRow, ModelRows, PartStore } from '#adapters/models/parts.ts';

export const PART_BYTES = 1_000_000;

export const MACHINE: Machine = {
  webgpu: 'ok',
  adapter: 'a card',
  software: false,
  shader_f16: true,
  max_buffer: 2 ** 31,
  threads: 1,
  isolated: false,
  memory: 8 * 1024 ** 3,
  free_storage: 1e12,
  wasm64: true,
};

export class World {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  /** `GET url range`, in order. */
  readonly asked: string[] = [];
  readonly kept = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly rows = new Map<string, ModelRow>();
  free: number | null = 1e12;
  mirror = '';
  ranges = true;
  etag: string | null = '"one"';
  now = 0;
  /** Called before each piece of an answer; may abort, throw, or change the world. */
  beforeChunk: (url: string, at: number) => void | Promise<void> = () => undefined;
  readonly waits: number[] = [];
  /** Sealed, in a browser. */
  readonly queries = new Map<string, string>();
  /** Called when a part is whole in its store. */
  afterPut: () => void | Promise<void> = () => undefined;
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #listed: ListedModel[];

  constructor(listed: ListedModel[] = []) {
    this.#listed = listed;
  }

  /** As one tab sees it: everything is shared but what runs in it. */
  tab(): ModelManager {
    return new ModelManager(this.ports());
  }

  ports(): ManagerPorts {
    let count = 0;
    const rows: ModelRows = {
      get: async (id) => this.rows.get(id) ?? null,
      put: async (row) => void this.rows.set(row.id, structuredClone(row)),
      remove: async (id) => void this.rows.delete(id),
      list: async () => [...this.rows.values()],
    };
    return {
      rows,
      store: () => this.#store(),
      fetch: (url, init) => this.#fetch(url, init),
      alone: async (name, signal, work) => {
        const before = this.#locks.get(name) ?? Promise.resolve();
        const mine = before.then(async () => {
          if (signal.aborted) throw new Error('no longer wanted');
          return work();
        });
        this.#locks.set(
          name,
          mine.catch(() => undefined),
        );
        return mine;
      },
      clock: { now: () => (this.now += 10) },
      ids: { next: () => `n${(count += 1)}` },
      machine: async () => MACHINE,
      free: async () => this.free,
      mirror: async () => this.mirror,
      query: (id) => ({
        get: async () => this.queries.get(id) ?? null,
        set: async (query) => void this.queries.set(id, query),
        clear: async () => void this.queries.delete(id),
      }),
      wait: async (ms) => void this.waits.push(ms),
      listed: this.#listed,
      partBytes: PART_BYTES,
    };
  }

  /** Every tab is closed: what they held is free. */
  closeTabs(): void {
    this.#locks.clear();
  }

  #store(): PartStore {
    return {
      size: async (key) => this.kept.get(key)?.length ?? null,
      put: async (key, chunks) => {
        const all: Uint8Array[] = [];
        for await (const chunk of chunks) all.push(chunk);
        this.kept.set(key, new Uint8Array(Buffer.concat(all)));
        await this.afterPut();
      },
      read: async (key) => {
        const bytes = this.kept.get(key);
        if (bytes === undefined) throw failed('blob_missing', `no ${key}`);
        return new Blob([bytes]);
      },
      remove: async (key) => void this.kept.delete(key),
    };
  }

  async #fetch(url: string, init: { headers?: Record<string, string>; signal: AbortSignal }): Promise<Response> {
    const range = /bytes=(\d+)-(\d*)/.exec(init.headers?.['range'] ?? '');
    this.asked.push(`${new URL(url).pathname.split('/').at(-1)}${range ? ` ${range[0].slice(6)}` : ''}`);
    const whole = this.files.get(url);
    if (whole === undefined) return new Response('not here', { status: 404 });
    const [from, to] =
      range && this.ranges ? [Number(range[1]), range[2] ? Number(range[2]) : whole.length - 1] : [0, whole.length - 1];
    const body = whole.subarray(from, to + 1);
    const headers = new Headers({ 'content-length': String(body.length) });
    if (this.etag !== null) headers.set('etag', this.etag);
    if (range && this.ranges) headers.set('content-range', `bytes ${from}-${from + body.length - 1}/${whole.length}`);
    return new Response(this.#stream(url, body, init.signal), { status: range && this.ranges ? 206 : 200, headers });
  }

  #stream(url: string, body: Uint8Array<ArrayBuffer>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    return new ReadableStream({
      pull: async (controller) => {
        await this.beforeChunk(url, at);
        if (signal.aborted) return controller.error(new Error('aborted'));
        if (at >= body.length) return controller.close();
        controller.enqueue(body.slice(at, at + 65_536));
        at += 65_536;
      },
    });
  }
}

/** `bytes` bytes that look like no other seed's. */
export function someBytes(bytes: number, seed: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  for (let at = 0, state = seed; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    out[at] = state >>> 16;
  }
  return out;
}

export function hash(algorithm: 'sha256' | 'md5', bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
