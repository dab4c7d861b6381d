import type { LaneCore } from '#core/lane-core.ts';

/** Papers and books are read by the library's agents; the lane names what they are. */
export const core: LaneCore = { ingesters: [] };
