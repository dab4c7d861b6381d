/** What a run needs from the world. Adapters of files and runs: memory, disk; one conformance suite each. */
import type { CancelSignal } from '#core/cancel.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import type { Clock } from '#core/ports.ts';

export interface FileText {
  /** null: it is no UTF-8. */
  text: string | null;
  /** Hex, of its bytes. */
  sha256: string;
}

/** The root folder of a run. Paths are below it, `/` between; a link that leads out is PlaybookFault `path_outside`. */
export interface PlaybookFiles {
  /** Paths of files below this folder (empty: the root), in any order, no dotfiles; none where it is not there. */
  list(base: string): Promise<string[]>;
  /** Whether anything has this name. */
  isThere(path: string): Promise<boolean>;
  /** null: there is no such file. Throws PlaybookFault `too_large`. */
  read(path: string): Promise<FileText | null>;
  /** All of it or what was there before, with its folders. Throws AccessionError `storage_full`. */
  write(path: string, text: string): Promise<void>;
  /** Whole lines at the end of a file that this run wrote. Throws AccessionError `storage_full`. */
  append(path: string, text: string): Promise<void>;
  /** What was written survives a power cut when it resolves. */
  sync(): Promise<void>;
}

export type ReadFiles = Pick<PlaybookFiles, 'list' | 'isThere' | 'read'>;

/** The journal of one run: lines of JSON. */
export interface RunLog {
  /** In the order of the calls. Throws where the store is closed. */
  append(line: unknown): void;
  /** Everything appended before is durable when it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface RunStore {
  /** Throws AccessionError `conflict` where there is a run of that id. */
  create(id: string): Promise<RunLog>;
  /** Its lines, a torn last one left out, and its journal to go on in. Throws `not_found`, and `conflict` while another has it open. */
  open(id: string): Promise<{ lines: unknown[]; log: RunLog }>;
  /** null: there is none. */
  read(id: string): Promise<unknown[] | null>;
  /** Ids, in any order. */
  list(): Promise<string[]>;
  remove(id: string): Promise<void>;
}

/** The models that a playbook's names stand for. */
export interface PlaybookModels {
  /** `ollama/qwen3:8b`; null: the name is not mapped. `name` null: the step names no model. */
  nameOf(name: string | null): string | null;
  /** `of`: the unit that asks. Throws AccessionError where it cannot be opened. */
  open(name: string | null, of: { step: string; unit: number }): Promise<LlmProvider>;
  /** US dollars for a million tokens. */
  price: { in: number; out: number };
}

export interface RunPorts {
  files: PlaybookFiles;
  models: PlaybookModels;
  tools: readonly OfferedTool[];
  clock: Clock;
  sha256(text: string): Promise<string>;
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  signal?: CancelSignal;
  /** Set: no further call is begun, and the run ends as cancelled when those under way have ended. */
  pause?: CancelSignal;
  /** For progress. */
  said?(news: RunNews): void;
}

export type RunNews =
  | { kind: 'opened'; step: string; units: number }
  | { kind: 'asked'; step: string; unit: number; model: string | null; system: string | null; user: string }
  | { kind: 'answered'; step: string; unit: number }
  | { kind: 'failed'; step: string; unit: number; code: string; message: string }
  | { kind: 'closed'; step: string; records: number };
