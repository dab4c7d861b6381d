/**
 * The models of this browser: what is offered, what is here, fetching, checking, deleting.
 *
 *   absent --download--> partial --every part there, the whole as published--> ready
 *                        |  ^  pause, failure, closed tab: what has come stays, the next download fetches the rest
 *                        +--+
 *   ready --verify finds a damaged part--> partial          any --remove--> absent
 *
 * One at a time for each model, over all tabs (a Web Lock): a second tab waits and finds everything there.
 */
import { failure, toFailure, AccessionError } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { DownloadProgress, LocalModel } from '../browser/api.ts';
import { damaged, paused } from './download-failures.ts';
import { fetchPart, hashOf, nameOf } from './fetch-part.ts';
import { readGgufHeader, type GgufHeader } from './gguf-header.ts';
import type { LocalEngine } from './inference.ts';
import type { Machine } from './machine.ts';
import { toLocalModel } from './local-models.ts';
import { fileName, LISTED_MODELS, type ListedModel } from './model-list.ts';
import { Pace } from './pace.ts';
import { sumOf, type ModelRow, type ModelRows, type Part, type PartStore } from './parts.ts';
import { planGguf, planWebllm, type Fetch } from './plan.ts';

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
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  listed?: readonly ListedModel[];
  /** Bytes of one part of a GGUF file. */
  partBytes?: number;
}

/** Waits between tries of a part that broke off, milliseconds. */
const RETRY_MS = [1000, 5000];

export class ModelManager {
  readonly #ports: ManagerPorts;
  readonly #listed: readonly ListedModel[];
  readonly #running = new Map<string, { stop: AbortController; done: Promise<Result<LocalModel>> }>();

  constructor(ports: ManagerPorts) {
    this.#ports = ports;
    this.#listed = ports.listed ?? LISTED_MODELS;
  }

  async models(): Promise<Result<LocalModel[]>> {
    return asResult(async () => {
      const machine = await this.#ports.machine();
      const rows = new Map((await this.#ports.rows.list()).map((row) => [row.id, row]));
      const all = this.#listed.map((listed) => ({ listed, row: rows.get(listed.id) ?? null }));
      const own = [...rows.values()].filter((row) => row.own).map((row) => ({ listed: null, row }));
      return Promise.all([...own, ...all].map(({ listed, row }) => this.#describe(listed, row, machine)));
    });
  }

  /** A pause is no failure: the answer is the model as it is then. */
  download(id: string, onProgress: (progress: DownloadProgress) => void): Promise<Result<LocalModel>> {
    const running = this.#running.get(id);
    if (running !== undefined) return running.done;
    const stop = new AbortController();
    const done = this.#download(id, onProgress, stop.signal).finally(() => this.#running.delete(id));
    this.#running.set(id, { stop, done });
    return done;
  }

  async pause(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.stop.abort();
    await running?.done;
  }

  async remove(id: string): Promise<Result<{ freed: number }>> {
    await this.pause(id);
    return asResult(() =>
      this.#alone(id, async () => {
        const row = await this.#ports.rows.get(id);
        let freed = 0;
        for (const { key } of row?.parts ?? []) {
          const store = this.#ports.store(row?.engine ?? 'wllama');
          freed += (await store.size(key)) ?? 0;
          await store.remove(key);
        }
        await this.#ports.rows.remove(id);
        return { freed };
      }),
    );
  }

  async verify(id: string): Promise<Result<{ damaged: number }>> {
    return asResult(() =>
      this.#alone(id, async () => {
        const row = await this.#ports.rows.get(id);
        if (row === null)
          throw new AccessionError(failure('model_missing', `The model "${id}" is not in this browser.`));
        const store = this.#ports.store(row.engine);
        let bad = 0;
        for (const part of row.parts) {
          if (part.sha256 === null || (await store.size(part.key)) === null) continue;
          if ((await hashOf(await store.read(part.key))) === part.sha256) continue;
          await store.remove(part.key);
          bad += 1;
        }
        if (bad > 0) await this.#ports.rows.put({ ...row, complete: false });
        return { damaged: bad };
      }),
    );
  }

