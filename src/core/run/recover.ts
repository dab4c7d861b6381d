import { applyEvent } from '../job/apply.ts';
import type { JobIn } from '../job/job.ts';
import type { JobRows } from './job-store.ts';
import type { RunDeps } from './ports.ts';

/**
 * Run once by a new holder of the work: what was in hand when the last one died goes back one step, so that it is done
 * again from the last persisted state. Nothing else is repeated.
 *
 *   probing -> queued,  searching -> grouping,  converting -> approved,  thinking stays: its journal goes on
 *
 * `hasOutput`: whether the converted file of a waiting job is here; where it is not known to be sent, it is made again.
 */
export async function recover(
  deps: Pick<RunDeps, 'store' | 'clock' | 'ids' | 'lanes'>,
  words: { converting: string },
  hasOutput: (sha256: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const { store } = deps;
  const lost = await lostOutputs(deps, hasOutput);
  await store.change(async (rows) => {
    for (const job of await rows.jobsIn('PROCESSING', 'CONVERTING')) {
      if (job.phase === 'probing' || job.phase === 'searching' || job.phase === 'converting')
        await applyEvent(rows, deps, job.id, { type: 'interrupted', why: words.converting });
      else if (isOnItsWay(job) && (lost.has(job.id) || (await rows.outboxOfJob(job.id)).length === 0))
        await convertAgain(rows, deps, job.id);
    }
    for (const lane of deps.lanes) await lane.onRecovered?.(rows);
  });
}

/** JOB-5: waiting without a result that could be sent would be waiting for ever. */
async function convertAgain(rows: JobRows, deps: Pick<RunDeps, 'clock' | 'ids'>, jobId: string): Promise<void> {
  await rows.deleteOutboxItems((await rows.outboxOfJob(jobId)).map((item) => item.key));
  const why = 'Its converted file was lost; it is converted again';
  await applyEvent(rows, deps, jobId, { type: 'unconverted', why });
}

const isOnItsWay = (job: { phase: string }): job is JobIn<'waiting' | 'publishing'> =>
  job.phase === 'waiting' || job.phase === 'publishing';

/** A commit that was sent is asked about first: the server may have the file. */
async function lostOutputs(
  { store }: Pick<RunDeps, 'store'>,
  hasOutput: (sha256: string) => Promise<boolean>,
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const job of (await store.jobsIn('CONVERTING')).filter(isOnItsWay)) {
    const sent = (await store.outboxOfJob(job.id)).some((item) => item.commit_sent === true);
    if (!sent && !(await hasOutput(job.output_sha256))) lost.add(job.id);
  }
  return lost;
}
