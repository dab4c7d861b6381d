/** The music workflow over this workstation's replica, as the pipeline's stage runs it. */
import { AccessionError, failure } from '#core/errors.ts';
import type { AgentEngine } from '../pipeline/agent-engine.ts';

export function createMusicAgent(_deps: object): AgentEngine {
  const none = (): never => {
    throw new AccessionError(failure('internal', 'There is no agent yet.'));
  };
  return { begin: none, run: none, answer: (workflow) => workflow, finding: none, steps: () => [] };
}
