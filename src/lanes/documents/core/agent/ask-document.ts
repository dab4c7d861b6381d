/**
 * The agent over one document in doubt, and what its word is worth:
 *
 *   DOCUMENT-97 its choice is looked up and shown as `unsure` with what it said: no word of a model makes a document Strong,
 *               and nothing is written by it
 */
import { RECORDED } from '#core/agent/llm/providers.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { lastOf } from '#core/agent/workflow/journal.ts';
import { DEFAULT_LIMITS, type ExecutorOptions, type ExecutorPorts } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import type { Failure } from '#core/errors.ts';
import type { Ids } from '#core/ports.ts';
import type { Identifier } from '../lookup/source.ts';
import { documentWorkflow } from './definition.ts';
import type { DocumentToolContext } from './document-tools.ts';
import type { DocumentDoubt } from './doubt.ts';

/** Of one document: its options are all there. */
export const DOCUMENT_LIMITS = { ...DEFAULT_LIMITS, iterations: 8, tokens: 30_000, wallMs: 120_000 };

export interface DocumentAskPorts {
  executor: Omit<ExecutorPorts<DocumentToolContext>, 'save' | 'perform' | 'context'>;
  /** Without the doubt itself. */
  context: Omit<DocumentToolContext, 'doubt'>;
  options: Omit<ExecutorOptions, 'limits'>;
  ids: Ids;
  strategy: 'auto' | Strategy;
  /** Of the option orders. */
  seed: number;
}

export interface Advised {
  /** Null: it is left to a person. */
  chosen: Identifier | null;
  /** A sentence for a person: what the model said, or why it said nothing. */
  said: string;
  /** What the model failed with. */
  failure: Failure | null;
}

export async function askAboutDocument(doubt: DocumentDoubt, ports: DocumentAskPorts): Promise<Advised> {
  const { executor, options, ids, seed } = ports;
  const { provider, clock } = executor;
  const started = startWorkflow(documentWorkflow, doubt, {
    id: ids.next(),
    now: clock.now(),
    strategy: pickStrategy(ports.strategy, provider),
    model: `${provider.name}/${provider.model}`,
    recorded: provider.name === RECORDED,
    seed,
  });
  const small = provider.capabilities.contextLength <= 4096;
  const { state, journal } = await runUntilBlocked(started, {
    definition: small ? { ...documentWorkflow, ballots: 1 } : documentWorkflow,
    registry: new AgentToolRegistry(documentWorkflow.tools),
    options: { ...options, limits: DOCUMENT_LIMITS },
    // An answer is a hypothesis: nothing is done by it here, and a document that is asked about again asks anew.
    ports: {
      ...executor,
      context: { ...ports.context, doubt },
      save: () => Promise.resolve(),
      perform: () => Promise.resolve(),
    },
  });
  const last = journal.findLast((entry) => entry.kind === 'model_ended' || entry.kind === 'model_failed');
  const failure = last?.kind === 'model_failed' ? last.failure : null;
  const { model } = provider;
  const id = state.type === 'Completed' ? (state.result.action?.option_id ?? null) : null;
  const option = doubt.options.find((one) => one.id === id);
  if (state.type === 'Completed' && option !== undefined) {
    const { kind, value } = option;
    return {
      chosen: { kind, value },
      said: clipped(`The model ${model} says that it is ${value}: ${state.result.why}`),
      failure,
    };
  }
  const why = state.type === 'Failed' ? state.error : (lastOf(journal, 'asked')?.why ?? '');
  return { chosen: null, said: clipped(`The model ${model} leaves it to you: ${why}`), failure };
}

const clipped = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 400);
