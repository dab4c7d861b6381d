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
import { fail, type Result } from '../../result.ts';
import type { CompletionResponse } from '../llm/provider.ts';
import { parseAnswer } from '../prompt/answer.ts';
import { parseCalls } from '../prompt/calls.ts';
import { answerTokens } from '../prompt/envelope.ts';
import { mix } from '../prompt/random.ts';
import { showEntities } from '../tools/handles.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { runTool } from '../tools/run-tool.ts';
import { firstStop } from './bounds.ts';
import { letterLogprob } from './confidence.ts';
import type { WorkflowDefinition } from './definition.ts';
import { entriesOf, record, triedAgain, withTries } from './journal.ts';
import { keepAnswer } from './keep-answer.ts';
import { answerTokensOf, type Move, nextMove } from './plan.ts';
import type { ExecutorOptions, ExecutorPorts } from './ports.ts';
import type { Prompt } from './prompt-of.ts';
import type { JournalDraft, Spent, Workflow } from './workflow.ts';
import type { Clock } from '../../ports.ts';
import { CancelSource, type CancelSignal } from '../../cancel.ts';

/** A provider keeps its own time; this is for one that does not. Milliseconds beyond the call's limit. */
const GRACE = 5000;

interface DeadlinePorts {
  clock: Clock;
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  signal?: CancelSignal;
}

/**
 * The work's result, or `model_timeout` when it has not come in time: the work is then aborted and not waited for.
 * Also not waited for once the person cancelled and the work does not stop.
 */
async function withDeadline<Value>(
  ports: DeadlinePorts,
  milliseconds: number,
  work: (signal: CancelSignal) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const inner = new CancelSource();
  const timer = new CancelSource();
  const began = ports.clock.now();
  let giveUp: (result: Result<Value>) => void = () => undefined;
  const givenUp = new Promise<Result<Value>>((resolve) => {
    giveUp = resolve;
  });
  const onAbort = (): void => {
    inner.abort();
    giveUp(fail(failure('cancelled', 'The call to the model was cancelled.')));
  };
  if (ports.signal?.aborted) onAbort();
  ports.signal?.addEventListener('abort', onAbort);
  const watch = async (): Promise<void> => {
    await ports.wait(milliseconds + GRACE, timer);
    // Waits end early when they are cancelled.
    if (timer.aborted || ports.clock.now() - began < milliseconds) return;
    inner.abort();
    giveUp(
      fail(failure('model_timeout', `The model did not answer within ${Math.round(milliseconds / 1000)} seconds.`)),
    );
  };
  try {
    return await Promise.race([work(inner), givenUp, never(watch())]);
  } finally {
    timer.abort();
    ports.signal?.removeEventListener('abort', onAbort);
  }
}

/** Runs along: only its failure ends the race. */
async function never(running: Promise<void>): Promise<never> {
  await running;
  return new Promise<never>(() => undefined);
}

export interface Executor<Input, Action, Context> {
  definition: WorkflowDefinition<Input, Action, Context>;
  /** Of the definition's tools; shared by all workflows that share its limits a minute. */
  registry: AgentToolRegistry<Context>;
  ports: ExecutorPorts<Context>;
  options: ExecutorOptions;
}

/** One move, saved. The same object where there is nothing to do, or where it was cancelled. Throws what `save` throws. */
export async function step<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
): Promise<Workflow<Input, Action>> {
  const move = nextMove(workflow, {
    definition: executor.definition,
    registry: executor.registry,
    capabilities: executor.ports.provider.capabilities,
    limits: executor.options.limits,
  });
  switch (move.kind) {
    case 'rest':
      return workflow;
    case 'note':
      return write(executor, workflow, move.draft, move.state);
    case 'tool':
      return callTool(workflow, executor, move);
    case 'ask':
      return askModel(workflow, executor, move);
    case 'read':
      return readAnswer(workflow, executor, move);
    case 'perform':
      return perform(workflow, executor, move);
  }
}

/** Until it is over, a person must answer, or it was cancelled (then its state is none of those). */
export async function runUntilBlocked<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
): Promise<Workflow<Input, Action>> {
  let current = workflow;
  while (!executor.ports.signal?.aborted) {
    const next = await step(current, executor);
    if (next === current) break;
    current = next;
  }
  return current;
}

type Taken<Kind extends Move<unknown>['kind'], Action> = Extract<Move<Action>, { kind: Kind }>;

