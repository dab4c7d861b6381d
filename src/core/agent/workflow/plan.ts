/**
 * What to do next, from the workflow alone. Nothing here waits, calls or writes: after a crash the same workflow has the
 * same next move.
 *
 *   Started -> context -> code's calls -> ask the model <-> read its answer -> its calls (tools)
 *                                      -> verdict, decisive call or stop -> decide -> ask a person | act -> done
 */
import { failed, toFailure } from '../../errors.ts';
import type { Message, Capabilities } from '../llm/provider.ts';
import { parseCalls } from '../prompt/calls.ts';
import { fitBrief, estimateTokens } from '../prompt/fit.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { resolveHandles } from '../tools/handles.ts';
import type { RequestedCall } from '../tools/run-tool.ts';
import { firstStop } from './bounds.ts';
import { verdictOf } from './confidence.ts';
import type { AnyDefinition, Form, LedDefinition, Outcome, WorkflowDefinition } from './definition.ts';
import {
  entriesOf,
  type Entry,
  failuresInRow,
  formOf,
  lastOf,
  openModelCall,
  openToolCall,
  timesFull,
  toolResults,
  unparsedOf,
  unreadAnswer,
  refusalOf,
  wasCalled,
  isGivenUp,
  NEVER_CAME_BACK,
  retryPause,
} from './journal.ts';
import type { WorkflowLimits } from './ports.ts';
import { ballotsOf, formPrompt, type Prompt, promptOf, type PromptOutcome } from './prompt-of.ts';
import type { JournalDraft, Workflow, WorkflowState } from './workflow.ts';

export type Move<Action> =
  /** Blocked, or over. */
  | { kind: 'rest' }
  | { kind: 'note'; draft: JournalDraft; state: WorkflowState<Action> }
  | { kind: 'tool'; request: Omit<RequestedCall, 'call'>; open: string | null; allowed: readonly string[] }
  /** `notBefore`: milliseconds since the epoch. */
  | { kind: 'ask'; prompt: Prompt; open: Entry<'model_started'> | null; notBefore: number }
  | { kind: 'read'; answer: Entry<'model_ended'>; prompt: Prompt }
  | { kind: 'perform'; action: Action; why: string };

export interface Planned<Input, Action, Context> {
  definition: AnyDefinition<Input, Action, Context>;
  registry: AgentToolRegistry<Context>;
  capabilities: Capabilities;
  limits: WorkflowLimits;
}

/** Calls that code makes for one workflow at most, whatever its definition says. */
const MOST_GATHERED = 60;

/** Never throws: a definition that does ends its workflow as failed. */
export function nextMove<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  using: Planned<Input, Action, Context>,
): Move<Action> {
  const { definition } = using;
  try {
    return 'next' in definition ? ledMove(workflow, definition, using) : chosenMove(workflow, definition, using);
  } catch (thrown) {
    const failure = { ...toFailure(thrown), retryable: false };
    return {
      kind: 'note',
      draft: { kind: 'error', failure },
      state: { type: 'Failed', error: failure.message, failure, recoverable: false },
    };
  }
}

/** What is to be done whatever the definition is; null: it has the word. */
function commonMove<Action>(
  { state, journal }: Workflow<unknown, Action>,
  allowed: (by: 'code' | 'model') => readonly string[],
): Move<Action> | null {
  if (state.type === 'Completed' || state.type === 'Failed' || state.type === 'AwaitingReview') return { kind: 'rest' };
  if (state.type === 'ReadyToExecute' || state.type === 'Executing')
    return { kind: 'perform', action: state.action, why: lastOf(journal, 'action')?.why ?? '' };
  const open = openToolCall(journal);
  return open && { kind: 'tool', request: open, open: open.call, allowed: allowed(open.by) };
}

