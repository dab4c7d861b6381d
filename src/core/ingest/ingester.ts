import type { Failure } from '../errors.ts';
import type { Companion } from '../job/job.ts';
import type { ArchiveKind, FileKind } from './file-kinds.ts';
import { baseName, extensionOf } from './paths.ts';

/** `ingest:flac`; `ingest:*` and `ingest:text` are the general ones, `ingest:os-metadata` is for files that systems drop. */
export type Capability = `ingest:${string}`;

const SYSTEM_FILES = new Set([
  'thumbs.db',
  'desktop.ini',
  '.ds_store',
  'ehthumbs.db',
  '.directory',
  'icon\r',
  '.localized',
]);

/** The capability that a file wants, by its name alone. A file without an ending wants `ingest:` and nothing. */
export function capabilityOf(path: string): Capability {
  return isSystemFile(path) ? 'ingest:os-metadata' : `ingest:${extensionOf(path)}`;
}

/** Left behind by Windows, macOS or KDE; never what a person meant to drop. */
export function isSystemFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return SYSTEM_FILES.has(name) || name.startsWith('._') || path.split('/').includes('__MACOSX');
}

/** What an ingester is asked: a name, a size and what the first bytes say. */
export interface IngestInput {
  /** Path inside the batch. */
  path: string;
  /** Bytes. */
  size: number;
  /** From `sniff`. */
  kind: FileKind;
  /** Who reads what the content is, whatever its name says; set by `ingestFile`. */
  reader?: Ingester | undefined;
}

/** What is to be done with the file. Pure: staging acts on it. */
export type IngestOutcome =
  /** It becomes a job of this lane. `note` is said in the trace when the name lies. */
  | { as: 'job'; lane: string; kind: FileKind; note: string | null }
  | { as: 'archive'; kind: ArchiveKind }
  | { as: 'companion'; kind: Companion['kind']; outcome: string; keep: 'nothing' | 'text' | 'blob' }
  | { as: 'failed'; failure: Failure };

/** What every agent says of itself. Lower priority numbers come first (native 10, model 20, text 50, fallback 99). */
export interface AgentFacts {
  agentId: string;
  name: string;
  description: string;
  priority: number;
  capabilities: readonly Capability[];
  tags: readonly string[];
}

/** An agent that yields an intake outcome: what is to be done with a file. */
export interface Ingester extends AgentFacts {
  /** The lane whose jobs it makes; absent where it makes none. */
  lane?: string;
  /** Contents that it reads under any name. */
  reads?: readonly FileKind[];
  ingest(input: IngestInput): IngestOutcome;
}