async function callTool<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
  move: Taken<'tool', Action>,
): Promise<Workflow<Input, Action>> {
  const { ports, registry } = executor;
  const call = move.open ?? `t${workflow.journal.length + 1}`;
  const { tool, input, by } = move.request;
  let current = workflow;
  if (move.open === null) {
    const state = { type: 'ExecutingTools' as const, tool_calls: [{ id: call, name: tool, arguments: input }] };
    current = await write(executor, workflow, { kind: 'tool_started', call, tool, input, by }, state);
  }
  const ran = await runTool(
    {
      registry,
      allowed: move.allowed,
      entities: current.entities,
      journal: current.journal,
      workflowId: current.id,
      context: ports.context,
      clock: ports.clock,
      wait: (milliseconds, signal) => ports.wait(milliseconds, signal),
      fetchText: ports.fetchText ? (url, signal) => ports.fetchText?.(url, signal) ?? noWay() : undefined,
      signal: ports.signal,
    },
    { call, tool, input, by },
  );
  if (ran.kind === 'cancelled') return current;
  const { milliseconds } = ran;
  const spent = { ...current.spent, milliseconds: current.spent.milliseconds + milliseconds };
  if (ran.kind === 'failed') {
    const draft: JournalDraft = { kind: 'tool_failed', call, tool, failure: ran.failure, milliseconds };
    return write(executor, { ...current, spent }, draft, { type: 'Thinking' });
  }
  const { output, provenance } = ran;
  const entities = showEntities(current.entities, ran.shown);
  const draft: JournalDraft = { kind: 'tool_ended', call, tool, output, provenance, milliseconds };
  return write(executor, { ...current, spent, entities }, draft, { type: 'Thinking' });
}

async function askModel<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
  move: Taken<'ask', Action>,
): Promise<Workflow<Input, Action>> {
  const { ports, options } = executor;
  const { prompt } = move;
  const early = move.notBefore - ports.clock.now();
  if (early > 0) await ports.wait(early, ports.signal);
  if (ports.signal?.aborted) return workflow;

  const prompt_sha = await ports.sha256(promptText(prompt));
  let current: Workflow<Input, Action>;
  let call = move.open?.call ?? '';
  if (move.open?.prompt_sha !== prompt_sha) {
    // Also where a call lay open that another release, or another model's context, had put differently.
    const stop = firstStop(options.limits, workflow.spent, prompt.tokens);
    if (stop) return write(executor, workflow, { kind: 'stopped', ...stop }, { type: 'Thinking' });
    call = `m${workflow.journal.length + 1}`;
    const spent = { ...workflow.spent, iterations: workflow.spent.iterations + 1 };
    const draft: JournalDraft = { kind: 'model_started', call, prompt_sha, purpose: prompt.purpose };
    current = await write(executor, { ...workflow, spent, entities: prompt.entities }, draft, { type: 'Thinking' });
  } else {
    current = triedAgain(workflow);
    await ports.save(current);
  }

  const began = ports.clock.now();
  const answered = await complete(current, executor, prompt);
  const milliseconds = Math.max(0, ports.clock.now() - began);
  if (!answered.ok) {
    if (ports.signal?.aborted) return current;
    const spent = spentAfter(current.spent, { in: 0, out: 0, milliseconds }, options);
    const draft: JournalDraft = { kind: 'model_failed', call, failure: answered.failure };
    return write(executor, { ...current, spent }, draft, { type: 'Thinking' });
  }
  const asked =
    workflow.strategy === 'tools'
      ? { names: executor.registry.names }
      : { letters: prompt.letters.map(({ letter }) => letter) };
  const draft = keepAnswer(call, answered.value, asked);
  const spent = spentAfter(
    current.spent,
    {
      in: draft.usage.tokens_in ?? prompt.tokens,
      out: draft.usage.tokens_out ?? answerTokensOf(answered.value.message),
      milliseconds,
    },
    options,
  );
  return write(executor, { ...current, spent }, draft, { type: 'Thinking' });
}

