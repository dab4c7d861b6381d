import { isFinished, type Job } from '#core/job/job.ts';
import { pausedRow } from '../db.ts';
import { groupJobs, type JobGroup } from '../groups.ts';
import { dashboard, pendingRequests, type Board, type NamedRequest } from '../queries.ts';
import { Live } from './live.svelte.ts';

const NOTHING: Board = { batches: [], jobs: [] };
/** Enough for an evening; the rest is on the History page. */
const RECENT = 100;

const rows = new Live(dashboard(RECENT), { active: NOTHING, recent: NOTHING }, 200);
const paused = new Live(pausedRow, false);
const requests = new Live<NamedRequest[]>(pendingRequests, [], 500);

/** What the Ingest page shows, live. */
class IngestBoard {
  readonly groups: JobGroup[] = $derived(
    groupJobs(rows.current.active.jobs, rows.current.active.batches, (job) => !isFinished(job)),
  );
  readonly jobs: Job[] = $derived(rows.current.active.jobs.filter((job) => !isFinished(job)));
  readonly staging = $derived(rows.current.active.batches.filter((batch) => batch.state === 'staging'));
  readonly history: JobGroup[] = $derived(groupJobs(rows.current.recent.jobs, rows.current.recent.batches, () => true));
  /** Every job of the batches that are not finished, finished ones too. */
  readonly known: Job[] = $derived(rows.current.active.jobs);

  get ready(): boolean {
    return rows.ready;
  }
  get error(): unknown {
    return rows.error;
  }
  get paused(): boolean {
    return paused.current;
  }
  get requests(): NamedRequest[] {
    return requests.current;
  }
  get requestsReady(): boolean {
    return requests.ready;
  }
}

export const ingest = new IngestBoard();
