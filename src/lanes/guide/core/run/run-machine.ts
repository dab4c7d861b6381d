/**
 * One run, as a pure machine: what it is told (events) leads to what is to be done next (one effect). It holds all that
 * it needs, so that its journal, told again, gives the same run.
 *
 *   begun -> look --guard--> aborted
 *             |  --three steps, no fault open, nothing possible--> ended
 *             |  --circuit rests no longer--> probe --ok--> look       --failed--> aborted
 *             |  --two or more possible--> ask a model --a tool--> look (the guards once more) --STOP--> ended
 *             `--> call a tool -> look
 */
import type { BreakerState } from '#core/breaker.ts';
import { guardOf, type Caught, CIRCUIT_OPEN } from './guards.ts';
import { isReady, possibleTools, type Uses } from './order.ts';
import { readReply } from './reply.ts';
import {
  openFaults,
  ratioOf,
  type EndReason,
  type GuideToolName,
  type GuideView,
  type How,
  type RunStep,
  type Signs,
  type ToolReport,
} from './run.types.ts';

export const MOST_STEPS = 3;
/** Above this a run is for a person. */
const ESCALATED_ABOVE = 0.4;

/** A tool that was chosen, and by whom. */
interface Choice {
  tool: GuideToolName;
  by: RunStep['by'];
  why: string;
}

export interface Run {
  id: string;
  channel: string | null;
  how: How;
  /** The process that drives it. */
  owner: string;
  began_at: number;
  /** Uses of before: ends of those that cool a tool, and tools that changed nothing. */
  ended: Readonly<Partial<Record<GuideToolName, number>>>;
  behind: readonly GuideToolName[];
  steps: readonly RunStep[];
  /** At its first look. */
  first: GuideView | null;
  /** At its latest look. */
  view: GuideView | null;
  waits: Waits;
  /** Lines of its journal so far. */
  lines: number;
}

export type Waits =
  | { for: 'look'; chosen: Choice | null }
  | { for: 'probe'; chosen: Choice | null }
  | { for: 'reply' }
  | ({
      for: 'tool';
      since: number;
    } & Choice);

export type RunEvent =
  | { kind: 'looked'; view: GuideView; signs: Signs; circuit: BreakerState }
  | { kind: 'probed'; ok: boolean }
  /** null: no model is set, or it did not answer. */
  | { kind: 'replied'; text: string | null }
  | { kind: 'used'; tool: GuideToolName; report: ToolReport; failure: string | null }
  /** Another guide came in: what changed nothing before may change something now. */
  | { kind: 'guide_came' }
  /** The run itself threw. */
  | { kind: 'broke'; view: GuideView | null }
  /** Its process ended. */
  | { kind: 'died'; view: GuideView | null };

export interface RunEnd {
  outcome: 'success' | 'failure' | 'aborted';
  reason: EndReason;
  escalated: boolean;
  /** What a person is told; null: nothing. */
  caught: (Omit<Caught, 'reason'> & { reason: Caught['reason'] | 'ratio' }) | null;
  ratio_before: number;
  ratio_after: number;
  /** It was ended by nothing from outside: such runs count for the suspension. */
  by_itself: boolean;
}

export type RunEffect =
  | { do: 'look' }
  | { do: 'probe' }
  | { do: 'ask'; view: GuideView; possible: readonly GuideToolName[] }
  | { do: 'use'; tool: GuideToolName }
  | { do: 'end'; end: RunEnd }
  /** It waits for something else already. */
  | { do: 'nothing' };

export interface Advanced {
  run: Run;
  effect: RunEffect;
}

const LOOK: RunEffect = { do: 'look' };

export function usesOf({ ended, behind, steps }: Run): Uses {
  return { used: steps.map(({ tool }) => tool), ended, behind };
}

/** An event that the run does not wait for changes nothing. */
export function advance(run: Run, event: RunEvent, now: number): Advanced {
  const { waits } = run;
  switch (event.kind) {
    case 'looked':
      return waits.for === 'look' ? looked(run, event, waits.chosen, now) : idle(run);
    case 'probed':
      if (waits.for !== 'probe') return idle(run);
      return event.ok
        ? { run: { ...run, waits: { ...waits, for: 'look' } }, effect: LOOK }
        : aborted(run, CIRCUIT_OPEN);
    case 'replied':
      return waits.for === 'reply' ? replied(run, event.text, now) : idle(run);
    case 'used': {
      if (waits.for !== 'tool' || waits.tool !== event.tool) return idle(run);
      const { tool, by, why, since } = waits;
      const step: RunStep = {
        ...{ tool, by, why, began_at: since, ended_at: now, report: event.report, failure: event.failure },
      };
      return { run: { ...run, steps: [...run.steps, step], waits: { for: 'look', chosen: null } }, effect: LOOK };
    }
    case 'guide_came':
      return { run: { ...run, behind: [] }, effect: { do: 'nothing' } };
    case 'broke':
    case 'died': {
      const seen = event.view === null ? run : { ...run, first: run.first ?? event.view, view: event.view };
      return { run: seen, effect: { do: 'end', end: cut(seen, event.kind === 'died' ? 'interrupted' : 'error') } };
    }
  }
}

