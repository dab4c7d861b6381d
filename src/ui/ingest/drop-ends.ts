/**
 * Tells the person by a notification of the system how a drop ended, where they wished so and do not look at the page.
 * Only the tab that does the work tells.
 */
import { isFinished, type Batch, type Job } from '#core/job/job.ts';
import { countOfAny, db } from '../client/db.ts';
import { onTableChanges } from '../parts/table-changes.ts';
import { endWords } from './groups.ts';
import { ACTIVE_STATUSES } from './job-queries.ts';

export interface DropEnd {
  batch: Batch;
  jobs: readonly Job[];
}

/** What is told: the drop's name, and how it ended in words. */
export const endNotice = ({ batch, jobs }: DropEnd): { title: string; body: string } => ({
  title: batch.label,
  body: endWords({ all: [...jobs], batch }),
});

/** Drops that were under way at a look before, or came since the first one, and have ended. Each is told once. */
export class DropEnds {
  readonly #seen = new Set<string>();

  /**
   * @param open drops of which something is unfinished now
   * @param since all that came since the first look: a short one may never be seen open
   */
  ended(open: ReadonlySet<string>, since: readonly string[]): string[] {
    for (const id of [...open, ...since]) if (!this.#told.has(id)) this.#seen.add(id);
    const ended = [...this.#seen].filter((id) => !open.has(id));
    for (const id of ended) {
      this.#seen.delete(id);
      this.#told.add(id);
    }
    return ended;
  }
  readonly #told = new Set<string>();
}

/** Ids of drops that are being read in, or have an unfinished file. */
async function openDrops(): Promise<Set<string>> {
  const staging = await db.batches.where('state').equals('staging').primaryKeys();
  if ((await countOfAny(db.jobs, 'status', ACTIVE_STATUSES)) === 0) return new Set(staging);
  const open = new Set<string>(staging);
  for (const status of ACTIVE_STATUSES)
    await db.jobs
      .where('status')
      .equals(status)
      .each(({ batch_id }) => open.add(batch_id));
  return open;
}

async function endOf(id: string): Promise<DropEnd | null> {
  const [batch, jobs] = await Promise.all([db.batches.get(id), db.jobs.where('batch_id').equals(id).toArray()]);
  // Of a drop without files nothing has to be said; one that was cleared away has no row.
  return batch === undefined || jobs.length === 0 || !jobs.every(isFinished) ? null : { batch, jobs };
}

/** Tells of each drop that ends from now on. `tell` is asked at the end whether it may. Answers how to stop. */
export function watchDropEnds(tell: (end: DropEnd) => void): () => void {
  const ends = new DropEnds();
  const begun = Date.now();
  const look = async () => ({
    open: await openDrops(),
    since: await db.batches.where('created_at').aboveOrEqual(begun).primaryKeys(),
  });
  const watching = onTableChanges(['jobs', 'batches'], look).subscribe({
    next({ open, since }) {
      for (const id of ends.ended(open, since)) void endOf(id).then((end) => end !== null && tell(end));
    },
    error: () => undefined,
  });
  return () => watching.unsubscribe();
}

/** As a notification of the system: one a drop, also where two tabs would tell. A press leads to the page. */
export function notifyEnd(end: DropEnd): void {
  if (document.hasFocus() || !('Notification' in window) || Notification.permission !== 'granted') return;
  const { title, body } = endNotice(end);
  const shown = new Notification(title, { body, tag: `drop:${end.batch.id}` });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}
