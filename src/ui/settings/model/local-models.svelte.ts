import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { DownloadProgress, LocalModel, MachineReport } from '#adapters/models/model-api.ts';
import type { Failure } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import { askModels, proxy } from '../../client/model-client.ts';
import { settings } from '../settings.svelte.ts';
import { toasts } from '../../parts/toasts.svelte.ts';

/** The models that run in this browser. One for the tab: a download goes on while other pages are open. */
class LocalModels {
  machine = $state.raw<MachineReport | null>(null);
  models = $state.raw<readonly LocalModel[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  failure = $state.raw<Failure | null>(null);
  /** Of the downloads under way. `null`: begun, nothing reported yet. */
  readonly progress = new SvelteMap<string, DownloadProgress | null>();
  /** What the last download of a model ended with, where it failed. */
  readonly failed = new SvelteMap<string, Failure>();
  /** Models that are being checked or deleted. */
  readonly busy = new SvelteSet<string>();
  /** `verify` said: one sentence a model. */
  readonly said = new SvelteMap<string, string>();
  adding = $state(false);

  async load(): Promise<void> {
    if (this.models.length === 0) this.state = 'loading';
    const machine = await askModels(async (api) => ok(await api.machine()));
    const models = machine.ok ? await askModels((api) => api.models()) : machine;
    if (!machine.ok || !models.ok) {
      this.failure = !machine.ok ? machine.failure : models.ok ? null : models.failure;
      this.state = 'failed';
      return;
    }
    this.machine = machine.value;
    this.models = models.value;
    this.state = 'ready';
  }

  async download(id: string): Promise<void> {
    if (this.progress.has(id)) return;
    this.progress.set(id, null);
    this.failed.delete(id);
    this.said.delete(id);
    const heard = proxy((progress: DownloadProgress) => {
      if (this.progress.has(id)) this.progress.set(id, progress);
    });
    const result = await askModels((api) => api.download(id, heard));
    this.progress.delete(id);
    if (!result.ok) {
      if (result.failure.code !== 'cancelled') this.failed.set(id, result.failure);
      await this.load();
      return;
    }
    this.#replace(result.value);
    if (result.value.state === 'ready') await this.#useFirst(result.value);
  }

  /** Stops a download; what is there stays. */
  async pause(id: string): Promise<void> {
    await askModels(async (api) => ok(await api.pause(id)));
  }

  /** Stops a download and deletes what came of it, or deletes a model that is there. */
  async remove(id: string): Promise<void> {
    if (this.progress.has(id)) await this.pause(id);
    await this.#while(id, async () => {
      const result = await askModels((api) => api.remove(id));
      if (!result.ok) toasts.fail(result.failure);
      else if (settings.current.llm_model === id) await settings.set('llm_model', '');
      await this.load();
    });
  }

  async verify(id: string): Promise<void> {
    await this.#while(id, async () => {
      const result = await askModels((api) => api.verify(id));
      if (!result.ok) {
        toasts.fail(result.failure);
        return;
      }
      const { damaged } = result.value;
      const words =
        damaged === 0
          ? 'Every part is as it was downloaded.'
          : `${damaged} damaged ${damaged === 1 ? 'part was' : 'parts were'} removed: press Download to fetch ${damaged === 1 ? 'it' : 'them'} again.`;
      this.said.set(id, words);
      await this.load();
    });
  }

  /** A model of the person's own. Answers whether it is there now. */
  async add(source: { url: string } | { file: File }, name: string): Promise<boolean> {
    this.adding = true;
    const result = await askModels((api) => api.addGguf(source, name));
    this.adding = false;
    if (!result.ok) {
      toasts.fail(result.failure);
      return false;
    }
    await this.load();
    if (result.value.state === 'ready') await this.#useFirst(result.value);
    return true;
  }

  /** The first model that is there is the one to use, as long as none was chosen. */
  async #useFirst(model: LocalModel): Promise<void> {
    const { llm_provider, llm_model } = settings.current;
    if (llm_provider === model.engine && llm_model === '') await settings.set('llm_model', model.id);
  }

  async #while(id: string, work: () => Promise<void>): Promise<void> {
    this.busy.add(id);
    try {
      await work();
    } finally {
      this.busy.delete(id);
    }
  }

  #replace(model: LocalModel): void {
    this.models = this.models.map((other) => (other.id === model.id ? model : other));
  }
}

export const localModels = new LocalModels();