/** The next model call: read its answer, wait, stop, or ask. */
function askMove<Action>(
  workflow: Workflow<unknown, Action>,
  limits: WorkflowLimits,
  {
    unread,
    made,
    stop,
    repairs,
  }: {
    unread: Entry<'model_ended'> | null;
    made: () => PromptOutcome;
    stop: (bound: string, sentence: string) => Move<Action>;
    /** Answers so far that could not be read and count for this question. */
    repairs: number;
  },
): Move<Action> {
  const { journal, spent } = workflow;
  const pause = unread ? 0 : retryPause(failuresInRow(journal), timesFull(journal));
  const last = lastOf(journal, 'model_failed');
  if (pause === null) return stop('model', last?.failure.message ?? 'The model failed.');

  const outcome = made();
  if (!outcome.ok) return stop(outcome.bound, outcome.sentence);
  const { prompt } = outcome;
  if (unread) return { kind: 'read', answer: unread, prompt };

  const open = openModelCall(journal);
  if (open && isGivenUp(workflow)) return stop('tries', NEVER_CAME_BACK);
  const bound = open ? null : firstStop(limits, { ...spent, repairs }, prompt.tokens);
  if (bound) return stop(bound.bound, bound.sentence);
  return { kind: 'ask', prompt, open, notBefore: last && pause > 0 ? last.at + pause : 0 };
}

/** A led definition: its calls, its forms, its end. */
function ledMove<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  definition: LedDefinition<Input, Action, Context>,
  { registry, capabilities, limits }: Planned<Input, Action, Context>,
): Move<Action> {
  const { journal, input } = workflow;
  const note = (draft: JournalDraft, state: WorkflowState<Action> = { type: 'Thinking' }): Move<Action> => ({
    kind: 'note',
    draft,
    state,
  });
  const common = commonMove(workflow, () => registry.names);
  if (common) return common;
  if (journal.length === 0) {
    const { content, data } = definition.opens(input);
    const { strategy, model, recorded, seed } = workflow;
    const about = { workflow: `${definition.name} ${definition.version}`, strategy, model, recorded, seed };
    return note({ kind: 'context', content, data: { ...about, tools: registry.version, ...data } });
  }
  const step = definition.next(input, journal, workflow.spent);
  switch (step.kind) {
    case 'call':
      if (wasCalled(journal, step.tool, step.input)) throw failed('internal', `${step.tool} is wanted twice.`);
      return { kind: 'tool', request: step, open: null, allowed: registry.names };
    case 'note':
      return note({ kind: 'context', content: step.content, data: step.data });
    case 'act':
      return note(
        { kind: 'action', action: step.action, phase: 'decided', why: step.why },
        { type: 'ReadyToExecute', action: step.action },
      );
    case 'write':
      if (formOf(journal, step.form.name)) throw failed('internal', `${step.form.name} is wanted twice.`);
      return write(step.form);
  }

  function write(form: Form): Move<Action> {
    const stop = (bound: string, sentence: string): Move<Action> =>
      note({ kind: 'unwritten', form: form.name, bound, sentence });
    return askMove(workflow, limits, {
      unread: unreadAnswer(journal),
      made: () => formPrompt(workflow, form, capabilities),
      stop,
      repairs: unparsedOf(journal, form.name),
    });
  }
}

