import type { Batch, Job, LaneTypes } from '#core/job/job.ts';

/** Jobs that the lists show together. */
export interface JobGroup<L extends LaneTypes = LaneTypes> {
  key: string;
  title: string;
  /** Whose it is, as far as the lane knows. */
  by: string | null;
  batch: Batch | null;
  /** True for the first group of its batch: it carries what is said once a batch. */
  leads: boolean;
  /** The rows to list. */
  rows: Job<L>[];
  /** All jobs of the group, listed or not. */
  all: Job<L>[];
}
