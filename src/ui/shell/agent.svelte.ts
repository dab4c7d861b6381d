import { createSubscriber } from 'svelte/reactivity';
import type { AgentState } from '#core/run/agent-state.ts';
import { isModelSet } from '#core/agent/llm/providers.ts';
import { agentSentence, isLeftAlone } from './agent-words.ts';
import { agentRow } from '../client/db.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';
import { settings } from '../settings/settings.svelte.ts';

const row = new Live<AgentState | null>(unchanged(agentRow), null, 200, ['meta']);

/** Looks at the clock now and then, as long as somebody waits for a time to pass. */
const ticking = createSubscriber((update) => {
  const timer = setInterval(update, 5000);
  return () => clearInterval(timer);
});

function clock(state: AgentState | null): number {
  if (state?.state === 'resting') ticking();
  return Date.now();
}

/** The model in use and what it does now, for the top bar. */
class Agent {
  readonly #state: AgentState | null = $derived(row.current);
  /** What is shown at all: a model is set, or answers are replayed. */
  readonly on: boolean = $derived(settings.current.llm_provider !== 'none' || this.#state?.recorded === true);
  readonly model: string = $derived.by(() => {
    if (this.#state?.recorded) return 'Recorded answers';
    const { llm_model } = settings.current;
    if (llm_model !== '') return shortName(llm_model);
    return isModelSet(settings.current) ? "The server's model" : 'No model chosen';
  });
  readonly working: boolean = $derived(this.#state?.state === 'working');
  readonly resting: boolean = $derived(isLeftAlone(this.#state, clock(this.#state)));
  /** One sentence. */
  readonly sentence: string = $derived(agentSentence(this.#state, clock(this.#state)));
}

/** Without what only machines read: `Llama-3.2-1B-Instruct-q4f16_1-MLC`, ids of the person's own models. */
function shortName(model: string): string {
  return model.startsWith('own-') ? 'Your own model' : model.replace(/-q\d+f\d+_\d+-MLC$/, '');
}

export const agent = new Agent();
