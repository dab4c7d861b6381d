/** A tool that a lane offers to others: what a step of a playbook may name. */
import type { AgentTool } from './tool.ts';

export interface OfferedTool extends AgentTool<unknown> {
  /** Of one that asks sources: it asks hosts that its own list, the step and the person let through. */
  asks?: {
    /** Patterns; null: whichever the step names. */
    hosts: readonly string[] | null;
    /** To which a person agreed for this playbook. */
    agreed: readonly string[];
    within(domains: readonly string[]): AgentTool<unknown>;
  };
  /** Of one that looks documents up: as the step's `agent` sets it. */
  retrieves?(wish: RetrieverWish): AgentTool<unknown>;
  /** Of one that runs code which stands in its input: that code, and the hashes to which a person agreed. */
  runs?: { code(input: unknown): string; agreed: ReadonlySet<string> };
  /** Of one that computes: within less than it would have. */
  lowered?(limits: StepBounds): AgentTool<unknown>;
  /** It is there and cannot be used here: what to do, one sentence. */
  unavailable?: string;
}

/** What a step lets a tool take; it lowers and never raises. */
export interface StepBounds {
  timeMs?: number;
  memoryMb?: number;
  resultBytes?: number;
}

/** What is left out is as the tool has it. */
export interface RetrieverWish {
  profile?: 'vector' | 'hybrid' | 'bm25';
  /** Documents of one call. */
  k?: number;
  rerank?: boolean;
  /** Further wordings that one call may have. */
  expand: number;
}
