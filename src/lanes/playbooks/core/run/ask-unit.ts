/** One unit: its workflow in the agent's engine, from the start or from where the journal left it. */
import { failure } from '#core/errors.ts';
import { mix } from '#core/agent/prompt/random.ts';
import { canonical, type AgentTool } from '#core/agent/tools/tool.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { entriesOf, unreadAnswer } from '#core/agent/workflow/journal.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import type { JournalEntry, Spent, Workflow } from '#core/agent/workflow/workflow.ts';
import {
  writtenAnswer,
  writtenOutcome,
  type WrittenInput,
  type WrittenWorkflow,
} from '#core/agent/workflow/written-answer.ts';
import { resultsOfCalls } from '#core/agent/workflow/written-looks.ts';
import { NO_MODEL } from '#core/agent/llm/no-model.ts';
import { numberReader, withReferences } from '../answer/numbers.ts';
import { traceNumbers, type AnswerNumbers, type NumberSources } from '../answer/trace.ts';
import { answerReader, MOST_ANSWER, withinBytes } from '../answer/read-answer.ts';
import type { PreparedStep } from '../check/prepare.types.ts';
import type { Unit } from '../check/unit.ts';
import { faultOf, PlaybookFault, type Fault } from '../faults.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Value } from '../value.ts';
import type { RunLine } from './lines.ts';
import { NOTHING_SPENT, parsedJournal, type PastFlow, type Reused } from './past.ts';
import type { RunPorts } from './ports.ts';

export interface AskedUnit {
  at: number;
  step: PreparedStep;
  unit: Unit;
  frame: Frame | null;
  flow: PastFlow | null;
  seed: number;
}

export interface UnitWorld {
  run: string;
  append(line: RunLine): void;
  sync(): Promise<void>;
  reuse: ReadonlyMap<string, Reused>;
  unitMs: number | null;
  /** `no`: the run stops. */
  mayAsk(tokens: number): 'yes' | 'no' | { limit: string };
  mayCall(): string | null;
  /** What all units have. */
  config: Value;
  used(spent: Spent, before: Spent): void;
  calledTool(): void;
}

export type UnitEnd =
  | { kind: 'answer'; value: Value; line: RunLine }
  | { kind: 'failed'; fault: Fault }
  /** `limit`: the one that it was kept from; null: the run stops. */
  | { kind: 'rested'; limit: string | null };

const MOST_TOKENS = 32_768;
const CALL_MS = 600_000;
/** Said where the model may call tools. */
const HANDLES =
  'Write a number that a call found as its place in the result, and it is put there: [[r1.p_value]], [[r1.rows.0.2|5]] with five digits.';

