/**
 * What History knows of each finished file to find it. The rows are read once; after that only those that were changed
 * since, so that a key that is typed reads no row but those that are shown.
 */
import { inTurns, sorting, type Steps } from '#core/steps.ts';
import { foldText } from '#core/text/fold.ts';
import type { Job, JobPhase } from '#core/job/job.ts';
import { db, inIndex } from '../client/db.ts';
import { laneOf } from '../lanes.ts';
import { foldedWords } from '../list/has-words.ts';

/** Rows that the page takes over at once. */
const AT_ONCE = 200;
/** From so many on that are not known yet all are read. */
const SWEPT = 2000;
/** Files that are looked at in one go. */
const FOUND_AT_ONCE = 5000;
/** Milliseconds that a writer may take between its clock and the end of its transaction. */
const SLACK_MS = 5000;

export interface HistoryFilter {
  /** `all`, or one way of ending. */
  outcome: 'all' | 'available' | 'duplicate' | 'failed' | 'cancelled';
  text: string;
  order: 'newest' | 'oldest' | 'name';
}

interface Known {
  phase: JobPhase;
  path: string;
  /** All its words, folded. */
  text: string;
}

/** How far a reading is that takes long. */
export interface HistoryReading {
  read: number;
  of: number;
}

export class HistoryIndex {
  readonly #known = new Map<string, Known>();
  /** The greatest `updated_at` that was seen. */
  #newest = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #heard = new Set<(reading: HistoryReading | null) => void>();

  /** Hears how far a reading is, and null when it is over; the answer ends that. */
  onReading(heard: (reading: HistoryReading | null) => void): () => void {
    this.#heard.add(heard);
    return () => this.#heard.delete(heard);
  }

  /**
   * Ids of the finished jobs that the filter lets through, in its order. One call after the other: a second one finds
   * what the first has read.
   * @throws what the database says; a later call reads anew
   */
  find(filter: HistoryFilter): Promise<string[]> {
    const finding = this.#last.then(() => this.#find(filter));
    this.#last = finding.catch(() => undefined);
    return finding;
  }

  async #find({ text, outcome, order }: HistoryFilter): Promise<string[]> {
    const keys = await this.#read();
    const wanted = text.trim() === '' ? null : foldedWords(text);
    const found = await inTurns(this.#matching(keys, wanted, outcome), turn);
    if (order === 'oldest') return found;
    found.reverse();
    if (order === 'newest') return found;
    const pathOf = (id: string): string => this.#known.get(id)?.path ?? '';
    return inTurns(
      sorting(found, (a, b) => byName.compare(pathOf(a), pathOf(b))),
      turn,
    );
  }

  *#matching(
    keys: readonly string[],
    wanted: readonly string[] | null,
    outcome: HistoryFilter['outcome'],
  ): Steps<string[]> {
    const found: string[] = [];
    for (const [at, id] of keys.entries()) {
      const known = this.#known.get(id);
      if (known !== undefined && endedAs(known.phase, outcome) && hasAll(known.text, wanted)) found.push(id);
      if (at % FOUND_AT_ONCE === FOUND_AT_ONCE - 1) yield;
    }
    return found;
  }

  /** Takes over what is new or changed, and forgets what is finished no more. Answers the finished ones, the oldest first. */
  async #read(): Promise<string[]> {
    const since = Math.min(this.#newest, Date.now()) - SLACK_MS;
    const [keys, lately] = await Promise.all([
      inIndex(db.jobs, 'completed_at').primaryKeys(),
      this.#known.size === 0 ? [] : db.jobs.where('updated_at').above(since).primaryKeys(),
    ]);
    const changed = new Set(lately);
    if (keys.length > this.#known.size + SWEPT) await this.#sweep(keys.length);
    const wanted = keys.filter((id) => changed.has(id) || !this.#known.has(id));
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      for (const row of await db.jobs.bulkGet(wanted.slice(at, at + AT_ONCE))) if (row !== undefined) this.#take(row);
      await turn();
    }
    if (this.#known.size > keys.length) {
      const kept = new Set(keys);
      for (const id of this.#known.keys()) if (!kept.has(id)) this.#known.delete(id);
    }
    return keys;
  }

  /** Reads all in the order of the index, which is several times as fast as each by its key. */
  async #sweep(all: number): Promise<void> {
    try {
      let from: number | null = null;
      for (let read = 0; ;) {
        const rows: Job[] = await pieceFrom(from);
        for (const row of rows) this.#take(row);
        const last = rows.at(-1)?.completed_at ?? null;
        // What more there is of one moment than a piece holds is read by its keys.
        if (rows.length < AT_ONCE || last === null) return;
        from = last === from ? last + 1 : last;
        read += rows.length;
        this.#say({ read: Math.min(read, all), of: all });
        await turn();
      }
    } finally {
      this.#say(null);
    }
  }

  #take(job: Job): void {
    this.#newest = Math.max(this.#newest, job.updated_at);
    const { phase, path } = job;
    const words = [path, job.error_message, ...(laneOf(job)?.rows?.words(job) ?? [])];
    // A word has no blank, so that it is in the whole exactly where it is in one of them.
    const text = words.flatMap((one) => (one ? [foldText(one)] : [])).join(' ');
    this.#known.set(job.id, { phase, path, text });
  }

  #say(reading: HistoryReading | null): void {
    for (const heard of this.#heard) heard(reading);
  }
}

/** Of this page. */
export const historyIndex = new HistoryIndex();

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const turn = (): Promise<void> => db.rest();

function pieceFrom(completed_at: number | null): Promise<Job[]> {
  const rows =
    completed_at === null ? inIndex(db.jobs, 'completed_at') : db.jobs.where('completed_at').aboveOrEqual(completed_at);
  return rows.limit(AT_ONCE).toArray();
}

function endedAs(phase: JobPhase, outcome: HistoryFilter['outcome']): boolean {
  if (outcome === 'all') return true;
  return phase === (outcome === 'available' ? 'published' : outcome);
}

const hasAll = (text: string, wanted: readonly string[] | null): boolean =>
  wanted === null || (wanted.length > 0 && wanted.every((word) => text.includes(word)));
