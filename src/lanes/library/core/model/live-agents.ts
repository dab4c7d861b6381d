/** The agents in force: those of the program, and those of files that come, change and go while it runs. */
import type { AgentFileRefusal } from '#core/ingest/agent-file.ts';
import type { IngestAgent } from '#core/ingest/agent.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { agentsFromFiles, type AgentSource } from './agent-files.ts';
import type { ModelAsker } from './model-ingester.ts';

export interface RefusedFile extends AgentFileRefusal {
  file: string;
}

export interface AgentsInForce {
  /** Never changed: what comes later is in another one. */
  registry: IngesterRegistry;
  /** Ids of those that came as files, with the file. */
  files: ReadonlyMap<string, string>;
  refused: readonly RefusedFile[];
}

/** What the agents are made of: the program's own over a model, and files of the person. */
export interface AgentParts {
  own(ask: ModelAsker): readonly IngestAgent[];
  ask: ModelAsker;
  files: readonly AgentSource[];
}

/** The agents of these parts. Throws where two of the program's own share an id. */
export async function agentsOf({ own, ask, files }: AgentParts): Promise<AgentsInForce> {
  const known = own(ask);
  const { agents, refused, from } = await agentsFromFiles(files, known, ask);
  return { registry: ingesterRegistry([{ ingesters: known }, { ingesters: agents }]), files: from, refused };
}

/** Agents that others are put in the place of. */
export class LiveAgents {
  readonly #hearers = new Set<() => void>();
  #now: AgentsInForce;
  #parts: AgentParts;
  #turn: Promise<void> = Promise.resolve();

  static async open(parts: AgentParts): Promise<LiveAgents> {
    return new LiveAgents(parts, await agentsOf(parts));
  }

  private constructor(parts: AgentParts, now: AgentsInForce) {
    this.#parts = parts;
    this.#now = now;
  }

  get now(): AgentsInForce {
    return this.#now;
  }

  /** What the agents in force, or those on their way, are made of. */
  get parts(): AgentParts {
    return this.#parts;
  }

  /** Of this moment. Not to be kept over anything that is awaited where a later one would do. */
  readonly registry = (): IngesterRegistry => this.#now.registry;

  /** Other files, or another model: in force when it resolves, the last call of several. */
  change(parts: Partial<Pick<AgentParts, 'files' | 'ask'>>): Promise<void> {
    this.#parts = { ...this.#parts, ...parts };
    this.#turn = this.#turn.then(async () => {
      this.#now = await agentsOf(this.#parts);
      for (const hear of this.#hearers) hear();
    });
    return this.#turn;
  }

  /** Calls back whenever others are in force. Answers how to end that. */
  onChange(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }
}