export async function askUnit(asked: AskedUnit, ports: RunPorts, world: UnitWorld): Promise<UnitEnd> {
  const { at, step, unit, flow } = asked;
  const { name } = step.step;
  const ofUnit = { step: step.step.at, unit: at, attempt: flow?.attempt ?? 1 };
  const failsWith = (error: unknown): UnitEnd => ({ kind: 'failed', fault: faultOf(error, name) });

  const model = unit.tool === null ? ports.models.nameOf(unit.model) : 'none';
  if (model === null)
    return failsWith(
      new PlaybookFault(
        'model_unmapped',
        unit.model ?? name,
        `Nothing is known that "${unit.model ?? 'the model'}" stands for.`,
      ),
    );
  const key = await ports.sha256(await unitKey(asked, model, ports));
  const taken = world.reuse.get(key);
  if (taken !== undefined && flow === null)
    return {
      kind: 'answer',
      value: taken.value,
      line: { kind: 'taken', at: ports.clock.now(), ...ofUnit, key, ...taken },
    };

  let provider = NO_MODEL;
  try {
    if (unit.tool === null) provider = await ports.models.open(unit.model, { step: name, unit: at });
  } catch (error) {
    return failsWith(error);
  }
  const looks = looksOf(asked);
  const tools = toolsOf(asked, ports);
  const registry = new AgentToolRegistry(tools);
  const offered = looks === 0 ? [] : registry.definitions(registry.names, {});
  let journal: readonly JournalEntry[] = flow?.journal ?? [];
  const prompt = `${unit.system ?? ''}\n${unit.user}`;
  const read = numberReader(withinBytes(answerReader(unit.form)), {
    traced: step.step.raw['numbers'] === 'traced',
    prompt,
    given: () => [...givenOf(asked.frame), world.config],
    results: () => resultsOfCalls(journal) as ReadonlyMap<string, Value>,
  });
  const writing = { read, json: unit.form.schema, most: MOST_ANSWER, tools, offered };
  const definition = writtenAnswer<unknown>(writing);
  const input = inputOf(unit, step, `${name} ${at}`, looks);
  let known = flow?.journal.length ?? 0;
  let { spent: before } = flow ?? { spent: null };
  /** As the journal has it. */
  let said = flow?.spent ?? NOTHING_SPENT;
  let tries = flow?.tries ?? null;
  let limit: string | null = null;
  let looked = flow === null ? 0 : entriesOf(flow.journal, 'written').length;
  if (unit.tool !== null && (flow?.journal.length ?? 0) <= 1) {
    limit = world.mayCall();
    if (limit !== null) return { kind: 'rested', limit };
    world.calledTool();
  }
  const fresh = startWorkflow(definition, input, {
    ...{ id: `${world.run}/${ofUnit.step}/${at}/${ofUnit.attempt}`, now: ports.clock.now(), strategy: 'led', model },
    ...{ recorded: provider.name === 'recorded', seed: mix(mix(asked.seed, ofUnit.step), at) },
  });
  const begun: WrittenWorkflow = flow === null ? fresh : resumed(fresh, flow);
  before ??= begun.spent;

  const save = async (workflow: Workflow): Promise<void> => {
    const entries = workflow.journal.slice(known);
    ({ journal } = workflow);
    known = workflow.journal.length;
    for (const entry of entries) {
      const { spent } = workflow;
      world.append({ kind: 'entry', ...ofUnit, entry, ...(sameSpent(spent, said) ? {} : { spent }) });
      said = spent;
      if (entry.kind === 'tool_started' && entry.by === 'model') world.calledTool();
    }
    looked = entriesOf(workflow.journal, 'written').length;
    const again = entries.length === 0 && workflow.tries !== undefined && workflow.tries !== tries;
    if (again) world.append({ kind: 'again', ...ofUnit, tries: workflow.tries ?? 0 });
    tries = workflow.tries ?? null;
    if (before !== null) world.used(workflow.spent, before);
    before = workflow.spent;
    // What is begun is on the disk first; what ended follows by itself (run-playbook.ts waits for it before files).
    if (again || entries.some(({ kind }) => kind === 'model_started' || kind === 'tool_started')) await world.sync();
  };
  const run = (from: WrittenWorkflow, signalled: boolean): Promise<WrittenWorkflow> =>
    runUntilBlocked(from, {
      definition,
      registry,
      options: {
        ...{ temperature: 0, timeoutMs: CALL_MS, price: ports.models.price },
        limits: { ...DEFAULT_LIMITS, iterations: 100, tokens: null, wallMs: world.unitMs },
      },
      ports: {
        ...{ provider, context: null, clock: ports.clock, save },
        sha256: (text) => ports.sha256(text),
        wait: (milliseconds, signal) => ports.wait(milliseconds, signal),
        perform: () => Promise.resolve(),
        mayAsk: ({ tokens }) => {
          // A question that a call may come of is one that needs room for the call.
          const noCall = looked < looks ? world.mayCall() : null;
          const may = !signalled ? 'no' : noCall !== null ? { limit: noCall } : world.mayAsk(tokens);
          if (typeof may === 'object') limit = may.limit;
          if (may === 'yes') {
            const { model: named, system, user } = unit;
            ports.said?.({ kind: 'asked', step: name, unit: at, model: named, system, user });
          }
          return may === 'yes';
        },
        ...(signalled && ports.signal !== undefined ? { signal: ports.signal } : {}),
      },
    });

  const numbersOf = (answer: Value): { numbers?: AnswerNumbers } => {
    if (unit.tool !== null) return {};
    const results = resultsIn(workflow.journal, tools);
    const raw = rawAnswer(workflow.journal);
    const referred =
      results.length === 0 ? null : withReferences(raw, new Map(results.map((one) => [one.handle, one.output])));
    const numbers = traceNumbers(answer, {
      ...{ prompt, results, inputs: framesOf(asked.frame), config: world.config },
      references: referred?.ok === true ? referred.references : [],
    });
    return numbers === null ? {} : { numbers };
  };

  let workflow = await run(begun, true);
  // Cancelled with an answer in hand: it is read, and nothing is asked.
  if (unreadAnswer(workflow.journal) !== null) workflow = await run(workflow, false);
  const outcome = writtenOutcome(workflow.journal);
  if (outcome.kind === 'open') return { kind: 'rested', limit };
  if (outcome.kind === 'answer')
    return {
      kind: 'answer',
      value: outcome.value as Value,
      line: { kind: 'done', at: ports.clock.now(), ...ofUnit, key, ...numbersOf(outcome.value as Value) },
    };
  if (outcome.bound === 'wall') return { kind: 'rested', limit: 'unit_seconds' };
  return { kind: 'failed', fault: faultOfOutcome(outcome, name) };
}

const sameSpent = (a: Spent, b: Spent): boolean =>
  a.iterations === b.iterations &&
  a.tokens_in === b.tokens_in &&
  a.tokens_out === b.tokens_out &&
  a.cost === b.cost &&
  a.milliseconds === b.milliseconds &&
  a.repairs === b.repairs;

/** The unit, and those around it. */
const framesOf = (frame: Frame | null): Frame[] => (frame === null ? [] : [frame, ...framesOf(frame.parent)]);
const givenOf = (frame: Frame | null): Value[] => framesOf(frame).map(({ value }) => value);

