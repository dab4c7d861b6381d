/**
 * Runs a workflow: plan.ts says what comes next, this does it and writes it down. Nothing is done before it is written,
 * nothing that has an end in the journal is done again:
 *
 *   AGENT-16 every model and tool call is in the journal before it is made and after; killed anywhere and resumed from
 *            JSON, a workflow reaches the same end with no call made twice. A call that has no end is made (again) with
 *            the same id. Cancelled, it stays as it is, and can be resumed.
 *   AGENT-17 a model that fails is asked again where that may help, at most twice and after the time that it asks for; then
 *            the workflow stops with the reason, and the definition decides what a person is asked.
 */
import { failure, toFailure } from '../../errors.ts';
import { fail, tried, type Result } from '../../result.ts';
import type { CompletionResponse } from '../llm/provider.ts';
import { parseAnswer } from '../prompt/answer.ts';
import { parseCalls } from '../prompt/calls.ts';
import { parseForm } from '../prompt/form.ts';
import { answerTokens } from '../prompt/envelope.ts';
import { mix } from '../prompt/random.ts';
import { showEntities } from '../tools/handles.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { runTool } from '../tools/run-tool.ts';
import { firstStop, type Stop } from './bounds.ts';
import { letterLogprob } from './confidence.ts';
import type { AnyDefinition, Form } from './definition.ts';
import { entriesOf, record, triedAgain, withTries, type Entry } from './journal.ts';
import { keepAnswer, type Asked } from './keep-answer.ts';
import { answerTokensOf, type Move, nextMove } from './plan.ts';
import type { ExecutorOptions, ExecutorPorts } from './ports.ts';
import type { Prompt } from './prompt-of.ts';
import type { JournalDraft, Spent, Workflow } from './workflow.ts';
import { CancelSource, type CancelSignal } from '../../cancel.ts';

/** A provider keeps its own time; this is for one that does not. Milliseconds beyond the call's limit. */
const GRACE = 5000;

/**
 * The work's result, or `model_timeout` when it has not come in time: the work is then aborted and not waited for.
 * Also not waited for once the person cancelled and the work does not stop.
 */
async function withDeadline<Value>(
  ports: Pick<ExecutorPorts<unknown>, 'clock' | 'wait' | 'signal'>,
  milliseconds: number,
  work: (signal: CancelSignal) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const inner = new CancelSource();
  const timer = new CancelSource();
  const began = ports.clock.now();
  const givenUp = Promise.withResolvers<Result<Value>>();
  const onAbort = (): void => {
    inner.abort();
    givenUp.resolve(fail(failure('cancelled', 'The call to the model was cancelled.')));
  };
  if (ports.signal?.aborted) onAbort();
  ports.signal?.addEventListener('abort', onAbort);
  const watch = async (): Promise<Result<Value>> => {
    await ports.wait(milliseconds + GRACE, timer);
    // Waits end early when they are cancelled.
    if (timer.aborted || ports.clock.now() - began < milliseconds) return givenUp.promise;
    inner.abort();
    return fail(
      failure('model_timeout', `The model did not answer within ${Math.round(milliseconds / 1000)} seconds.`),
    );
  };
  try {
    return await Promise.race([work(inner), givenUp.promise, watch()]);
  } finally {
    timer.abort();
    ports.signal?.removeEventListener('abort', onAbort);
  }
}

export interface Executor<Input, Action, Context> {
  definition: AnyDefinition<Input, Action, Context>;
  /** Of the definition's tools; shared by all workflows that share its limits a minute. */
  registry: AgentToolRegistry<Context>;
  ports: ExecutorPorts<Context>;
  options: ExecutorOptions;
}

type Taken<Kind extends Move<unknown>['kind'], Action> = Extract<Move<Action>, { kind: Kind }>;

