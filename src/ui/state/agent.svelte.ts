import type { AgentState } from '#adapters/browser/api.ts';
import { agentRow } from '../db.ts';
import { Live } from './live.svelte.ts';
import { settings } from './settings.svelte.ts';

const row = new Live<AgentState | null>(agentRow, null, 200);

/** The model in use and what it does now, for the top bar. */
class Agent {
  readonly #state: AgentState | null = $derived(row.current);
  /** What is shown at all: a model is set, or answers are replayed. */
  readonly on: boolean = $derived(settings.current.llm_provider !== 'none' || this.#state?.recorded === true);
  readonly model: string = $derived.by(() => {
    if (this.#state?.recorded) return 'Recorded answers';
    const { llm_model, llm_provider } = settings.current;
    return llm_model !== ''
      ? shortName(llm_model)
      : llm_provider === 'broker'
        ? "The server's model"
        : 'No model chosen';
  });
  readonly working: boolean = $derived(this.#state?.state === 'working');
  readonly resting: boolean = $derived(this.#state?.state === 'resting');
  /** One sentence. */
  readonly sentence: string = $derived.by(() => {
    const state = this.#state;
    if (state === null || state.state === 'off') return 'It is asked about what the rules are not sure of.';
    if (state.state === 'resting')
      return `It failed ${state.failures} times and is left alone for a while: ${state.last_failure?.failure.message ?? ''}`;
    const [first] = state.working_on;
    const failed = state.last_failure === null ? '' : ` Its last answer failed: ${state.last_failure.failure.message}`;
    if (first === undefined) return `It waits to be asked.${failed}`;
    const more = state.waiting + state.working_on.length - 1;
    return `It is asked about ${first.name}${more > 0 ? `, ${more} more to go` : ''}.${failed}`;
  });
}

/** Without what only machines read: `Llama-3.2-1B-Instruct-q4f16_1-MLC`, ids of the person's own models. */
function shortName(model: string): string {
  return model.startsWith('own-') ? 'Your own model' : model.replace(/-q\d+f\d+_\d+-MLC$/, '');
}

export const agent = new Agent();