const idle = (run: Run): Advanced => ({ run, effect: { do: 'nothing' } });

function looked(
  before: Run,
  { view, signs, circuit }: Extract<RunEvent, { kind: 'looked' }>,
  chosen: Choice | null,
  now: number,
): Advanced {
  const run: Run = { ...before, first: before.first ?? view, view };
  if (run.steps.length >= MOST_STEPS || openFaults(view) === 0) return ended(run, view);

  const caught = guardOf(signs, circuit, now);
  if (caught) return aborted(run, caught);
  if (circuit === 'half-open') return { run: { ...run, waits: { for: 'probe', chosen } }, effect: { do: 'probe' } };

  const possible = possibleTools(view, usesOf(run), now);
  if (chosen && isAllowed(chosen.tool, possible, run, now)) return use(run, chosen, now);
  const [first] = possible;
  if (first === undefined) return ended(run, view);
  if (chosen || possible.length < 2) return use(run, { tool: first, by: 'order', why: '' }, now);
  return { run: { ...run, waits: { for: 'reply' } }, effect: { do: 'ask', view, possible } };
}

/** What a model may name: what is possible, or a look into the failures. */
function isAllowed(tool: GuideToolName, possible: readonly GuideToolName[], run: Run, now: number): boolean {
  return possible.includes(tool) || (tool === 'fetch_metadata_logs' && isReady(tool, usesOf(run), now));
}

function replied(run: Run, text: string | null, now: number): Advanced {
  const { view } = run;
  if (view === null) return idle(run);
  const possible = possibleTools(view, usesOf(run), now);
  const reply = text === null ? null : readReply(text);
  const named = reply?.ok && reply.taken ? reply : null;
  if (named?.action === 'STOP') return ended(run, view);
  const chosen: Choice | null =
    named && isAllowed(named.action, possible, run, now)
      ? { tool: named.action, by: 'model', why: named.reason }
      : ordered(possible[0]);
  // A model takes its time: what may be done is looked at once more.
  return chosen ? { run: { ...run, waits: { for: 'look', chosen } }, effect: LOOK } : ended(run, view);
}

const ordered = (tool: GuideToolName | undefined): Choice | null =>
  tool === undefined ? null : { tool, by: 'order', why: '' };

function use(run: Run, choice: Choice, now: number): Advanced {
  return { run: { ...run, waits: { for: 'tool', since: now, ...choice } }, effect: { do: 'use', tool: choice.tool } };
}

function aborted(run: Run, caught: Caught): Advanced {
  const { reason } = caught;
  const end: RunEnd = { outcome: 'aborted', reason, escalated: true, caught, ...ratios(run), by_itself: false };
  return { run, effect: { do: 'end', end } };
}

function ended(run: Run, view: GuideView): Advanced {
  const { ratio_before, ratio_after } = ratios(run);
  const escalated = ratio_after > ESCALATED_ABOVE;
  const open = openFaults(view);
  const mended = open === 0 || open < openFaults(run.first ?? view);
  const outcome = !escalated && mended ? 'success' : 'failure';
  const end: RunEnd = {
    ...{ outcome, reason: null, escalated, caught: escalated ? overRatio(ratio_after) : null },
    ...{ ratio_before, ratio_after, by_itself: true },
  };
  return { run, effect: { do: 'end', end } };
}

function cut(run: Run, reason: 'interrupted' | 'error'): RunEnd {
  const { ratio_before, ratio_after } = ratios(run);
  const escalated = ratio_after > ESCALATED_ABOVE;
  return {
    ...{ outcome: 'failure', reason, escalated, caught: escalated ? overRatio(ratio_after) : null },
    ...{ ratio_before, ratio_after, by_itself: false },
  };
}

const overRatio = (number: number): RunEnd['caught'] => ({ reason: 'ratio', number, limit: ESCALATED_ABOVE });

function ratios({ first, view }: Run): { ratio_before: number; ratio_after: number } {
  return { ratio_before: first ? ratioOf(first) : 0, ratio_after: view ? ratioOf(view) : 0 };
}