  async addGguf(source: { url: string } | { file: File }, name: string): Promise<Result<LocalModel>> {
    return asResult(async () => {
      const id = `own-${this.#ports.ids.next()}`;
      const row =
        'file' in source ? await this.#copyIn(id, source.file, name) : await this.#ownUrl(id, source.url, name);
      await this.#ports.rows.put(row);
      return this.#describe(null, row, await this.#ports.machine());
    });
  }

  /** The whole GGUF of a model that is ready; its bytes are read when they are used. */
  async gguf(id: string): Promise<Result<Blob>> {
    return asResult(async () => {
      const row = await this.#ready(id);
      const store = this.#ports.store(row.engine);
      return new Blob(await Promise.all(row.parts.map(({ key }) => store.read(key))));
    });
  }

  /** Says why not when a model's parts are not all here: an engine would fetch them by itself otherwise. */
  async ready(id: string): Promise<Result<ModelRow>> {
    return asResult(() => this.#ready(id));
  }

  async #ready(id: string): Promise<ModelRow> {
    const row = await this.#ports.rows.get(id);
    const missing = row === null ? 1 : (await this.#missing(row)).length;
    if (row !== null && row.complete && missing === 0) return row;
    const words = row === null ? 'is not in this browser' : 'is not complete in this browser';
    throw new AccessionError(failure('model_missing', `The model "${row?.name ?? id}" ${words}.`));
  }

  async #download(
    id: string,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<LocalModel>> {
    const listed = this.#listed.find((one) => one.id === id) ?? null;
    const result = await asResult(() =>
      this.#alone(id, () => this.#fetchMissing(id, listed, onProgress, signal), signal),
    );
    if (!result.ok && result.failure.code !== 'cancelled') return result;
    return asResult(async () => {
      const row = await this.#ports.rows.get(id);
      return this.#describe(listed, row, await this.#ports.machine());
    });
  }

  async #fetchMissing(
    id: string,
    listed: ListedModel | null,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let row = (await this.#ports.rows.get(id)) ?? (await this.#plan(id, listed, signal));
    await this.#ports.rows.put(row);
    const missing = await this.#missing(row);
    const total = row.total ?? listed?.downloadBytes ?? 0;
    const have = sumOf(row.parts.filter((part) => !missing.includes(part))) ?? 0;
    await this.#checkSpace(row.name, Math.max(0, total - have));
    const pace = new Pace(this.#ports.clock, have, total, onProgress);
    for (const part of missing) {
      pace.part = nameOf(part);
      pace.say();
      const kept = await this.#fetchOne(part, row, pace, signal);
      row = { ...row, parts: row.parts.map((one) => (one.key === kept.key ? kept : one)) };
      row.total = sumOf(row.parts) ?? row.total;
      await this.#ports.rows.put(row);
    }
    if (!row.complete) await this.#finish(row, pace, signal);
    pace.say();
  }

  async #fetchOne(part: Part, row: ModelRow, pace: Pace, signal: AbortSignal): Promise<Part> {
    const { fetch, wait } = this.#ports;
    for (let attempt = 0; ; attempt += 1) {
      let came = 0;
      const onBytes = (bytes: number): void => {
        came += bytes;
        pace.add(bytes);
      };
      try {
        const store = this.#ports.store(row.engine);
        return await fetchPart(part, { fetch, store, signal, version: row.version, onBytes });
      } catch (error) {
        pace.add(-came);
        const pause = RETRY_MS[attempt];
        if (signal.aborted || pause === undefined || toFailure(error).code !== 'model_unreachable') throw error;
        await wait(pause, signal);
      }
    }
  }

  /** The published hash is of the whole file: compared once. A difference cannot be narrowed down, so all goes. */
  async #finish(row: ModelRow, pace: Pace, signal: AbortSignal): Promise<void> {
    if (row.sha256 !== null) {
      pace.part = 'checking the whole';
      pace.say();
      const store = this.#ports.store(row.engine);
      const whole = new Blob(await Promise.all(row.parts.map(({ key }) => store.read(key))));
      if ((await hashOf(whole, signal)) !== row.sha256) {
        for (const { key } of row.parts) await store.remove(key);
        await this.#ports.rows.put({ ...row, parts: row.parts.map((part) => ({ ...part, sha256: null })) });
        throw damaged(row.name);
      }
    }
    await this.#ports.rows.put({ ...row, complete: true });
  }

