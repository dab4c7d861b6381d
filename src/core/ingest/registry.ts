import { capabilityOf, type Capability } from './capability.ts';
import type { FileKind } from './file-kinds.ts';
import type { Ingester } from './ingester.ts';

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
    let best: Ingester | undefined;
    for (const agent of agents) {
      const able = agent.capabilities.some((one) => one.toLowerCase() === wanted);
      if (able && (best === undefined || agent.priority < best.priority)) best = agent;
    }
    return best;
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
