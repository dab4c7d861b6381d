import type { MusicTypes } from '#lanes/music/core/types.ts';
import type { LaneTraces } from '#ui/lane-ui.ts';
import Decision from './Decision.svelte';
import GroupTable from './GroupTable.svelte';
import { jobFacts } from './job-facts.ts';

export const traces: LaneTraces<MusicTypes> = {
  facts: jobFacts,
  Decision,
  hasTable: ({ all }) => all.some((job) => job.match !== null),
  Table: GroupTable,
};
