import type { LaneCore } from '#core/lane-core.ts';

export const core: LaneCore = { ingesters: [] };
