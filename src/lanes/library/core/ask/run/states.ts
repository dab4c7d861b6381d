/**
 * The states of a run, and every passage between them:
 *
 *   init -> analyze_task -> plan_or_refine -> run_tools -> assess_sufficiency -> finalize -> emit_result
 *                                 ^                                |
 *                                 +--------------------------------+
 *
 *   ASK-50 a run is in one of these seven states, and there is no other passage
 */
import { failed } from '#core/errors.ts';
import type { Answer } from '../answer/answer.types.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import type { SubQuestion, ToolRequest } from '../question/question.types.ts';

export const PHASES = [
  'init',
  'analyze_task',
  'plan_or_refine',
  'run_tools',
  'assess_sufficiency',
  'finalize',
  'emit_result',
] as const;
export type Phase = (typeof PHASES)[number];

/** Why a run looks no further. */
export interface AskStop {
  bound: 'sufficient' | 'confidence' | 'iterations' | 'tokens' | 'cost' | 'nothing new';
  /** For a person. */
  sentence: string;
}

export interface Round {
  /** From 1. */
  iter: number;
  confidence: number;
  sufficient: boolean;
  /** Sources that were new or grew. */
  added: number;
}

export interface AskState {
  phase: Phase;
  /** The round that is under way, from 1; 0 before the first. */
  iteration: number;
  subquestions: SubQuestion[];
  /** Calls of this round that have no end yet. */
  requested: (ToolRequest & { by: 'code' | 'model' })[];
  evidence: Evidence[];
  /** Sources that this round brought or made longer. */
  added: number;
  /** The least that a model said of how sure it is; null: it did not. */
  said: number | null;
  rounds: Round[];
  stop: AskStop | null;
  /** Tools that failed, a sentence each. */
  failures: string[];
  /** Sources that are no longer as they were found, by title. */
  changed: string[];
  answer: Answer | null;
}

export type AskEvent =
  | { type: 'begun' }
  | { type: 'analysed'; subquestions: SubQuestion[] }
  | { type: 'planned'; subquestions: SubQuestion[]; requested: AskState['requested']; said: number | null }
  /** A call of this round ended, well or not. */
  | { type: 'ran'; request: ToolRequest; evidence: Evidence[]; added: number; failure: string | null }
  | { type: 'tools done' }
  | { type: 'assessed'; round: Round; stop: AskStop | null }
  | { type: 'sources changed'; evidence: Evidence[]; changed: string[] }
  | { type: 'answered'; answer: Answer };

/** From where each event leads where. */
export const PASSAGES = {
  begun: { from: 'init', to: ['analyze_task'] },
  analysed: { from: 'analyze_task', to: ['plan_or_refine'] },
  planned: { from: 'plan_or_refine', to: ['run_tools'] },
  ran: { from: 'run_tools', to: ['run_tools'] },
  'tools done': { from: 'run_tools', to: ['assess_sufficiency'] },
  assessed: { from: 'assess_sufficiency', to: ['plan_or_refine', 'finalize'] },
  'sources changed': { from: 'finalize', to: ['finalize'] },
  answered: { from: 'finalize', to: ['emit_result'] },
} as const satisfies Record<AskEvent['type'], { from: Phase; to: readonly Phase[] }>;

export const FIRST_STATE: AskState = {
  phase: 'init',
  iteration: 0,
  subquestions: [],
  requested: [],
  evidence: [],
  added: 0,
  said: null,
  rounds: [],
  stop: null,
  failures: [],
  changed: [],
  answer: null,
};

/** Pure. Throws AccessionError `internal` on an event that has no passage from here. */
export function transition(state: AskState, event: AskEvent): AskState {
  if (PASSAGES[event.type].from !== state.phase)
    throw failed('internal', `A run in ${state.phase} cannot go on with "${event.type}".`);
  switch (event.type) {
    case 'begun':
      return { ...state, phase: 'analyze_task' };
    case 'analysed':
      return { ...state, phase: 'plan_or_refine', subquestions: event.subquestions };
    case 'planned': {
      const { subquestions, requested, said } = event;
      const least = state.said === null ? said : said === null ? state.said : Math.min(said, state.said);
      return {
        ...state,
        phase: 'run_tools',
        iteration: state.iteration + 1,
        added: 0,
        subquestions,
        requested,
        said: least,
      };
    }
    case 'ran': {
      const { evidence, failure } = event;
      const failures = failure === null ? state.failures : [...new Set([...state.failures, failure])];
      return { ...state, requested: state.requested.slice(1), evidence, added: state.added + event.added, failures };
    }
    case 'tools done':
      return { ...state, phase: 'assess_sufficiency' };
    case 'assessed': {
      const { round, stop } = event;
      return { ...state, phase: stop === null ? 'plan_or_refine' : 'finalize', rounds: [...state.rounds, round], stop };
    }
    case 'sources changed':
      return { ...state, evidence: event.evidence, changed: event.changed };
    case 'answered':
      return { ...state, phase: 'emit_result', answer: event.answer };
  }
}
