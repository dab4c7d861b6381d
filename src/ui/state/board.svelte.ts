import { isFinished, type Job } from '#core/job/job.ts';
import { pausedRow } from '../db.ts';
import { groupJobs, type JobGroup } from '../groups.ts';
import { board, recentlyFinished, pendingRequests, type Board, type NamedRequest } from '../queries.ts';
import { TimeLeft } from '../time-left.ts';
import { Live } from './live.svelte.ts';

const NOTHING: Board = { batches: [], jobs: [] };
/** Enough for an evening; the rest is on the History page. */
const RECENT = 100;

const active = new Live(board, NOTHING, 200);
const recent = new Live(() => recentlyFinished(RECENT), NOTHING, 200);
const paused = new Live(pausedRow, false);
const requests = new Live<NamedRequest[]>(pendingRequests, [], 500);
const timeLeft = new TimeLeft();

/** What the Ingest page shows, live. */
class IngestBoard {
  readonly groups: JobGroup[] = $derived(
    groupJobs(active.current.jobs, active.current.batches, (job) => !isFinished(job)),
  );
  readonly jobs: Job[] = $derived(active.current.jobs.filter((job) => !isFinished(job)));
  readonly staging = $derived(active.current.batches.filter((batch) => batch.state === 'staging'));
  readonly history: JobGroup[] = $derived(groupJobs(recent.current.jobs, recent.current.batches, () => true));
  /** Milliseconds of work left, or null as long as nobody can say. */
  readonly left: number | null = $derived(paused.current ? null : timeLeft.estimate(this.jobs, performance.now()));

  get ready(): boolean {
    return active.ready && recent.ready;
  }
  get error(): unknown {
    return active.error;
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
