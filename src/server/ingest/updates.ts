import type { IngestionUpdate } from '#core/sync/protocol.ts';
import { chunks } from '../store/chunks.ts';
import type { Reader } from '../store/schema.ts';
import { toStep } from './job-records.ts';

/** What the socket says about these jobs now: status, latest step, whether a question is open. */
export async function latestUpdate(db: Reader, jobIds: readonly string[]): Promise<IngestionUpdate[]> {
  const updates: IngestionUpdate[] = [];
  for (const part of chunks([...new Set(jobIds)], 1, 200)) {
    const jobs = await db.selectFrom('ingestion_jobs').select(['id', 'status']).where('id', 'in', part).execute();
    const open = await db
      .selectFrom('ingestion_review_jobs as link')
      .innerJoin('ingestion_reviews as review', 'review.id', 'link.review_id')
      .select('link.job_id')
      .where('link.job_id', 'in', part)
      .where('review.resolved_at', 'is', null)
      .execute();
    const asked = new Set(open.map((row) => row.job_id));
    for (const job of jobs) {
      const steps = db.selectFrom('ingestion_steps').selectAll().where('job_id', '=', job.id);
      const latest = await steps.orderBy('step_number', 'desc').limit(1).executeTakeFirst();
      const latest_step = latest ? toStep(latest) : null;
      updates.push({
        type: 'IngestionUpdate',
        job_id: job.id,
        status: job.status,
        latest_step,
        needs_review: asked.has(job.id),
      });
    }
  }
  return updates;
}
