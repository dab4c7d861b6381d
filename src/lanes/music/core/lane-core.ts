import type { LaneCore } from '#core/lane-core.ts';
import { MemoryMusicRows } from './learning/memory-rows.ts';
import { musicIngesters } from './ingesters.ts';

export const core: LaneCore = {
  ingesters: musicIngesters,
  rows: (learned) => new MemoryMusicRows(learned),
};
