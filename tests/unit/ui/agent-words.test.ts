import { expect, test } from 'vitest';
import type { AgentState } from '#core/run/agent-state.ts';
import { failure } from '#core/errors.ts';
import { agentSentence, isLeftAlone } from '#ui/shell/agent-words.ts';

const resting: AgentState = {
  state: 'resting',
  provider: 'ollama',
  model: 'small',
  recorded: false,
  working_on: [],
  waiting: 0,
  failures: 3,
  last_failure: { failure: failure('model_unreachable', 'Nothing answers there.'), at: 1000 },
  retry_at: 61_000,
};

test('AGENT-54 a model is said to be left alone until its time is over, not longer', () => {
  expect(isLeftAlone(resting, 60_999)).toBe(true);
  expect(agentSentence(resting, 60_999)).toContain('left alone for a while: Nothing answers there.');
  expect(isLeftAlone(resting, 61_000)).toBe(false);
  expect(agentSentence(resting, 61_000)).toBe('It waits to be asked. Its last answer failed: Nothing answers there.');
});
