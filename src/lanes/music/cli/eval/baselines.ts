/** What a model has to be better than: nobody, whoever takes the first option, and dice. */
import { type AgentModel, DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { failure } from '#core/errors.ts';
import type { AgentFinding } from '#core/job/job.ts';
import { ok } from '#core/result.ts';
import { endedWithout, type DoubtWorkflow } from '#core/run/agent.ts';
import { musicWorkflow } from '#lanes/music/core/agent/definition.ts';
import type { Doubt } from '#lanes/music/core/agent/doubt.ts';
import type { Answer } from './metrics.ts';
import type { Asker } from './run-case.ts';
import { fnv1a } from '#core/fnv1a.ts';
import { mulberry32 } from '#core/mulberry32.ts';

/** Numbers 0..1 that are the same for the same seed and name (an FNV-1a of it). */
export function seeded(seed: number, name: string): () => number {
  return mulberry32((seed ^ fnv1a(name)) >>> 0);
}

/** No model: what the matcher found nothing for is `none`, everything else is left to the person. */
export function rulesOnly(): Asker {
  return asking((doubt) => (optionsOf(doubt).length === 0 ? 'none' : 'ask'));
}

/** The option that the matcher puts first, always. */
export function alwaysFirst(): Asker {
  return asking((doubt) => optionsOf(doubt)[0] ?? 'none');
}

/** One of the options or none of them, each as likely; the same doubt gets the same answer for the same seed. */
export function random(seed: number): Asker {
  return asking((doubt) => {
    const answers = [...optionsOf(doubt), 'none'];
    return answers[Math.floor(seeded(seed, doubt.key)() * answers.length)] ?? 'none';
  });
}

/** Ids as a finding gives them, best first. */
export function optionsOf(doubt: Doubt): Answer[] {
  return [
    ...doubt.tracks.map((option) => `track:${option.track_id}`),
    ...doubt.albums.map((option) => `album:${option.album_id}`),
  ];
}

const BASELINE = 'baseline';

const model: AgentModel = {
  ...{ provider: BASELINE, model: BASELINE, recorded: false, hosted: false, strategy: 'choice', fingerprint: BASELINE },
  options: { temperature: 0, timeoutMs: 1_000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
  seed: 0,
  open: () =>
    Promise.resolve(
      ok({
        name: BASELINE,
        model: BASELINE,
        capabilities: {
          contextLength: 0,
          nativeTools: false,
          jsonSchema: true,
          grammar: false,
          logprobs: false,
          streaming: false,
        },
        healthCheck: () => Promise.reject(new Error('it is no model')),
        complete: () => Promise.resolve({ ok: false as const, failure: failure('model_missing', 'It is no model.') }),
      }),
    ),
};

/** It answers without a conversation: its workflow is begun and ended. */
function asking(answerOf: (doubt: Doubt) => Answer): Asker {
  return {
    model,
    engine: () => ({
      begin: (doubt, options) => startWorkflow(musicWorkflow, doubt as Doubt, options),
      read: () => null,
      async run(workflow, { save }) {
        const ended = endedWithout(workflow, BASELINE);
        await save(ended);
        return ended;
      },
      answer: (workflow) => workflow,
      finding: ({ id, input }: DoubtWorkflow): AgentFinding => ({
        ...{ key: input.key, workflow_id: id, answer: answerOf(input as Doubt), why: '', model: BASELINE },
        ...{ recorded: false, agreement: 1, confidence: 0, failed: null, looked_up: [] },
      }),
      steps: () => [],
    }),
  };
}