/** Until it is over, a person must answer, or it was cancelled (then its state is none of those). */
export async function runUntilBlocked<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  { definition, registry, ports, options }: Executor<Input, Action, Context>,
): Promise<Workflow<Input, Action>> {
  type Flow = Workflow<Input, Action>;

  /** One move, saved. The same object where there is nothing to do, or where it was cancelled. */
  function step(flow: Flow): Flow | Promise<Flow> {
    const { capabilities } = ports.provider;
    const move = nextMove(flow, { definition, registry, capabilities, limits: options.limits });
    switch (move.kind) {
      case 'rest':
        return flow;
      case 'note':
        return write(flow, move.draft, move.state);
      case 'tool':
        return callTool(flow, move);
      case 'ask':
        return askModel(flow, move);
      case 'read':
        return readAnswer(flow, move);
      case 'perform':
        return perform(flow, move);
    }
  }

  async function write(flow: Flow, draft: JournalDraft, state: Flow['state'] = { type: 'Thinking' }): Promise<Flow> {
    const next = record(withTries(flow, draft.kind), draft, ports.clock.now(), state);
    await ports.save(next);
    return next;
  }

  async function callTool(flow: Flow, move: Taken<'tool', Action>): Promise<Flow> {
    const call = move.open ?? `t${flow.journal.length + 1}`;
    const { tool, input, by } = move.request;
    let current = flow;
    if (move.open === null) {
      const state = { type: 'ExecutingTools' as const, tool_calls: [{ id: call, name: tool, arguments: input }] };
      current = await write(flow, { kind: 'tool_started', call, tool, input, by }, state);
    }
    const { id: workflowId, entities, journal } = current;
    const ran = await runTool(
      { ...ports, registry, allowed: move.allowed, entities, journal, workflowId },
      { call, tool, input, by },
    );
    if (ran.kind === 'cancelled') return current;
    const { milliseconds } = ran;
    const spent = { ...current.spent, milliseconds: current.spent.milliseconds + milliseconds };
    if (ran.kind === 'failed')
      return write({ ...current, spent }, { kind: 'tool_failed', call, tool, failure: ran.failure, milliseconds });
    const { output, provenance } = ran;
    const shown = showEntities(entities, ran.shown);
    const draft: JournalDraft = { kind: 'tool_ended', call, tool, output, provenance, milliseconds };
    return write({ ...current, spent, entities: shown }, draft);
  }

  async function askModel(flow: Flow, { prompt, open, notBefore }: Taken<'ask', Action>): Promise<Flow> {
    const early = notBefore - ports.clock.now();
    if (early > 0) await ports.wait(early, ports.signal);
    if (ports.signal?.aborted) return flow;

    const prompt_sha = await ports.sha256(promptText(prompt));
    let current: Flow;
    let call = open?.call ?? '';
    if (open?.prompt_sha !== prompt_sha) {
      // Also where a call lay open that another release, or another model's context, had put differently.
      const spentHere = prompt.form === null ? flow.spent : { ...flow.spent, repairs: 0 };
      const stop = firstStop(options.limits, spentHere, prompt.tokens);
      if (stop) return write(flow, stopped(prompt, stop));
      if (ports.mayAsk?.({ tokens: prompt.tokens }) === false) return flow;
      call = `m${flow.journal.length + 1}`;
      const spent = { ...flow.spent, iterations: flow.spent.iterations + 1 };
      const draft: JournalDraft = { kind: 'model_started', call, prompt_sha, purpose: prompt.purpose };
      current = await write({ ...flow, spent, entities: prompt.entities }, draft);
    } else {
      current = triedAgain(flow);
      await ports.save(current);
    }

    const began = ports.clock.now();
    const answered = await complete(current, prompt);
    const milliseconds = Math.max(0, ports.clock.now() - began);
    if (!answered.ok) {
      if (ports.signal?.aborted) return current;
      const spent = spentAfter(current.spent, { in: 0, out: 0, milliseconds }, options);
      return write({ ...current, spent }, { kind: 'model_failed', call, failure: answered.failure });
    }
    const draft = keepAnswer(call, answered.value, askedFor(flow, prompt));
    const used = {
      in: draft.usage.tokens_in ?? prompt.tokens,
      out: draft.usage.tokens_out ?? answerTokensOf(answered.value.message),
      milliseconds,
    };
    return write({ ...current, spent: spentAfter(current.spent, used, options) }, draft);
  }

  function askedFor(flow: Flow, prompt: Prompt): Asked {
    if (prompt.form !== null) return { form: prompt.form };
    return flow.strategy === 'tools' ? { names: registry.names } : { letters: lettersOf(prompt) };
  }

  /** Tokens of the answer. A form may be longer than a letter with its why, not longer than a quarter of the context. */
  function mostOf({ form }: Prompt): number {
    const { contextLength } = ports.provider.capabilities;
    return form === null ? answerTokens(contextLength) : Math.min(form.maxTokens, Math.floor(contextLength / 4));
  }

  /** Never throws: a provider that does has failed. */
  async function complete(flow: Flow, prompt: Prompt): Promise<Result<CompletionResponse>> {
    const left = options.limits.wallMs === null ? Infinity : options.limits.wallMs - flow.spent.milliseconds;
    const timeoutMs = Math.max(1, Math.min(options.timeoutMs, left));
    return tried(async () => {
      const result = await withDeadline(ports, timeoutMs, (signal) =>
        ports.provider.complete(prompt.messages, prompt.tools, {
          ...(prompt.schema ? { schema: prompt.schema } : {}),
          maxTokens: mostOf(prompt),
          temperature: options.temperature,
          // 31 bits: some servers read a signed number.
          seed: mix(flow.seed, flow.spent.iterations) >>> 1,
          timeoutMs,
          signal,
          ...(ports.onText ? { onText: ports.onText } : {}),
        }),
      );
      if (result.ok && typeof result.value?.message?.content !== 'string')
        return fail(failure('model_empty', 'The model answered nothing that could be read.'));
      return result;
    });
  }

  async function readAnswer(flow: Flow, { answer, prompt }: Taken<'read', Action>): Promise<Flow> {
    const draft =
      prompt.form !== null
        ? readForm(prompt.form, answer)
        : flow.strategy === 'tools'
          ? readCalls(registry.names, answer)
          : readVote(answer, prompt, await sameQuestion(flow, answer.call, prompt));
    const repairs = flow.spent.repairs + (draft.kind === 'unparsed' ? 1 : 0);
    return write({ ...flow, spent: { ...flow.spent, repairs } }, draft);
  }

  /** Letters mean what they meant when they were asked about: not so after a resume with another context length. */
  async function sameQuestion(flow: Flow, call: string, prompt: Prompt): Promise<boolean> {
    const asked = entriesOf(flow.journal, 'model_started').find((entry) => entry.call === call);
    return asked?.prompt_sha === (await ports.sha256(promptText(prompt)));
  }

  async function perform(flow: Flow, { action, why }: Taken<'perform', Action>): Promise<Flow> {
    let current = flow;
    if (flow.state.type !== 'Executing') {
      current = { ...flow, state: { type: 'Executing', action }, updated_at: ports.clock.now() };
      await ports.save(current);
    }
    try {
      await ports.perform(action, current);
    } catch (thrown) {
      const reason = toFailure(thrown);
      const state = { type: 'Failed' as const, error: reason.message, failure: reason, recoverable: reason.retryable };
      return write(current, { kind: 'error', failure: reason }, state);
    }
    const decided_by = entriesOf(current.journal, 'answered').length > 0 ? ('person' as const) : ('agent' as const);
    const state = { type: 'Completed' as const, result: { action, decided_by, why } };
    return write(current, { kind: 'action', action, phase: 'done', why }, state);
  }

  let current = workflow;
  while (!ports.signal?.aborted) {
    const next = await step(current);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** What a bound stops: the workflow, or only the form. */
function stopped({ form }: Prompt, stop: Stop): JournalDraft {
  return form === null ? { kind: 'stopped', ...stop } : { kind: 'unwritten', form: form.name, ...stop };
}

function readForm(form: Form, answer: Entry<'model_ended'>): JournalDraft {
  const { call } = answer;
  const said = parseForm(answer.content, answer.finish_reason, form);
  return said.ok
    ? { kind: 'written', call, form: form.name, value: said.value }
    : { kind: 'unparsed', call, reason: said.reason };
}

function readCalls(names: readonly string[], answer: Entry<'model_ended'>): JournalDraft {
  const said = parseCalls(answer, names);
  return said.ok
    ? { kind: 'thought', why: said.why, vote: null }
    : { kind: 'unparsed', call: answer.call, reason: said.reason };
}

function readVote(answer: Entry<'model_ended'>, prompt: Prompt, same: boolean): JournalDraft {
  const { call } = answer;
  if (!same) return { kind: 'unparsed', call, reason: 'the options stood in another order when it was asked' };
  const said = parseAnswer(answer.content, answer.finish_reason, lettersOf(prompt));
  if (!said.ok) return { kind: 'unparsed', call, reason: said.reason };
  const option = prompt.letters.find(({ letter }) => letter === said.letter)?.option_id;
  const logprob = letterLogprob(said.letter, answer.first_token_logprobs);
  return { kind: 'thought', why: said.why, vote: { answer: option ?? said.letter, logprob } };
}

const lettersOf = (prompt: Prompt): string[] => prompt.letters.map(({ letter }) => letter);

/** What the SHA-256 in the journal is of. */
function promptText(prompt: Prompt): string {
  return JSON.stringify([prompt.messages, prompt.tools ?? null, prompt.schema ?? null]);
}

function spentAfter(
  spent: Spent,
  used: { in: number; out: number; milliseconds: number },
  { price }: ExecutorOptions,
): Spent {
  return {
    ...spent,
    tokens_in: spent.tokens_in + used.in,
    tokens_out: spent.tokens_out + used.out,
    cost: spent.cost + (used.in * price.in + used.out * price.out) / 1_000_000,
    milliseconds: spent.milliseconds + used.milliseconds,
  };
}
