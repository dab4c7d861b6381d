/** Starts a run, and takes one up again. */
import type { CancelSignal } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import { NO_MODEL } from '#core/agent/llm/no-model.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { maskSecrets } from '#core/agent/reasoning/steps.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { Clock } from '#core/ports.ts';
import type { Answer } from '../answer/answer.types.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { weightIn } from '../evidence/retrieve.ts';
import { knownTools, refuseUnknown, toolVersions, type AskTool } from '../tools/ask-tool.ts';
import type { AskSources } from '../tools/context.ts';
import type { AskAction, AskInput } from './ask-input.ts';
import { askDefinition, type AskWorld } from './definition.ts';
import type { AskOptions } from './options.ts';
import { againLine, linesFrom, toJsonLines, type AskRun } from './transcript.ts';

/** Where a transcript goes: whole lines, appended; on the disk when it resolves. */
export interface TranscriptSink {
  append(text: string): Promise<void>;
}

export interface AskPorts {
  /** null: no model. */
  provider: LlmProvider | null;
  context: AskSources;
  /** All that there are; the options name those of the run. */
  tools: readonly AskTool[];
  /** Names the library: another one cannot take up a run. */
  library: string;
  clock: Clock;
  sha256(text: string): Promise<string>;
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  transcript: TranscriptSink;
  /** US dollars for a million tokens. */
  price: { in: number; out: number };
  /** Milliseconds for one model call. */
  timeoutMs: number;
  signal?: CancelSignal;
  /** The run after each entry. */
  onStep?(run: AskRun): void;
}

export interface AskQuestion {
  question: string;
  task: string | null;
  /** The question before, where this one follows on from it. */
  after?: string | null;
  options: AskOptions;
}

/** Model calls of one run, whatever its budgets. */
const MOST_MODEL_CALLS = 400;

/** Throws AccessionError `invalid` before anything runs: a tool that there is not, a price that is missing, a wrong question. */
export function startAsk({ question, task, after = null, options }: AskQuestion, ports: AskPorts, id: string): AskRun {
  refuseUnknown(options.tools, ports.tools);
  const { provider, price } = ports;
  if (options.budgets.cost !== null && price.in === 0 && price.out === 0)
    throw failed('invalid', 'A budget in dollars needs the price of the model.', {
      remedy: 'Say --price IN,OUT (US dollars for a million tokens), or a budget of tokens.',
    });
  if (provider === null && (options.planner === 'model' || options.writer === 'choice' || options.writer === 'text'))
    throw failed('invalid', 'This planner or writer needs a model.', {
      remedy: 'Name a model, or leave them to the program.',
    });
  const strategy = provider === null ? null : pickStrategy('auto', provider);
  const input: AskInput = {
    question: maskSecrets(question),
    task: task === null || task.trim() === '' ? null : maskSecrets(task),
    ...(after === null ? {} : { after: maskSecrets(after) }),
    options,
    planner: options.planner === 'auto' ? (strategy === 'tools' ? 'model' : 'code') : options.planner,
    writer:
      options.writer === 'auto'
        ? strategy === null
          ? 'quotes'
          : strategy === 'tools'
            ? 'text'
            : 'choice'
        : options.writer,
    library: ports.library,
    tools: toolVersions(options.tools.allow, ports.tools),
  };
  return startWorkflow(definitionOf(ports, input), input, {
    id,
    now: ports.clock.now(),
    strategy: 'led',
    model: provider === null ? 'none' : `${provider.name}/${provider.model}`,
    recorded: provider?.name === 'recorded',
    seed: options.seed ?? 1,
  });
}

/** Throws AccessionError `conflict` where a run cannot be taken up here: another question, library or tool version. */
export function mayTakeUp(run: AskRun, question: string | null, ports: Pick<AskPorts, 'library' | 'tools'>): void {
  const refuse = (what: string, was: string, is: string): never => {
    throw failed('conflict', `The run cannot be taken up: ${what} is another. It was ${was}, it is ${is}.`, {
      remedy: 'Ask anew, without --resume.',
    });
  };
  const { input } = run;
  if (question !== null && maskSecrets(question).trim() !== input.question)
    refuse('the question', `"${input.question}"`, `"${question}"`);
  if (ports.library !== input.library) refuse('the library', input.library, ports.library);
  refuseUnknown(input.options.tools, ports.tools);
  const tools = toolVersions(input.options.tools.allow, ports.tools);
  if (tools !== input.tools) refuse('the version of a tool', input.tools, tools);
}

/** Until the answer is there, or it was cancelled. `written`: entries that the transcript has. */
export async function runAsk(run: AskRun, ports: AskPorts, written = 0): Promise<AskRun> {
  let known = written;
  let tries = run.tries;
  const definition = definitionOf(ports, run.input);
  const end = await runUntilBlocked(run, {
    definition,
    registry: new AgentToolRegistry(definition.tools),
    options: {
      temperature: 0,
      timeoutMs: ports.timeoutMs,
      limits: { ...run.input.options.budgets, iterations: MOST_MODEL_CALLS, wallMs: null, repairs: 2 },
      price: ports.price,
    },
    ports: {
      provider: ports.provider ?? NO_MODEL,
      context: {
        ...ports.context,
        ...{ domains: run.input.options.tools.domains, question: run.input.question },
        sha256: (text) => ports.sha256(text),
      },
      clock: ports.clock,
      sha256: (text) => ports.sha256(text),
      wait: (milliseconds, signal) => ports.wait(milliseconds, signal),
      save: async (workflow) => {
        const now = workflow as AskRun;
        const lines = linesFrom(now, known);
        if (lines.length === 0 && now.tries !== tries) lines.push(againLine(now, ports.clock.now()));
        if (lines.length > 0) await ports.transcript.append(toJsonLines(lines));
        known = now.journal.length;
        tries = now.tries;
        ports.onStep?.(now);
      },
      perform: () => Promise.resolve(),
      ...(ports.signal ? { signal: ports.signal } : {}),
    },
  });
  return end;
}

/** null while there is none. */
export function answerIn({ state }: AskRun): Answer | null {
  return state.type === 'Completed' ? ((state.result.action as AskAction | null)?.answer ?? null) : null;
}

function definitionOf(ports: Pick<AskPorts, 'context' | 'tools'>, input: AskInput) {
  const { index } = ports.context;
  const current = new Set([...index.files()].map(({ kept }) => kept.sha256));
  const world: AskWorld = {
    weigh: weightIn(index),
    isCurrent: (evidence) => isElsewhere(evidence) || current.has(evidence.source_id),
    tools: (state, { question, options }) =>
      knownTools(options.tools.allow, ports.tools, { question, evidence: state.evidence }),
  };
  const used = ports.tools.filter(({ tool }) => input.options.tools.allow.includes(tool.name));
  return askDefinition(
    world,
    used.map(({ tool }) => tool),
  );
}

/** Of no file: a page, a calculation. */
const isElsewhere = ({ path }: Evidence): boolean => path === '';
