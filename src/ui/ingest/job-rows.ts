import type { Job } from '#core/job/job.ts';
import { db, rowsOfAny } from '../client/db.ts';

/** Rows that the page takes over at once: of a thousand, the copies alone would hold it up for longer than a frame or two. */
const AT_ONCE = 50;
/** Milliseconds that a writer may take between its clock and the end of its transaction. */
const SLACK_MS = 5000;
/** Milliseconds after which all are read again, should a clock have gone back or a writer have taken longer. */
const WHOLE_MS = 60_000;

/**
 * Rows of jobs, kept between the runs of a live query: what cannot have changed since is not read again, and a row that
 * did not change stays the same object, so that nothing of it is drawn again. A drop of a thousand files is a thousand
 * times some writes; without this each of them would copy a thousand rows.
 */
export class JobRows {
  readonly #rows = new Map<string, Job>();
  /** The greatest `updated_at` that was seen. */
  #newest = 0;
  #whole = Number.NEGATIVE_INFINITY;

  /**
   * Reads what may have changed of these, a piece a task: in one transaction the answers would all come in one task, a
   * third of a second for a thousand. Not inside a transaction, therefore.
   */
  async refresh(ids: readonly string[]): Promise<void> {
    const changed = await this.#changed();
    const wanted = ids.filter((id) => {
      const known = this.#rows.get(id);
      return known === undefined || changed === 'all' || changed.has(id) || isSent(known);
    });
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      if (at > 0) await db.rest();
      const part = wanted.slice(at, at + AT_ONCE);
      for (const [n, row] of (await db.jobs.bulkGet(part)).entries()) this.#take(part[n] ?? '', row);
    }
  }

  /** Of the ids those that exist, in their order, as they were last read. */
  of(ids: readonly string[]): Job[] {
    return ids.map((id) => this.#rows.get(id)).filter((row) => row !== undefined);
  }

  /** Forgets all others. */
  keep(ids: Iterable<string>): void {
    const kept = new Set(ids);
    for (const id of this.#rows.keys()) if (!kept.has(id)) this.#rows.delete(id);
  }

  #take(id: string, row: Job | undefined): void {
    if (row === undefined) {
      this.#rows.delete(id);
      return;
    }
    this.#newest = Math.max(this.#newest, row.updated_at);
    const known = this.#rows.get(id);
    if (known === undefined || !isSame(known, row)) this.#rows.set(id, row);
  }

  /**
   * Whose rows may have changed and are still to be read: written lately, or on their way to the server, which is shown
   * without a new date. A few that were written lately are taken here: one answer for all, where each by its id is one.
   */
  async #changed(): Promise<Set<string> | 'all'> {
    const since = Math.min(this.#newest, Date.now()) - SLACK_MS;
    const [lately, sending] = await Promise.all([
      db.jobs.where('updated_at').above(since).primaryKeys(),
      rowsOfAny(db.outbox, 'state', ['uploading', 'committing']),
    ]);
    const now = performance.now();
    if (now - this.#whole >= WHOLE_MS) {
      this.#whole = now;
      return 'all';
    }
    const sent = sending.map(({ job_id }) => job_id);
    if (lately.length > AT_ONCE) return new Set([...lately, ...sent]);
    if (lately.length > 0)
      for (const row of await db.jobs.where('updated_at').above(since).limit(AT_ONCE).toArray())
        this.#take(row.id, row);
    return new Set(sent);
  }
}

/** It shows how far its publishing is, which may have been taken back. */
const isSent = ({ phase, progress }: Job): boolean => phase === 'publishing' || (phase === 'waiting' && progress > 0);

/** Each change of a job has a later date, but how far its publishing is. */
function isSame(a: Job, b: Job): boolean {
  return a.updated_at === b.updated_at && a.phase === b.phase && a.progress === b.progress && a.status === b.status;
}