/** Never throws: a provider that does has failed. */
async function complete<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  { ports, options }: Executor<Input, Action, Context>,
  prompt: Prompt,
): Promise<Result<CompletionResponse>> {
  const left = options.limits.wallMs === null ? Infinity : options.limits.wallMs - workflow.spent.milliseconds;
  const timeoutMs = Math.max(1, Math.min(options.timeoutMs, left));
  try {
    const result = await withDeadline(ports, timeoutMs, (signal) =>
      ports.provider.complete(prompt.messages, prompt.tools, {
        ...(prompt.schema ? { schema: prompt.schema } : {}),
        maxTokens: answerTokens(ports.provider.capabilities.contextLength),
        temperature: options.temperature,
        // 31 bits: some servers read a signed number.
        seed: mix(workflow.seed, workflow.spent.iterations) >>> 1,
        timeoutMs,
        signal,
        ...(ports.onText ? { onText: ports.onText } : {}),
      }),
    );
    if (result.ok && typeof result.value?.message?.content !== 'string')
      return fail(failure('model_empty', 'The model answered nothing that could be read.'));
    return result;
  } catch (thrown) {
    return fail(toFailure(thrown));
  }
}

async function readAnswer<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
  { answer, prompt }: Taken<'read', Action>,
): Promise<Workflow<Input, Action>> {
  const draft =
    workflow.strategy === 'tools'
      ? readCalls(executor.registry.names, answer)
      : readVote(answer, prompt, await sameQuestion(workflow, executor, answer.call, prompt));
  const repairs = workflow.spent.repairs + (draft.kind === 'unparsed' ? 1 : 0);
  const spent = { ...workflow.spent, repairs };
  return write(executor, { ...workflow, spent }, draft, { type: 'Thinking' });
}

/** Letters mean what they meant when they were asked about: not so after a resume with another context length. */
async function sameQuestion<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
  call: string,
  prompt: Prompt,
): Promise<boolean> {
  const asked = entriesOf(workflow.journal, 'model_started').find((entry) => entry.call === call);
  return asked?.prompt_sha === (await executor.ports.sha256(promptText(prompt)));
}

function readCalls(names: readonly string[], answer: Taken<'read', unknown>['answer']): JournalDraft {
  const said = parseCalls(answer, names);
  return said.ok
    ? { kind: 'thought', why: said.why, vote: null }
    : { kind: 'unparsed', call: answer.call, reason: said.reason };
}

function readVote(answer: Taken<'read', unknown>['answer'], prompt: Prompt, same: boolean): JournalDraft {
  const { call } = answer;
  if (!same) return { kind: 'unparsed', call, reason: 'the options stood in another order when it was asked' };
  const letters = prompt.letters.map(({ letter }) => letter);
  const said = parseAnswer(answer.content, answer.finish_reason, letters);
  if (!said.ok) return { kind: 'unparsed', call, reason: said.reason };
  const option = prompt.letters.find(({ letter }) => letter === said.letter)?.option_id;
  const logprob = letterLogprob(said.letter, answer.first_token_logprobs);
  return { kind: 'thought', why: said.why, vote: { answer: option ?? said.letter, logprob } };
}

async function perform<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  executor: Executor<Input, Action, Context>,
  { action, why }: Taken<'perform', Action>,
): Promise<Workflow<Input, Action>> {
  const { ports } = executor;
  let current = workflow;
  if (workflow.state.type !== 'Executing') {
    current = { ...workflow, state: { type: 'Executing', action }, updated_at: ports.clock.now() };
    await ports.save(current);
  }
  try {
    await ports.perform(action, current);
  } catch (thrown) {
    const reason = toFailure(thrown);
    const state = { type: 'Failed' as const, error: reason.message, failure: reason, recoverable: reason.retryable };
    return write(executor, current, { kind: 'error', failure: reason }, state);
  }
  const decided_by = entriesOf(current.journal, 'answered').length > 0 ? ('person' as const) : ('agent' as const);
  const state = { type: 'Completed' as const, result: { action, decided_by, why } };
  return write(executor, current, { kind: 'action', action, phase: 'done', why }, state);
}

async function write<Input, Action, Context>(
  { ports }: Executor<Input, Action, Context>,
  workflow: Workflow<Input, Action>,
  draft: JournalDraft,
  state: Workflow<Input, Action>['state'],
): Promise<Workflow<Input, Action>> {
  const next = record(withTries(workflow, draft.kind), draft, ports.clock.now(), state);
  await ports.save(next);
  return next;
}

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

function noWay(): Promise<Result<string>> {
  return Promise.resolve(fail(failure('offline', 'There is no way out from here.')));
}
