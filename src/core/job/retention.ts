/**
 * What of the stored files is still needed, until when, and why. Nothing that is not published is ever given up: an
 * original stays until the server accepted its result, and then for the days that the person set.
 */
import type { OutboxItem } from '../sync/outbox-item.ts';
import type { Batch, Job } from './job.ts';

/** A file that nothing unpublished needs, and when it goes. */
export interface DatedFile {
  sha256: string;
  /** Name of the file, or of the first of those that have this content. */
  name: string;
  job_ids: string[];
  /** Milliseconds since the epoch: the last of its results was published, and the file is freed. */
  published_at: number;
  frees_at: number;
}

type Blobs = Pick<Job, 'sha256' | 'cover_sha256' | 'cover_chosen' | 'output_sha256'>;
type JobFacts = Pick<Job, 'id' | 'completed_at' | 'duplicate_of' | 'original_filename' | 'temp_file_path'> & Blobs;

/** Rows come in one by one, in any order; what is kept of each is small. */
export class Retention {
  /** Must stay, whatever the date. */
  readonly #needed = new Set<string>();
  readonly #finished: JobFacts[] = [];
  /** Jobs that are not published yet. */
  readonly #open = new Set<string>();

  job(job: JobFacts & Pick<Job, 'status'>): void {
    if (job.status === 'COMPLETED' && job.completed_at !== null) {
      const { id, completed_at, duplicate_of, original_filename, temp_file_path } = job;
      const { sha256, cover_sha256, cover_chosen = null, output_sha256 } = job;
      const facts = { id, completed_at, duplicate_of, original_filename, temp_file_path };
      this.#finished.push({ ...facts, sha256, cover_sha256, cover_chosen, output_sha256 });
      return;
    }
    this.#open.add(job.id);
    this.#needAll(job);
  }

  outbox({ blob_sha256 }: Pick<OutboxItem, 'blob_sha256'>): void {
    if (blob_sha256 !== null) this.#needed.add(blob_sha256);
  }

  batch({ archives, companions }: Pick<Batch, 'archives' | 'companions'>): void {
    for (const archive of archives)
      if (!archive.done || archive.waiting !== undefined) this.#needed.add(archive.sha256);
    for (const { sha256 } of companions) if (sha256 !== null) this.#needed.add(sha256);
  }

  /** Once all rows are in. `keepMs`: how long originals stay after publishing. `dated` comes in the order of its dates. */
  plan(keepMs: number): { needed: ReadonlySet<string>; dated: DatedFile[] } {
    const dated = new Map<string, DatedFile>();
    for (const job of this.#finished) {
      // A duplicate is no result of its own: while what it repeats may fail, its file may be wanted instead.
      if (job.duplicate_of !== null && this.#open.has(job.duplicate_of)) this.#needAll({ ...job, output_sha256: null });
    }
    for (const job of this.#finished) {
      for (const sha256 of [job.sha256, job.cover_sha256, job.cover_chosen?.sha256 ?? null]) {
        if (sha256 === null || this.#needed.has(sha256)) continue;
        const at = job.completed_at ?? 0;
        const before = dated.get(sha256);
        const published_at = Math.max(before?.published_at ?? at, at);
        dated.set(sha256, {
          sha256,
          name: before?.name ?? job.original_filename,
          job_ids: [...(before?.job_ids ?? []), job.id],
          published_at,
          frees_at: published_at + keepMs,
        });
      }
    }
    const order = [...dated.values()].sort((a, b) => a.frees_at - b.frees_at || (a.name < b.name ? -1 : 1));
    return { needed: this.#needed, dated: order };
  }

  #needAll({ sha256, cover_sha256, cover_chosen, output_sha256 }: Blobs): void {
    for (const one of [sha256, cover_sha256, cover_chosen?.sha256 ?? null, output_sha256])
      if (one !== null) this.#needed.add(one);
  }
}
