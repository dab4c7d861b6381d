import { type AgentModel, DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import { ok } from '#core/result.ts';

/** Names the recording; part of each key in the cassette. */
export const RECORDED_MODEL = 'demo';
/** Of nonces and option orders: the recorded questions come in the same words each time. */
const SEED = 20_261_122;

/**
 * Where no model is set, *Try it* shows the agent at work with recorded answers, and says so. The recording is fetched
 * when the first of its questions is put.
 */
export function recordedModel(): AgentModel {
  return {
    provider: RECORDED,
    model: RECORDED_MODEL,
    recorded: true,
    hosted: false,
    strategy: 'choice',
    fingerprint: RECORDED,
    options: { temperature: 0, timeoutMs: 10_000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
    seed: SEED,
    async open() {
      const [{ createRecorded }, { DEMO_CASSETTE }] = await Promise.all([
        import('../../llm/recorded.ts'),
        import('../../llm/demo-cassette.ts'),
      ]);
      return ok(createRecorded({ cassette: DEMO_CASSETTE }));
    },
  };
}
