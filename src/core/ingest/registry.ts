import { yieldsChunks, yieldsOutcome, type ChunkAgent, type IngestAgent } from './agent.ts';
import { capabilityOf, type Capability, type Ingester, type IngestInput, type IngestOutcome } from './ingester.ts';
import type { FileKind } from './file-kinds.ts';
import { failure } from '../errors.ts';
import { baseName } from './paths.ts';

/** What is wanted of an agent: what to do with a file (an album's `.txt` is left out), or its chunks (it is a text). */
interface Yields {
  outcome: Ingester;
  chunks: ChunkAgent;
}

export interface IngesterRegistry {
  /** Every agent, in the order of registration. */
  readonly agents: readonly IngestAgent[];
  getAgent(agentId: string): IngestAgent | undefined;
  /**
   * The first by priority that has exactly this capability and yields what is wanted (an intake outcome, where nothing
   * is said); the earlier registered one among equals.
   */
  getBestForCapability(capability: Capability): Ingester | undefined;
  getBestForCapability<K extends keyof Yields>(capability: Capability, yields: K): Yields[K] | undefined;
  /** Exact capability, then `ingest:*`, then `ingest:text`, then `fallback-ingester`. */
  resolve(path: string): Ingester;
  /** Who yields chunks of a file that wants this capability: the same order, each agent once. */
  chain(capability: Capability): readonly ChunkAgent[];
  /** Who reads what a file is by its content, whatever its name says; the earlier registered one. */
  readerOf(kind: FileKind): Ingester | undefined;
}

const FALLBACK = 'fallback-ingester';
/** Chains that are kept: a folder has few endings, whatever it has names. */
const MOST_CHAINS = 500;

/** Throws when two agents share an id or the fallback is missing: both are mistakes of the program. */
export function createRegistry(agents: readonly IngestAgent[]): IngesterRegistry {
  const byId = new Map<string, IngestAgent>();
  for (const agent of agents) {
    if (byId.has(agent.agentId)) throw new Error(`two ingesters are called ${agent.agentId}`);
    byId.set(agent.agentId, agent);
  }
  const fallback = byId.get(FALLBACK);
  if (fallback === undefined || !yieldsOutcome(fallback)) throw new Error(`there is no ${FALLBACK}`);

  /** Asked for with every file of a folder. */
  const chains = new Map<Capability, readonly ChunkAgent[]>();
  const lists = { outcome: agents.filter(yieldsOutcome), chunks: agents.filter(yieldsChunks) };
  const able = <T extends IngestAgent>(list: readonly T[], capability: Capability): T[] => {
    const wanted = capability.toLowerCase();
    return list
      .filter(({ capabilities }) => capabilities.some((one) => one.toLowerCase() === wanted))
      .toSorted((a, b) => a.priority - b.priority);
  };
  const best = <K extends keyof Yields>(capability: Capability, yields: K): Yields[K] | undefined =>
    able<IngestAgent>(lists[yields], capability)[0] as Yields[K] | undefined;

  return {
    agents,
    getAgent: (agentId) => byId.get(agentId),
    getBestForCapability: <K extends keyof Yields>(capability: Capability, yields?: K) =>
      yields === undefined ? best(capability, 'outcome') : best(capability, yields),
    resolve: (path) =>
      best(capabilityOf(path), 'outcome') ?? best('ingest:*', 'outcome') ?? best('ingest:text', 'outcome') ?? fallback,
    chain(capability) {
      const before = chains.get(capability);
      if (before) return before;
      const named = [capability, 'ingest:*', 'ingest:text'] as const;
      const found = named.flatMap((one) => able(lists.chunks, one));
      const chain = [...new Set([...found, ...lists.chunks.filter(({ agentId }) => agentId === FALLBACK)])];
      if (chains.size < MOST_CHAINS) chains.set(capability, chain);
      return chain;
    },
    readerOf: (kind) => lists.outcome.find((agent) => agent.reads?.includes(kind)),
  };
}

/** What is to be done with one file, and which agent said so. Pure. */
export function ingestFile(
  registry: IngesterRegistry,
  input: Omit<IngestInput, 'reader'>,
): { agentId: string; outcome: IngestOutcome } {
  const agent = registry.resolve(input.path);
  const outcome = agent.ingest({ ...input, reader: registry.readerOf(input.kind) });
  // An empty companion is as quiet as a full one; anything else without content is a loss to be reported.
  if (input.size > 0 || (outcome.as === 'companion' && outcome.keep !== 'blob'))
    return { agentId: agent.agentId, outcome };
  const name = baseName(input.path);
  return {
    agentId: agent.agentId,
    outcome: { as: 'failed', failure: failure('file_empty', `"${name}" is empty (0 bytes).`, { subject: name }) },
  };
}
