/** What the pages may ask of the library's worker. */
import type { EnginePlaces } from 'virtual:toolbox-packs';
import type { Result } from '#core/result.ts';
import type { EvidenceRow } from '#lanes/library/core/ask/evidence/rows.ts';
import type { PlacedChunk } from '#lanes/library/core/index/file-record.ts';
import type { IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import type { Passage } from '#lanes/library/core/search/passage.types.ts';
import type { AgentSource } from '#lanes/library/core/model/agent-files.ts';
import type { RefusedFile } from '#lanes/library/core/model/live-agents.ts';
import type { ListedFile } from './folder-sources.ts';

export type LibrarySource =
  { kind: 'handle'; handle: FileSystemDirectoryHandle } | { kind: 'files'; name: string; files: readonly ListedFile[] };

/** A passage, and whose it is. */
export interface LibraryHit extends Omit<Passage, 'place'> {
  folder: string;
  folderName: string;
}

export interface LibraryAnswer {
  hits: LibraryHit[];
  /** Why the profile that is set did not answer, a sentence; null: it did. */
  why: string | null;
}

export interface SymbolHit {
  folder: string;
  path: string;
  line: number;
  name: string;
  qualified: string;
  chunkType: string;
}

export interface LibraryFileRow {
  path: string;
  agentId: string;
  language: string;
  /** Bytes. */
  size: number;
  chunks: number;
  warnings: readonly string[];
}

export interface LibraryFile extends LibraryFileRow {
  text: string;
  outline: readonly PlacedChunk[];
}

export interface FolderState {
  files: readonly LibraryFileRow[];
  /** Counted by reason. */
  leftOut: Readonly<Record<string, number>>;
  failed: readonly { path: string; why: string }[];
}

export interface AgentRow {
  agentId: string;
  name: string;
  description: string;
  priority: number;
  /** Endings and names that it reads. */
  reads: readonly string[];
  /** The file that it came as; null: it is the program's. */
  file: string | null;
  /** Of one that asks a model: which, by provider and name. */
  asks: string | null;
  /** Why it reads nothing now, a sentence; null: it is ready. */
  why: string | null;
}

export interface AgentsState {
  agents: readonly AgentRow[];
  /** Stored files that are no agents any more: a later program may have one of their id. */
  refused: readonly RefusedFile[];
}

/** A tool of a file, which a run may be given. */
export interface ToolRow {
  name: string;
  description: string;
  file: string;
  /** It reaches the network: a run needs a domain for it. */
  network: boolean;
  /** Why no run may be given it, a sentence; null: it may. */
  why: string | null;
}

export interface RefusedTool {
  file: string;
  /** A sentence. */
  message: string;
}

export interface ToolsState {
  tools: readonly ToolRow[];
  /** Stored files that are no tools any more. */
  refused: readonly RefusedTool[];
}

/** A piece of what a run found, and in which folder each source stands now. */
export interface AskEvidence {
  rows: readonly EvidenceRow[];
  /** Of all pieces. */
  total: number;
  /** By `source_id`. */
  folders: Readonly<Record<string, string>>;
}

export interface AskWish {
  question: string;
  task: string | null;
  /** Ids; empty: all. */
  folders: readonly string[];
  profile: 'vector' | 'hybrid' | 'bm25';
  iterations: number;
  /** The question before, where this one follows on from it. */
  after: string | null;
  /** Tools beside the search. */
  tools: readonly string[];
  /** Patterns of hosts that tools may reach, through the server. */
  domains: readonly string[];
  /** Whether the person's model may plan and write. */
  model: boolean;
}

/** A run under way, as a page shows it. */
export interface AskProgress {
  phase: string;
  iteration: number;
  parts: readonly string[];
  /** Sources so far, the newest last. */
  sources: readonly { source_id: string; title: string; path: string; passages: number }[];
  calls: number;
  tokens: number;
  /** Milliseconds in models and tools. */
  milliseconds: number;
}

export interface LibraryApi {
  /** Where the engines of tools are fetched: told first of all, by the page, whose build has them. */
  askEngines(places: EnginePlaces): void;
  /** Asks, and answers the id of the row (`library_asks`) at the end; also where it was cancelled. `onBegun`: as soon as there is a row. */
  ask(
    wish: AskWish,
    onBegun: (id: string) => void,
    onProgress: (progress: AskProgress) => void,
  ): Promise<Result<string>>;
  /** Goes on with a question that has no answer, from its transcript. */
  goOn(id: string, onProgress: (progress: AskProgress) => void): Promise<Result<string>>;
  stopAsking(id: string): void;
  forgetAsked(id: string): Promise<Result<void>>;
  /** The transcript of a question, one JSON object a line. */
  askTranscript(id: string): Promise<Result<string>>;
  /** Everything that was found for a question, also where it has no answer: some hundred rows, from `from` on (counted from 0). */
  askEvidence(id: string, from: number): Promise<Result<AskEvidence>>;
  /** Decides every step of a transcript anew from what is recorded, and keeps its answer as a question's. Answers its id. */
  playBack(transcript: string): Promise<Result<string>>;
  tools(): Promise<Result<ToolsState>>;
  /** Keeps tools in YAML; one of the same file's name is replaced. Answers those that are none, which are not kept. */
  addTools(files: readonly AgentSource[]): Promise<Result<RefusedTool[]>>;
  removeTool(file: string): Promise<Result<void>>;
  /** Adds a folder or some files, not indexed yet; a folder that is there already is found again. Answers its id. */
  add(source: LibrarySource): Promise<Result<string>>;
  /** Brings a folder's index up to date; resolves at the end, when cancelled, or where it failed. */
  update(
    folder: string,
    onProgress: (progress: IndexProgress) => void,
    /** Nothing is read: what the index has is given vectors. */
    only?: 'vectors' | null,
  ): Promise<Result<void>>;
  pause(folder: string, paused: boolean): void;
  cancel(folder: string): void;
  /** Takes a folder out of the library; its files stay as they are. */
  remove(folder: string): Promise<Result<void>>;
  search(words: string, limit: number): Promise<Result<LibraryAnswer>>;
  symbols(words: string, limit: number): Promise<Result<SymbolHit[]>>;
  folder(folder: string): Promise<Result<FolderState>>;
  /** Null where the library has no such file. */
  file(folder: string, path: string): Promise<Result<LibraryFile | null>>;
  /** The bytes of a file as it is now; null where the browser has to be asked for it, or does not have it any more. */
  content(folder: string, path: string): Promise<Result<ArrayBuffer | null>>;
  agents(): Promise<Result<AgentsState>>;
  /** Keeps agents in Markdown; one of the same file's name is replaced. Answers those that are none, which are not kept. */
  addAgents(files: readonly AgentSource[]): Promise<Result<RefusedFile[]>>;
  removeAgent(file: string): Promise<Result<void>>;
  /** Whether a folder can be read again without asking the person. */
  canUpdate(folder: string): Promise<boolean>;
}
