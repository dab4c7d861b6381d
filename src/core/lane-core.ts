/** What a lane gives to the engine: pure, without DOM, Node or I/O. */
import type { IngestAgent } from './ingest/agent.ts';
import type { LaneMemory, LearnedSource } from './run/lane-rows.ts';

export interface LaneCore {
  /** The agents that say what becomes of the lane's files. One registry holds those of all lanes. */
  ingesters: readonly IngestAgent[];
  /** What it keeps beside its jobs, in memory. `learned`: what was learned from the person's answers before. */
  rows?(learned: LearnedSource | null): LaneMemory;
}
