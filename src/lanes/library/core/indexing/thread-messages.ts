/** What a program and the thread that reads files for it say to each other; all of it can be cloned. */
import type { ModelWish } from '#core/ingest/agent.ts';
import type { Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import type { ReadFile } from '../index/file-record.ts';
import type { AgentSource } from '../model/agent-files.ts';
import type { ModelReply } from '../model/model-reply.ts';

/** What is known of a file before it is read. */
export type KnownFile = Pick<ReadFile, 'path' | 'modified' | 'sha256'>;

export type ToThread =
  /** The agents from now on. `asks`: there is a model that they may ask. */
  | { kind: 'agents'; files: readonly AgentSource[]; asks: boolean }
  /** Read this. `skip`: agents that were ended over it before, with why. */
  | { kind: 'read'; job: number; known: KnownFile; bytes: Uint8Array; skip: Readonly<Record<string, string>> }
  | { kind: 'reply'; question: number; reply: Result<ModelReply> };

export type FromThread =
  /** An agent begins with the file of a job: it is ended where it takes too long. */
  | { kind: 'began'; job: number; agentId: string }
  | { kind: 'ask'; job: number; question: number; system: string; user: string; wish: ModelWish }
  /** `file`: null where it is no text and nobody reads its kind. */
  | { kind: 'read'; job: number; file: ReadFile | null }
  | { kind: 'failed'; job: number; failure: Failure };

/** A thread as its owner holds it. */
export interface ReadingThread {
  post(message: ToThread): void;
  /** Called once, before anything is posted. `died`: it ended without being told to; null: its code cannot be loaded. */
  listen(heard: (message: FromThread) => void, died: (why: string | null) => void): void;
  end(): void;
}