/** What calls of the model found, with the versions of their tools. */
function resultsIn(journal: readonly JournalEntry[], tools: RunPorts['tools']): NumberSources['results'] {
  const named = entriesOf(journal, 'tool_started').flatMap(({ by, tool }) => (by === 'model' ? [tool] : []));
  return [...resultsOfCalls(journal)].map(([handle, output]) => {
    const tool = named[Number(handle.slice(1)) - 1] ?? '';
    const version = String(tools.find(({ name }) => name === tool)?.version ?? '');
    return { handle, tool, version, output: output as Value };
  });
}

/** The answer as the model wrote it. */
function rawAnswer(journal: readonly JournalEntry[]): string {
  const call = entriesOf(journal, 'written').at(-1)?.call;
  return entriesOf(journal, 'model_ended').find((entry) => entry.call === call)?.content ?? '';
}

/** How often the model may call a tool before it answers: never without tools of the step's own list. */
function looksOf({ unit, step: { values } }: AskedUnit): number {
  return unit.tool === null && values.agent.enabled && values.agent.tools.length > 0 ? values.requeries : 0;
}

/** What calls of the unit may name: the step's tool, or those of its agent; what asks sources, within the step's domains. */
function toolsOf(asked: AskedUnit, { tools }: RunPorts): AgentTool<unknown>[] {
  const { unit, step } = asked;
  const named = looksOf(asked) > 0 ? step.values.agent.tools : unit.tool === null ? [] : [unit.tool.name];
  return tools
    .filter(({ name }) => named.includes(name))
    .map((tool) => {
      const { domains, retriever } = step.values.agent;
      const { tools: limits } = step.values;
      return tool.asks?.within(domains) ?? tool.retrieves?.(retriever) ?? tool.lowered?.(limits) ?? tool;
    });
}

function inputOf(unit: Unit, { values }: PreparedStep, about: string, looks: number): WrittenInput {
  if (unit.tool !== null) return { about, do: { kind: 'call', tool: unit.tool.name, input: unit.tool.input } };
  const { verbosity } = values;
  const said =
    verbosity === null
      ? []
      : [`Answer with a verbosity of ${verbosity} on a scale from 0 (tersest) to 10 (most detailed).`];
  const system = [...(unit.system === null ? [] : [unit.system]), ...said, ...(looks === 0 ? [] : [HANDLES])].join(
    '\n\n',
  );
  return {
    about,
    do: { kind: 'ask', system: system === '' ? null : system, user: unit.user, max_tokens: MOST_TOKENS, looks },
  };
}

/** PB-43: step, expanded prompt, unit, model, versions of the tools. */
async function unitKey(asked: AskedUnit, model: string, ports: RunPorts): Promise<string> {
  const { step, unit, frame } = asked;
  const { system, user, tool, form } = unit;
  const { verbosity } = step.values;
  const looks = looksOf(asked);
  const set = new Set(ports.tools.flatMap((one) => (one.retrieves === undefined ? [] : [one.name])));
  const versions = toolsOf(asked, ports).map(
    ({ name, version }) => `${name}@${version}${set.has(name) ? canonical(step.values.agent.retriever) : ''}`,
  );
  const with_ =
    looks === 0 ? (ports.tools.find(({ name }) => name === tool?.name)?.version ?? null) : [looks, versions];
  return canonical([step.step.name, system, user, tool, with_, form, verbosity, model, frame?.value ?? null]);
}

function resumed(fresh: WrittenWorkflow, flow: PastFlow): WrittenWorkflow {
  const journal = parsedJournal(flow.journal);
  return {
    ...fresh,
    ...{ journal, state: stateAfter(journal), spent: flow.spent },
    ...(flow.tries === null ? {} : { tries: flow.tries }),
  };
}

function stateAfter(journal: WrittenWorkflow['journal']): WrittenWorkflow['state'] {
  const last = journal.at(-1);
  if (last?.kind !== 'action') return { type: journal.length === 0 ? 'Started' : 'Thinking' };
  const action = { written: writtenOutcome(journal).kind === 'answer' };
  if (last.phase === 'decided') return { type: 'ReadyToExecute', action };
  return { type: 'Completed', result: { action, decided_by: 'agent', why: last.why } };
}

function faultOfOutcome(
  { bound, sentence, failure: of }: Extract<ReturnType<typeof writtenOutcome>, { kind: 'none' }>,
  step: string,
): Fault {
  if (of !== null)
    return {
      code: bound === 'tool' ? 'tool_failed' : of.code,
      key: step,
      step,
      at: null,
      message: of.message,
      remedy: of.remedy,
    };
  if (bound === 'repairs') {
    const message = `What the model answered could not be used: ${sentence}`;
    return faultOf(new PlaybookFault('answer_invalid', step, message), step);
  }
  const { code, remedy } = failure(bound === 'context' ? 'model_context_full' : 'model_error', sentence);
  return { code, key: step, step, at: null, message: sentence, remedy };
}
