/** What the agent does now, in words. */
import type { AgentState } from '#core/run/agent-state.ts';

/** True while a model that failed is left alone: its time may be over before the pipeline has said so. `now`: milliseconds. */
export function isLeftAlone(state: AgentState | null, now: number): boolean {
  return state?.state === 'resting' && state.retry_at !== null && state.retry_at > now;
}

/** One sentence for the top bar. */
export function agentSentence(state: AgentState | null, now: number): string {
  if (state === null || state.state === 'off') return 'It is asked about what the rules are not sure of.';
  if (isLeftAlone(state, now))
    return `It failed ${state.failures} times and is left alone for a while: ${state.last_failure?.failure.message ?? ''}`;
  const [first] = state.working_on;
  const failed = state.last_failure === null ? '' : ` Its last answer failed: ${state.last_failure.failure.message}`;
  if (first === undefined) return `It waits to be asked.${failed}`;
  const more = state.waiting + state.working_on.length - 1;
  return `It is asked about ${first.name}${more > 0 ? `, ${more} more to go` : ''}.${failed}`;
}
