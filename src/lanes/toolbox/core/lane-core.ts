import type { LaneCore } from '#core/lane-core.ts';

/** No file of a batch becomes a job of this lane: who uses a tool brings what it is to work on. */
export const core: LaneCore = { ingesters: [] };
