import { trimMemory } from '../memory-store.ts';
import { applyEvent, assertEpoch, jobTables, type PipelineContext } from './apply.ts';

/**
 * Run once by a new lock holder: what was in hand when the last one died goes back one step, so that it is
 * done again from the last persisted state. Nothing else is repeated.
 *
 *   probing -> queued,  searching -> grouping,  converting -> approved,  thinking stays: its journal goes on
 */
export async function recover(context: PipelineContext, epoch: number): Promise<void> {
  const { db } = context;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    await db.jobs
      .where('status')
      .anyOf('PROCESSING', 'CONVERTING')
      .modify((job) => {
        if (job.phase === 'probing') Object.assign(job, { status: 'PENDING', phase: 'queued' });
        if (job.phase === 'searching') job.phase = 'grouping';
      });
    const cut = await db.jobs
      .where('status')
      .equals('CONVERTING')
      .filter((job) => job.phase === 'converting')
      .toArray();
    for (const job of cut)
      await applyEvent(context, job.id, {
        type: 'unconverted',
        why: 'The page was closed while it was converted; it is converted again',
      });
    // Waiting without an outbox row would wait for ever: it is converted again.
    const waiting = await db.jobs
      .where('status')
      .equals('CONVERTING')
      .filter((job) => job.phase === 'waiting' || job.phase === 'publishing')
      .toArray();
    for (const job of waiting) {
      const items = await db.outbox.where('job_id').equals(job.id).count();
      if (items === 0)
        await applyEvent(context, job.id, {
          type: 'unconverted',
          why: 'Its converted file was lost; it is converted again',
        });
    }
  });
  await trimMemory(db);
}
