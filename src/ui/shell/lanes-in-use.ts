import { UsedLanes } from './used-lanes.svelte.ts';

export const lanesInUse = new UsedLanes(localStorage);
