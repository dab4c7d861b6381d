import type { LaneCore } from '#core/lane-core.ts';

/** Guides are read by the lane's own reader, not from a batch: no file becomes a job of it. */
export const core: LaneCore = { ingesters: [] };
