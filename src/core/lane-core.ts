/** What a lane gives to the engine: pure, without DOM, Node or I/O. */
import type { Ingester } from './ingest/ingester.ts';
import type { LaneMemory, LearnedSource } from './run/lane-rows.ts';

export interface LaneCore {
  /** The files that the lane reads. One registry holds those of all lanes. */
  ingesters: readonly Ingester[];
  /** What it keeps beside its jobs, in memory. `learned`: what was learned from the person's answers before. */
  rows?(learned: LearnedSource | null): LaneMemory;
}
