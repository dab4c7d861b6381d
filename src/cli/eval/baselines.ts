/** What a model has to be better than: nobody, whoever takes the first option, and dice. */
import type { AgentFinding, Doubt } from '#core/music/agent/doubt.ts';
import type { Answer } from './metrics.ts';
import { seeded } from './random.ts';
import type { Asker } from './run-case.ts';

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

function asking(answerOf: (doubt: Doubt) => Answer): Asker {
  return {
    ask: (doubt) => Promise.resolve({ finding: findingOf(doubt, answerOf(doubt)), spent: { calls: 0, tokens: 0 } }),
  };
}

function findingOf(doubt: Doubt, answer: Answer): AgentFinding {
  return {
    key: doubt.key,
    workflow_id: `baseline ${doubt.key}`,
    answer,
    why: '',
    model: 'baseline',
    recorded: false,
    agreement: 1,
    confidence: 0,
    failed: null,
    looked_up: [],
  };
}