  async #plan(id: string, listed: ListedModel | null, signal: AbortSignal): Promise<ModelRow> {
    if (listed === null) throw new AccessionError(failure('model_missing', `There is no model "${id}" in the list.`));
    const { fetch } = this.#ports;
    const { source } = listed;
    const row = {
      ...{ schemaVersion: 1 as const, id, name: listed.name, engine: listed.engine, own: false, complete: false },
      ...{ context_length: listed.contextLength, licence: listed.licence, licence_url: listed.licenceUrl },
    };
    if (source.kind === 'webllm') {
      const parts = await planWebllm(id, source, await this.#ports.mirror(), fetch, signal);
      return { ...row, total: sumOf(parts), sha256: null, version: null, parts };
    }
    const { parts, version } = await planGguf(
      id,
      source.url,
      listed.downloadBytes,
      fetch,
      signal,
      this.#ports.partBytes,
    );
    return { ...row, total: sumOf(parts) ?? listed.downloadBytes, sha256: source.sha256, version, parts };
  }

  async #ownUrl(id: string, url: string, name: string): Promise<ModelRow> {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new AccessionError(failure('invalid', `"${url}" is no address of a file.`));
    }
    const plan = await planGguf(id, url, null, this.#ports.fetch, new AbortController().signal, this.#ports.partBytes);
    return {
      ...ownRow(id, name, plan.header, fileName(url)),
      total: sumOf(plan.parts),
      version: plan.version,
      parts: plan.parts,
    };
  }

  async #copyIn(id: string, file: File, name: string): Promise<ModelRow> {
    const header = readGgufHeader(new Uint8Array(await file.slice(0, 65_536).arrayBuffer()));
    if (header === null) {
      const remedy = 'Choose a file in the GGUF format (llama.cpp).';
      throw new AccessionError(failure('file_unsupported', `"${file.name}" is no GGUF file.`, { remedy }));
    }
    await this.#checkSpace(file.name, file.size);
    const part = { key: `${id}.0`, start: null, bytes: file.size, md5: null, sha256: await hashOf(file) };
    const url = `file:///${encodeURIComponent(file.name)}`;
    await this.#ports.store('wllama').put(part.key, streamed(file), file.size);
    const row = ownRow(id, name, header, file.name);
    return { ...row, total: file.size, parts: [{ ...part, url }], complete: true };
  }

  async #checkSpace(name: string, bytes: number): Promise<void> {
    const free = await this.#ports.free();
    // What a browser says of its space is an estimate, and storing needs room to move.
    if (free === null || free >= 2 * bytes) return;
    const [need, left] = [gigabytes(2 * bytes), gigabytes(free)];
    throw new AccessionError(
      failure('storage_full', `"${name}" needs ${need} of free space in this browser; ${left} are left.`),
    );
  }

  async #missing(row: ModelRow): Promise<Part[]> {
    const store = this.#ports.store(row.engine);
    const sizes = await Promise.all(row.parts.map(({ key }) => store.size(key)));
    // A size that is not known yet belongs to a part that never came.
    return row.parts.filter((part, at) => sizes[at] === null || part.sha256 === null || sizes[at] !== part.bytes);
  }

  async #describe(listed: ListedModel | null, row: ModelRow | null, machine: Machine): Promise<LocalModel> {
    const missing = row === null ? null : await this.#missing(row);
    return toLocalModel(listed, row, missing, machine);
  }

  #alone<T>(id: string, work: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
    return this.#ports.alone(`accession-model-${id}`, signal, work).catch((error: unknown) => {
      throw signal.aborted ? paused() : error;
    });
  }
}

function ownRow(id: string, name: string, header: GgufHeader, file: string): ModelRow {
  return {
    ...{ schemaVersion: 1, id, engine: 'wllama', own: true, complete: false, total: null, sha256: null, version: null },
    name: name.trim() === '' ? (header.name ?? file) : name.trim(),
    context_length: header.contextLength ?? 4096,
    licence: header.licence ?? 'not said by the file',
    licence_url: null,
    parts: [],
  };
}

async function* streamed(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

async function asResult<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    return fail(toFailure(error));
  }
}
