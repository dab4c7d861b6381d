import type { LaneCore } from '#core/lane-core.ts';
import { libraryAgents } from './agents.ts';

export const core: LaneCore = { ingesters: libraryAgents() };
