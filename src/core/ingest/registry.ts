import { capabilityOf, type Capability, type Ingester, type IngestInput, type IngestOutcome } from './ingester.ts';
import type { FileKind } from './file-kinds.ts';
import { failure } from '../errors.ts';
import { baseName } from './paths.ts';

export interface IngesterRegistry {
  getAgent(agentId: string): Ingester | undefined;
  /** The first by priority that has exactly this capability; the earlier registered one among equals. */
  getBestForCapability(capability: Capability): Ingester | undefined;
  /** Exact capability, then `ingest:*`, then `ingest:text`, then `fallback-ingester`. */
  resolve(path: string): Ingester;
  /** Who reads what a file is by its content, whatever its name says; the earlier registered one. */
  readerOf(kind: FileKind): Ingester | undefined;
}

/** Throws when two agents share an id or the fallback is missing: both are mistakes of the program. */
export function createRegistry(agents: readonly Ingester[]): IngesterRegistry {
  const byId = new Map<string, Ingester>();
  for (const agent of agents) {
    if (byId.has(agent.agentId)) throw new Error(`two ingesters are called ${agent.agentId}`);
    byId.set(agent.agentId, agent);
  }
  const fallback = byId.get('fallback-ingester');
  if (fallback === undefined) throw new Error('there is no fallback-ingester');

  const getBestForCapability = (capability: Capability): Ingester | undefined => {
    const wanted = capability.toLowerCase();
    const able = agents.filter(({ capabilities }) => capabilities.some((one) => one.toLowerCase() === wanted));
    return able.toSorted((a, b) => a.priority - b.priority)[0];
  };

  return {
    getAgent: (agentId) => byId.get(agentId),
    getBestForCapability,
    resolve: (path) =>
      getBestForCapability(capabilityOf(path)) ??
      getBestForCapability('ingest:*') ??
      getBestForCapability('ingest:text') ??
      fallback,
    readerOf: (kind) => agents.find((agent) => agent.reads?.includes(kind)),
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
