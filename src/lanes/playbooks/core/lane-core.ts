import type { LaneCore } from '#core/lane-core.ts';

/** No file of a batch becomes a job of this lane: who runs a playbook brings it. */
export const core: LaneCore = { ingesters: [] };
