/**
 * The providers of models by their ids, which settings, workflows and answers of the catalog server hold: an id never
 * changes. What each of them is, and how it is opened: its descriptor in adapters/llm/providers.
 */
/** They run models in this browser. */
export const LOCAL_ENGINES = ['webllm', 'wllama'] as const;
export type LocalEngine = (typeof LOCAL_ENGINES)[number];

export const PROVIDER_IDS = ['none', ...LOCAL_ENGINES, 'ollama', 'openai', 'broker'] as const;
/** Who may be set on a workstation; `none`: everything unclear goes to the person. */
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Who may make vectors of texts. */
export const EMBEDDING_PROVIDERS = ['none', 'wllama', 'ollama', 'openai', 'broker'] as const;

/** Replays what a model said before: in tests, in evaluations and in *Try it*. No setting names it. */
export const RECORDED = 'recorded';

/** Engines of one's own machine: their models are small, and a small model cannot hold a tool loop. */
const LOCAL: readonly string[] = [...LOCAL_ENGINES, 'ollama', RECORDED];

export function isLocal(provider: string): boolean {
  return LOCAL.includes(provider);
}

/** Whether the settings name a model that can be asked. The catalog server names its own. */
export function isModelSet(settings: { llm_provider: ProviderId; llm_model: string }): boolean {
  const { llm_provider: provider, llm_model: model } = settings;
  return provider === 'broker' || (provider !== 'none' && model !== '');
}
