import { SvelteMap } from 'svelte/reactivity';
import type { ModelProvider } from '#adapters/llm/providers/provider.ts';
import { modelServer, providerOf } from '#adapters/llm/providers/providers.ts';
import type { HealthReport, HealthStage } from '#core/agent/llm/provider.ts';
import type { ProviderId } from '#core/agent/llm/providers.ts';
import { withProof } from '#core/agent/llm/tool-proof.ts';
import type { ModelDraft } from '#adapters/models/model-api.ts';
import type { Settings } from '#core/config.ts';
import type { Failure } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import { pipeline } from '../../client/workers.ts';
import { settingsRow } from '../../client/db.ts';
import { askModels, keysOf, placeOf, proxy } from '../../client/model-client.ts';
import { serverBase } from '../../client/server-client.ts';
import { whatLeaves } from './model-words.ts';
import { settings } from '../settings.svelte.ts';

/** The form "Model": what is changed is saved at once; the check tries what is set now. */
export class ModelForm {
  /** Typed, not kept yet. */
  key = $state('');
  hasKey = $state(false);
  checking = $state(false);
  /** The stages of the last check, as far as it came. */
  stages = $state.raw<readonly HealthStage[]>([]);
  report = $state.raw<HealthReport | null>(null);
  /** What kept the check from running at all. */
  failure = $state.raw<Failure | null>(null);
  /** Names of the models that the last check saw. */
  found = $state.raw<readonly string[]>([]);
  #broker = $state('');
  /** What was set for each provider while this page is open, so that looking at another loses nothing. */
  readonly #before = new SvelteMap<ProviderId, { address: string; model: string }>();
  #run = 0;

  readonly now: Settings = $derived(settings.current);
  readonly provider: ModelProvider = $derived(providerOf(this.now.llm_provider));
  /** The address that is asked; null where none is, or what is typed is none. */
  readonly address: string | null = $derived(
    this.provider.place === 'catalog'
      ? this.#broker || null
      : (modelServer(this.now.llm_provider)?.base(this.now.llm_base_url) ?? null),
  );
  readonly leaves: string = $derived(
    whatLeaves(this.now.llm_provider, this.address, this.address === null ? null : placeOf(this.address)),
  );

  async load(): Promise<void> {
    this.#broker = await serverBase();
    await this.#readKey();
  }

  async choose(provider: ProviderId): Promise<void> {
    const { llm_provider: old, llm_base_url: address, llm_model: model } = this.now;
    if (old === provider) return;
    this.#before.set(old, { address, model });
    const known = this.#before.get(provider) ?? { address: '', model: '' };
    this.#forgetCheck();
    this.found = [];
    // At once: it is never seen with the model or the address of another.
    await settings.setAll({ llm_provider: provider, llm_base_url: known.address, llm_model: known.model });
    await this.#readKey();
  }

  async setAddress(typed: string): Promise<void> {
    this.#forgetCheck();
    this.found = [];
    await settings.set('llm_base_url', typed.trim());
    await this.#readKey();
  }

  async setModel(model: string): Promise<void> {
    this.#forgetCheck();
    await settings.set('llm_model', model.trim());
  }

  async keepKey(): Promise<void> {
    const key = this.key.trim();
    if (key === '' || this.address === null) return;
    await keysOf(this.address).set(key);
    this.key = '';
    await this.#readKey();
  }

  async removeKey(): Promise<void> {
    if (this.address !== null) await keysOf(this.address).clear();
    this.#forgetCheck();
    await this.#readKey();
  }

  /** Tries what is set now; a typed key counts before it is kept. */
  async check(): Promise<void> {
    if (this.checking) return;
    this.#forgetCheck();
    this.checking = true;
    const run = ++this.#run;
    const typed = this.key.trim();
    // Not `now`: the field that lost the focus to this button may be on its way there.
    const { llm_provider, llm_base_url, llm_model, llm_context_length, llm_timeout_secs } = await settingsRow();
    const draft = {
      provider: llm_provider,
      base_url: llm_base_url,
      model: llm_model,
      context_length: llm_context_length,
      timeout_secs: llm_timeout_secs,
      key: typed === '' ? null : typed,
    };
    const heard = proxy((stage: HealthStage) => {
      if (run === this.#run) this.stages = [...this.stages, stage];
    });
    const result = await askModels((api) => api.check(draft, heard));
    if (run !== this.#run) return;
    this.checking = false;
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    this.report = result.value;
    this.stages = result.value.stages;
    if (result.value.models.length > 0) this.found = result.value.models;
    await this.#keepProof(result.value, draft);
    if (result.value.ok) await pipeline().wakeAgent();
  }

  /** LLM-102: for the model that was tried, also where another is set by now. */
  async #keepProof({ calls_tools: calls, capabilities, models }: HealthReport, draft: ModelDraft): Promise<void> {
    if (calls === undefined || capabilities === null) return;
    const asked = { llm_provider: draft.provider, llm_base_url: draft.base_url, llm_model: draft.model };
    const { takesContextLength, place } = providerOf(draft.provider);
    const own = !takesContextLength || capabilities.contextLength < draft.context_length;
    const model = place === 'catalog' ? (models[0] ?? '') : draft.model;
    const proof = { model, calls, context: own ? capabilities.contextLength : null, at: Date.now() };
    await settings.change('llm_proofs', (llm_proofs) => withProof({ ...asked, llm_proofs }, proof));
  }

  /** Ends a running check; what it found so far stays. */
  async stop(): Promise<void> {
    this.#run++;
    this.checking = false;
    await askModels(async (api) => ok(await api.stopCheck()));
  }

  #forgetCheck(): void {
    if (this.checking) void this.stop();
    this.stages = [];
    this.report = null;
    this.failure = null;
  }

  async #readKey(): Promise<void> {
    const { llm_provider, llm_base_url } = settings.current;
    const address = modelServer(llm_provider)?.base(llm_base_url) ?? null;
    this.hasKey = address !== null && (await keysOf(address).get()) !== null;
  }
}