function chosenMove<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  definition: WorkflowDefinition<Input, Action, Context>,
  { registry, capabilities, limits }: Planned<Input, Action, Context>,
): Move<Action> {
  const { journal, input, strategy } = workflow;
  const note = (draft: JournalDraft, next: WorkflowState<Action> = { type: 'Thinking' }): Move<Action> => ({
    kind: 'note',
    draft,
    state: next,
  });

  function planned(): Move<Action> {
    const common = commonMove(workflow, allowedFor);
    if (common) return common;
    if (journal.length === 0) return context();

    const outcome = outcomeOf();
    if (outcome) return decide(outcome);

    const gather = nextGather();
    if (gather) return { kind: 'tool', request: gather, open: null, allowed: registry.names };

    const unread = unreadAnswer(journal);
    if (!unread && strategy === 'tools') {
      const call = nextCall();
      const refused = call && refusalOf(journal, call.tool, call.input);
      // AGENT-87: what is refused twice is refused for ever; more calls would only cost.
      if (refused)
        return note({
          kind: 'stopped',
          bound: 'refused',
          sentence: `The model asked again for what was refused: ${refused}`,
        });
      if (call) return { kind: 'tool', request: call, open: null, allowed: allowedFor('model') };
    }
    if (!unread && strategy === 'choice' && ballotsOf(journal).length >= definition.ballots)
      return note({ kind: 'verdict', verdict: verdictOf(ballotsOf(journal)) });
    return ask(unread);
  }

  function context(): Move<Action> {
    const brief = definition.brief(input, []);
    const data = {
      workflow: `${definition.name} ${definition.version}`,
      strategy,
      model: workflow.model,
      recorded: workflow.recorded,
      tools: registry.version,
      seed: workflow.seed,
      sections: brief.sections.map(({ heading, rows }) => `${heading}: ${rows.length}`),
      // What was in the texts that only a model would see: control or bidi characters, template tokens, ...
      taken_out: fitBrief(brief, Number.MAX_SAFE_INTEGER).flags,
      choices: brief.choices.map(({ option_id, label, confidence }) => ({ option_id, label, confidence })),
    };
    return note({ kind: 'context', content: brief.question, data });
  }

  /** Code may look with any tool; the model may call what the definition says, and nothing where it only chooses. */
  function allowedFor(by: 'code' | 'model'): readonly string[] {
    if (by === 'code') return registry.names;
    return strategy === 'tools' ? definition.allowed(input, toolResults(journal)) : [];
  }

  /** The first call of the definition that was not made yet. A call that failed was made. */
  function nextGather(): Omit<RequestedCall, 'call'> | null {
    if (entriesOf(journal, 'model_started').length > 0) return null;
    if (entriesOf(journal, 'tool_started').length >= MOST_GATHERED) return null;
    const isNew = (call: { tool: string; input: unknown }): boolean => !wasCalled(journal, call.tool, call.input);
    const first =
      definition.gather(input).find(isNew) ?? definition.gatherMore?.(input, toolResults(journal)).find(isNew);
    return first ? { ...first, by: 'code' } : null;
  }

  /** The next call of the last answer, its handles made real ids. */
  function nextCall(): Omit<RequestedCall, 'call'> | null {
    const answer = lastOf(journal, 'model_ended');
    if (answer === null || lastOf(journal, 'unparsed')?.call === answer.call) return null;
    const said = parseCalls(answer, registry.names);
    if (!said.ok) return null;
    const made = entriesOf(journal, 'tool_started').filter((entry) => entry.n > answer.n).length;
    const call = said.calls[made];
    if (!call) return null;
    const references = registry.get(call.name)?.references ?? {};
    return { tool: call.name, input: resolveHandles(call.arguments, references, workflow.entities), by: 'model' };
  }

  function outcomeOf(): Outcome | null {
    const stopped = lastOf(journal, 'stopped');
    if (stopped) return { kind: 'stopped', sentence: stopped.sentence };
    const verdict = lastOf(journal, 'verdict');
    if (verdict) return { kind: 'verdict', verdict: verdict.verdict };
    const ended = entriesOf(journal, 'tool_ended').find((entry) => registry.get(entry.tool)?.risk === 'decide');
    if (!ended) return null;
    const begun = entriesOf(journal, 'tool_started').find((entry) => entry.call === ended.call);
    const result = { tool: ended.tool, input: begun?.input, output: ended.output };
    return { kind: 'tool', result, why: lastOf(journal, 'thought')?.why ?? '' };
  }

  function decide(outcome: Outcome): Move<Action> {
    const decision = definition.decide(input, toolResults(journal), outcome);
    if (decision.kind === 'ask') {
      const { question, options, why } = decision;
      return note({ kind: 'asked', question, options, why }, { type: 'AwaitingReview', question, options });
    }
    const { action, why } = decision;
    return note({ kind: 'action', action, phase: 'decided', why }, { type: 'ReadyToExecute', action });
  }

  function ask(unread: Entry<'model_ended'> | null): Move<Action> {
    return askMove(workflow, limits, {
      unread,
      made: () => promptOf(workflow, definition, registry, capabilities),
      stop: (bound, sentence) => note({ kind: 'stopped', bound, sentence }),
      repairs: workflow.spent.repairs,
    });
  }

  return planned();
}

/** Tokens of an answer whose provider does not say, estimated. */
export function answerTokensOf({ content, tool_calls: calls = [] }: Pick<Message, 'content' | 'tool_calls'>): number {
  return estimateTokens(content) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
}
