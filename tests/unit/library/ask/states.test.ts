import { describe, expect, it } from 'vitest';
import {
  FIRST_STATE,
  PASSAGES,
  PHASES,
  transition,
  type AskEvent,
  type AskState,
  type Phase,
} from '#lanes/library/core/ask/run/states.ts';
import { stopAfter } from '#lanes/library/core/ask/run/stops.ts';
import { composeAnswer } from '#lanes/library/core/ask/answer/compose.ts';
import { assess } from '#lanes/library/core/ask/evidence/assess.ts';
import { optionsOf } from './run-world.ts';

const round = { iter: 1, confidence: 0.4, sufficient: false, added: 1 };
const stop = { bound: 'iterations' as const, sentence: 'Enough.' };
const answer = composeAnswer({ assessment: assess([], []), evidence: [], sentences: [] });
const request = { name: 'rag_retrieve', input: { query: 'x' } };

/** Every event, as it is where its passage is. */
const EVENTS: Record<string, AskEvent> = {
  begun: { type: 'begun' },
  analysed: { type: 'analysed', subquestions: [] },
  planned: { type: 'planned', subquestions: [], requested: [{ ...request, by: 'code' }], said: null },
  ran: { type: 'ran', request, evidence: [], added: 1, failure: null },
  'tools done': { type: 'tools done' },
  'assessed, it does not suffice': { type: 'assessed', round, stop: null },
  'assessed, stop': { type: 'assessed', round, stop },
  'sources changed': { type: 'sources changed', evidence: [], changed: ['Handbook'] },
  answered: { type: 'answered', answer },
};

const ALLOWED: readonly (readonly [Phase, string, Phase])[] = [
  ['init', 'begun', 'analyze_task'],
  ['analyze_task', 'analysed', 'plan_or_refine'],
  ['plan_or_refine', 'planned', 'run_tools'],
  ['run_tools', 'ran', 'run_tools'],
  ['run_tools', 'tools done', 'assess_sufficiency'],
  ['assess_sufficiency', 'assessed, it does not suffice', 'plan_or_refine'],
  ['assess_sufficiency', 'assessed, stop', 'finalize'],
  ['finalize', 'sources changed', 'finalize'],
  ['finalize', 'answered', 'emit_result'],
];

const at = (phase: Phase): AskState => ({ ...FIRST_STATE, phase });

describe('ASK-50 the seven states', () => {
  it.each(PHASES)('ASK-50 %s is a state of a run', (phase) => {
    expect(ALLOWED.some(([from, , to]) => from === phase || to === phase)).toBe(true);
  });

  it.each(ALLOWED)('ASK-50 %s -- %s --> %s', (from, event, to) => {
    expect(transition(at(from), EVENTS[event] as AskEvent).phase).toBe(to);
  });

  it('ASK-50 no other passage exists', () => {
    const refused: string[] = [];
    for (const phase of PHASES)
      for (const [name, event] of Object.entries(EVENTS)) {
        if (ALLOWED.some(([from, allowed]) => from === phase && allowed === name)) continue;
        expect(() => transition(at(phase), event), `${phase} ${name}`).toThrow(/cannot go on/);
        refused.push(`${phase} ${name}`);
      }
    expect(refused).toHaveLength(PHASES.length * Object.keys(EVENTS).length - ALLOWED.length);
    expect(new Set(Object.values(PASSAGES).flatMap(({ to }) => [...to]))).toEqual(
      new Set(PHASES.filter((one) => one !== 'init')),
    );
  });

  it('ASK-50 a state is never changed, only followed', () => {
    const before = structuredClone(at('plan_or_refine'));
    const state = at('plan_or_refine');
    transition(state, EVENTS['planned'] as AskEvent);
    expect(state).toEqual(before);
  });

  it('ASK-52 what a model says of how sure it is, is kept at its lowest', () => {
    const plan = (state: AskState, said: number | null): AskState =>
      transition({ ...state, phase: 'plan_or_refine' }, { type: 'planned', subquestions: [], requested: [], said });
    expect(plan(plan(plan(FIRST_STATE, 0.4), 0.9), null).said).toBe(0.4);
  });
});

describe('ASK-53 stops, each at its boundary', () => {
  const spent = { iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 };
  const bound = (block: object, over: object = {}, used: object = {}, wished: object = {}) =>
    stopAfter({ ...round, ...over }, { ...spent, ...used }, optionsOf(block), wished)?.bound ?? null;

  it('ASK-53 iterations: the last round ends it, the one before does not', () => {
    expect(bound({ iterations: 3 }, { iter: 2 })).toBeNull();
    expect(bound({ iterations: 3 }, { iter: 3 })).toBe('iterations');
  });
  it('ASK-53 tokens: at the budget, in and out together', () => {
    expect(bound({ budgets: { tokens: 100 } }, {}, { tokens_in: 60, tokens_out: 39 })).toBeNull();
    expect(bound({ budgets: { tokens: 100 } }, {}, { tokens_in: 60, tokens_out: 40 })).toBe('tokens');
  });
  it('ASK-53 cost: at the budget', () => {
    expect(bound({ budgets: { cost: 0.5 } }, {}, { cost: 0.4999 })).toBeNull();
    expect(bound({ budgets: { cost: 0.5 } }, {}, { cost: 0.5 })).toBe('cost');
  });
  it('ASK-53 confidence: at the threshold, and not before even where every part is answered', () => {
    expect(bound({ confidence: 0.8 }, { confidence: 0.79, sufficient: true })).toBeNull();
    expect(bound({ confidence: 0.8 }, { confidence: 0.8, sufficient: true })).toBe('confidence');
  });
  it('ASK-53 without a threshold, once every part is answered', () => {
    expect(bound({}, { sufficient: true })).toBe('sufficient');
  });
  it('ASK-53 nothing new: not in the first round, in a later one that brought nothing', () => {
    expect(bound({}, { added: 0 })).toBeNull();
    expect(bound({}, { iter: 2, added: 1 })).toBeNull();
    expect(bound({}, { iter: 2, added: 0 })).toBe('nothing new');
  });
  it('ASK-53 what a plan wishes can only end a run earlier', () => {
    expect(bound({ iterations: 3 }, { iter: 1 }, {}, { iter: 1 })).toBe('iterations');
    expect(bound({ iterations: 1 }, { iter: 1 }, {}, { iter: 9 })).toBe('iterations');
    expect(bound({ confidence: 0.8 }, { confidence: 0.5 }, {}, { confidence: 0.1 })).toBeNull();
    expect(bound({ budgets: { tokens: 100 } }, {}, { tokens_in: 100 }, { tokens: 1e9 })).toBe('tokens');
  });
});
