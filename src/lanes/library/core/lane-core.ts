import type { LaneCore } from '#core/lane-core.ts';

/**
 * No file of a batch becomes a job of the library. Its agents yield chunks, and who reads has them (agents.ts): the
 * workers that take files in, which every visit loads, have none of their code.
 */
export const core: LaneCore = { ingesters: [] };
