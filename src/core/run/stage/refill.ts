import { throwIfCancelled } from '../../cancel.ts';
import { isFinished } from '../../job/job.ts';
import { companionOf, look } from './look.ts';
import type { Incoming, StagePorts } from './ports.ts';
import { addArchive, arrivedAs } from './rows.ts';
import { store } from './take-file.ts';
import type { StageRun } from './stage-run.ts';

/**
 * Stores the bytes of what is a row already: a worker that goes on with another one's upload has none of them. Rows are
 * not changed, but for the copies of archives.
 */
export async function refill(ports: StagePorts, run: StageRun, incoming: Incoming): Promise<void> {
  throwIfCancelled(run.cancel);
  try {
    const { outcome } = await look(ports, incoming);
    if (outcome.as === 'archive') {
      if (!(await isOpen(ports, run, incoming.path))) return;
      const { sha256 } = await store(ports, run, incoming, 'archive');
      await addArchive(ports, run.batchId, { path: incoming.path, sha256 });
    } else if (outcome.as === 'companion' && outcome.keep === 'blob')
      await companionOf(ports, incoming, outcome, () => store(ports, run, incoming));
    else if (outcome.as === 'job' && (await isNeeded(ports, run, incoming.path))) await store(ports, run, incoming);
  } finally {
    await incoming.release();
  }
  await ports.taken?.();
}

/** One that could not be opened, or was cancelled, is over. */
async function isOpen(ports: StagePorts, { batchId }: StageRun, path: string): Promise<boolean> {
  const known = (await ports.store.batch(batchId))?.archives.find((one) => one.path === path);
  return known !== undefined && known.error === undefined;
}

async function isNeeded(ports: StagePorts, { batchId }: StageRun, path: string): Promise<boolean> {
  const jobs = await ports.store.jobsOfBatch(batchId);
  return jobs.some((job) => arrivedAs(job) === path && !isFinished(job));
}
