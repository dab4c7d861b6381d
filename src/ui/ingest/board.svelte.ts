import { isFinished, type Job } from '#core/job/job.ts';
import { pausedRow } from '../client/db.ts';
import { dropKey, groupJobs } from './groups.ts';
import type { JobGroup } from './job-group.ts';
import type { NamedRequest } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';
import { dashboard, type Board } from './job-queries.ts';
import { Live } from '../parts/live.svelte.ts';

const NOTHING: Board = { batches: [], jobs: [] };
/** Enough for an evening; the rest is on the History page. */
const RECENT = 100;

const rows = new Live(dashboard(RECENT), { active: NOTHING, recent: NOTHING }, 200, ['jobs', 'batches', 'outbox']);
const paused = new Live(pausedRow, false, 0, ['meta']);
const requests = new Live<NamedRequest[]>(
  async () => (await Promise.all(allLanes().map(async (lane) => (await lane.requests?.pending()) ?? []))).flat(),
  [],
  500,
);

/** What the Ingest page shows, live. */
class IngestBoard {
  #groups: JobGroup[] = [];
  #history: JobGroup[] = [];
  readonly groups: JobGroup[] = $derived.by(() => {
    const { jobs, batches } = rows.current.active;
    return (this.#groups = groupJobs(jobs, batches, (job) => !isFinished(job), this.#groups));
  });
  readonly jobs: Job[] = $derived(rows.current.active.jobs.filter((job) => !isFinished(job)));
  readonly staging = $derived(rows.current.active.batches.filter((batch) => batch.state === 'staging'));
  readonly history: JobGroup[] = $derived.by(() => {
    const { jobs, batches } = rows.current.recent;
    return (this.#history = groupJobs(jobs, batches, () => true, this.#history, dropKey));
  });
  /** Every job of the batches that are not finished, finished ones too. */
  readonly known: Job[] = $derived(rows.current.active.jobs);
  readonly ready: boolean = $derived(rows.ready);
  readonly error: unknown = $derived(rows.error);
  readonly paused: boolean = $derived(paused.current);
  readonly requests: NamedRequest[] = $derived(requests.current);
  readonly requestsReady: boolean = $derived(requests.ready);
}

export const ingest = new IngestBoard();
