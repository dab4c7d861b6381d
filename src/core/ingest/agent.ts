/** Agents that yield chunks: what they are given, what they answer, and how the answer is read. */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import type { Cancel } from '../ports.ts';
import { ChunksSchema, type Chunk } from './chunk.ts';
import type { AgentFacts, Ingester } from './ingester.ts';

export interface AgentContext {
  /** What is asked, in words; native agents know it. */
  prompt: string;
  properties: {
    filePath: string;
    /** The file's text; empty for a file that is none (a PDF). */
    content: string;
    /** `csharp`; the file's ending where no language is known. */
    language: string;
    /** The file itself, for agents that read no text. */
    bytes?: Uint8Array;
  };
}

export interface AgentOutput {
  /** `Extracted 3 chunks from File.cs` */
  content: string;
  /** `chunks`: a JSON array of chunks. */
  artifacts: Readonly<Record<string, string>>;
  /** What a person should know of the reading, a sentence each. */
  warnings?: readonly string[];
}

/** An agent that yields the chunks of a file. It throws where it cannot, and the next of the chain is asked. */
export interface ChunkAgent extends AgentFacts {
  /** Part of the key under which chunks are kept: another version reads its files again. A file's agent has its hash. */
  version: string;
  /** It reads the file's bytes: it is given no text. */
  readsBytes?: true;
  /**
   * The text of its chunks is what the file shows between their lines, not what stands there (a page without its tags).
   * Such a file has lines that show nothing, and they are in no chunk.
   */
  rendersText?: true;
  /** What it asks, where it asks a model: the person's own provider and model, by name. */
  model?: ModelWish;
  /** The model that would be asked now, by its provider and name; absent: none is set up for it. */
  asks?: string;
  execute(context: AgentContext, cancel: Cancel): AgentOutput | Promise<AgentOutput>;
}

/** The model that an agent wants; absent fields are the person's default. */
export interface ModelWish {
  provider?: string | undefined;
  model?: string | undefined;
  /** 0 (always the same) to 2. */
  temperature?: number | undefined;
}

/** What the registry holds. An agent may yield both (`fallback-ingester`). */
export type IngestAgent = Ingester | ChunkAgent;

export const yieldsChunks = (agent: IngestAgent): agent is ChunkAgent => 'execute' in agent;
export const yieldsOutcome = (agent: IngestAgent): agent is Ingester => 'ingest' in agent;

/** Chunks of outputs that were made here: what was never outside need not be read as what comes from there. */
const ownChunks = new WeakMap<AgentOutput, readonly Chunk[]>();

/** The output of an agent that found these chunks. */
export function outputOf(filePath: string, chunks: readonly Chunk[], warnings: readonly string[] = []): AgentOutput {
  const name = filePath.slice(filePath.lastIndexOf('/') + 1);
  const output: AgentOutput = {
    content: `Extracted ${chunks.length} ${chunks.length === 1 ? 'chunk' : 'chunks'} from ${name}`,
    artifacts: {
      // Written when somebody asks for it.
      get chunks() {
        return JSON.stringify(chunks);
      },
    },
    warnings,
  };
  ownChunks.set(output, chunks);
  return output;
}

/** The chunks of an output, read as what comes from outside. Throws AccessionError `invalid` with what is wrong. */
export function chunksOf(output: AgentOutput): Chunk[] {
  const own = ownChunks.get(output);
  if (own !== undefined) return [...own];
  const json = output.artifacts['chunks'];
  if (json === undefined) throw failed('invalid', 'its output has no chunks');
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    throw failed('invalid', 'its chunks are not JSON');
  }
  const read = v.safeParse(ChunksSchema, raw);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw failed('invalid', `its chunks are not as agreed (${v.getDotPath(issue) ?? 'chunks'}: ${issue.message})`);
}
