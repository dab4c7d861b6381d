import type { Failure } from '../errors.ts';
import type { Companion } from '../job/job.ts';
import type { Capability } from './capability.ts';
import type { ArchiveKind, FileKind } from './file-kinds.ts';

/** What an ingester is asked: a name, a size and what the first bytes say. */
export interface IngestInput {
  /** Path inside the batch. */
  path: string;
  /** Bytes. */
  size: number;
  /** From `sniff`. */
  kind: FileKind;
}

/** What is to be done with the file. Pure: the stage acts on it. */
export type IngestOutcome =
  | { as: 'audio'; kind: FileKind; /** Said in the trace when the name lies. */ note: string | null }
  | { as: 'archive'; kind: ArchiveKind }
  | { as: 'companion'; kind: Companion['kind']; outcome: string; keep: 'nothing' | 'text' | 'blob' }
  | { as: 'failed'; failure: Failure };

/** An agent that can read files of some kind. Lower priority numbers come first (native 10, model 20, text 50, fallback 99). */
export interface Ingester {
  agentId: string;
  name: string;
  description: string;
  priority: number;
  capabilities: readonly Capability[];
  tags: readonly string[];
  ingest(input: IngestInput): IngestOutcome;
}
