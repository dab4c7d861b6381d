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
import { failed } from '#core/errors.ts';
import { answered, type Result } from '#core/result.ts';
import { fetchMissing, missingParts, hashOf, paused } from './download.ts';
import { ENGINES, GGUF_ENGINE } from './engines.ts';
import type { Machine } from './machine.ts';
import type { DownloadProgress, LocalModel } from './model-api.ts';
import { LISTED_MODELS, type ListedModel, memoryOfGguf } from './model-list.ts';
import { addAddress, copyIn } from './own-model.ts';
import { type ManagerPorts, type ModelRow, type Part, sumOf } from './parts.ts';
import { planGguf, planWebllm } from './plan.ts';

export class ModelManager {
  readonly #ports: ManagerPorts;
  readonly #listed: readonly ListedModel[];
  readonly #running = new Map<string, { stop: AbortController; done: Promise<Result<LocalModel>> }>();

  constructor(ports: ManagerPorts) {
    this.#ports = ports;
    this.#listed = ports.listed ?? LISTED_MODELS;
  }

  async models(): Promise<Result<LocalModel[]>> {
    return answered(async () => {
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
    return answered(() =>
      this.#alone(id, async () => {
        const row = await this.#ports.rows.get(id);
        let freed = 0;
        const store = this.#ports.store(row?.engine ?? GGUF_ENGINE);
        for (const { key } of row?.parts ?? []) {
          freed += (await store.size(key)) ?? 0;
          await store.remove(key);
        }
        await this.#ports.query(id).clear();
        await this.#ports.rows.remove(id);
        return { freed };
      }),
    );
  }

  async verify(id: string): Promise<Result<{ damaged: number }>> {
    return answered(() =>
      this.#alone(id, async () => {
        const row = await this.#ports.rows.get(id);
        if (row === null) throw failed('model_missing', `The model "${id}" is not in this browser.`);
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
    return answered(async () => {
      const id = `own-${this.#ports.ids.next()}`;
      const row = await this.#alone(id, () =>
        'file' in source ? copyIn(this.#ports, id, source.file, name) : addAddress(this.#ports, id, source.url, name),
      );
      return this.#describe(null, row, await this.#ports.machine());
    });
  }

  /** The whole GGUF of a model that is ready; its bytes are read when they are used. */
  async gguf(id: string): Promise<Result<Blob>> {
    return answered(async () => {
      const row = await this.#ready(id);
      const store = this.#ports.store(row.engine);
      return new Blob(await Promise.all(row.parts.map(({ key }) => store.read(key))));
    });
  }

  /** Says why not when a model's parts are not all here: an engine would fetch them by itself otherwise. */
  async ready(id: string): Promise<Result<ModelRow>> {
    return answered(() => this.#ready(id));
  }

  async #ready(id: string): Promise<ModelRow> {
    const row = await this.#ports.rows.get(id);
    const missing = row === null ? 1 : (await missingParts(this.#ports, row)).length;
    if (row !== null && row.complete && missing === 0) return row;
    const words = row === null ? 'is not in this browser' : 'is not complete in this browser';
    throw failed('model_missing', `The model "${row?.name ?? id}" ${words}.`);
  }

  async #download(
    id: string,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<LocalModel>> {
    const listed = this.#listed.find((one) => one.id === id) ?? null;
    const result = await answered(() => this.#alone(id, () => this.#fetch(id, listed, onProgress, signal), signal));
    if (!result.ok && result.failure.code !== 'cancelled') return result;
    return answered(async () => {
      const row = await this.#ports.rows.get(id);
      return this.#describe(listed, row, await this.#ports.machine());
    });
  }

  async #fetch(
    id: string,
    listed: ListedModel | null,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const row = (await this.#ports.rows.get(id)) ?? (await this.#plan(id, listed, signal));
    await fetchMissing(this.#ports, row, listed?.downloadBytes ?? null, onProgress, signal);
  }

  async #plan(id: string, listed: ListedModel | null, signal: AbortSignal): Promise<ModelRow> {
    if (listed === null) throw failed('model_missing', `There is no model "${id}" in the list.`);
    const { fetch } = this.#ports;
    const { source } = listed;
    const row = {
      ...{ schemaVersion: 1 as const, id, name: listed.name, engine: listed.engine, own: false, complete: false },
      ...{ context_length: listed.contextLength, licence: listed.licence, licence_url: listed.licenceUrl },
    };
    if (source.kind === 'gguf') {
      const { partBytes } = this.#ports;
      const { parts, version } = await planGguf(id, source.url, listed.downloadBytes, fetch, signal, partBytes);
      return { ...row, total: sumOf(parts) ?? listed.downloadBytes, sha256: source.sha256, version, parts };
    }
    const parts = await planWebllm(id, source, await this.#ports.mirror(), fetch, signal);
    return { ...row, total: sumOf(parts), sha256: null, version: null, parts };
  }

  async #describe(listed: ListedModel | null, row: ModelRow | null, machine: Machine): Promise<LocalModel> {
    const missing = row === null ? null : await missingParts(this.#ports, row);
    return toLocalModel(listed, row, missing, machine);
  }

  #alone<T>(id: string, work: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
    return this.#ports.alone(`accession-model-${id}`, signal, work).catch((error: unknown) => {
      throw signal.aborted ? paused() : error;
    });
  }
}

/** A model for the list. Listed, begun or the person's own; `missing` are the parts that are not here. */
export function toLocalModel(
  listed: ListedModel | null,
  row: ModelRow | null,
  missing: Part[] | null,
  machine: Machine,
): LocalModel {
  const download = row?.total ?? listed?.downloadBytes ?? 0;
  const model: LocalModel = {
    id: listed?.id ?? row?.id ?? '',
    name: listed?.name ?? row?.name ?? '',
    engine: listed?.engine ?? row?.engine ?? GGUF_ENGINE,
    download_bytes: download,
    memory_bytes: listed?.memoryBytes ?? memoryOfGguf(download),
    context_length: listed?.contextLength ?? row?.context_length ?? 4096,
    licence: listed?.licence ?? row?.licence ?? '',
    licence_url: listed?.licenceUrl ?? row?.licence_url ?? null,
    needs_f16: listed?.needsF16 ?? false,
    unfit: null,
    twin_id: listed?.twinId ?? null,
    ...progress(row, missing),
    own: row?.own ?? false,
  };
  return { ...model, unfit: ENGINES[model.engine].unfit(model, machine) };
}

function progress(row: ModelRow | null, missing: Part[] | null): Pick<LocalModel, 'state' | 'have_bytes'> {
  if (row === null || missing === null) return { state: 'absent', have_bytes: 0 };
  const gone = new Set(missing.map(({ key }) => key));
  const have = sumOf(row.parts.filter(({ key }) => !gone.has(key))) ?? 0;
  if (row.complete && missing.length === 0) return { state: 'ready', have_bytes: have };
  return { state: missing.length === row.parts.length ? 'absent' : 'partial', have_bytes: have };
}
