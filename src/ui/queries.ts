/** Reads over IndexedDB that more than one page needs. */
import { isFinished, type Batch, type Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { CatalogHits } from '#adapters/browser/api.ts';
import type { DownloadRequest, Track } from '#core/music/catalog.ts';
import { db, keysOfAny, rowsOfAny } from './db.ts';
import { IN_ORDER } from './groups.ts';
import { JobRows } from './job-rows.ts';

export const ACTIVE_STATUSES = ['PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING'] as const;

/** By arrival, and what arrived in one moment by name: ids say nothing of either. */
function byArrival<T extends { created_at: number; id: string }>(nameOf: (row: T) => string): (a: T, b: T) => number {
  return (a, b) => a.created_at - b.created_at || IN_ORDER.compare(nameOf(a), nameOf(b)) || (a.id < b.id ? -1 : 1);
}
const jobsInOrder = byArrival<Job>(({ path }) => path);
const reviewsInOrder = byArrival<Review>(({ files }) => files[0]?.name ?? '');

/** Open questions. `resolved_at: null` is in no index, so: all keys less the resolved ones. */
export async function pendingReviews(): Promise<Review[]> {
  const [all, resolved] = await Promise.all([
    db.reviews.toCollection().primaryKeys(),
    db.reviews.orderBy('resolved_at').primaryKeys(),
  ]);
  const closed = new Set(resolved);
  const rows = await db.reviews.bulkGet(all.filter((id) => !closed.has(id)));
  return rows.filter((row): row is Review => row !== undefined && row.resolved_at === null).sort(reviewsInOrder);
}

/** The unfinished jobs, and all that belongs to the same batches, for counts like 9 of 17. */
export interface Board {
  batches: Batch[];
  /** Every job of those batches, finished ones too. */
  jobs: Job[];
}

/** Every job of a drop, as a query that knows what it read before. */
export function jobsOfBatch(batchId: string): () => Promise<Job[]> {
  const rows = new JobRows();
  return async () => {
    const ids = await db.jobs.where('batch_id').equals(batchId).primaryKeys();
    await rows.refresh(ids);
    rows.keep(ids);
    return rows.of(ids).sort(jobsInOrder);
  };
}

/**
 * What is under way, and the `limit` jobs that finished last, newest first, each with their batches. Both are made of the
 * same rows: a job that ends stands in the one or in the other, never in both and never in none.
 */
export function dashboard(limit: number): () => Promise<{ active: Board; recent: Board }> {
  const rows = new JobRows();
  let drawn = new Map<string, { batch: Batch; text: string }>();
  return async () => {
    const [active, staging] = await Promise.all([
      keysOfAny(db.jobs, 'status', ACTIVE_STATUSES),
      db.batches.where('state').equals('staging').primaryKeys(),
    ]);
    await rows.refresh(active);
    const drops = [...new Set([...batchIds(rows.of(active)), ...staging])];
    const [all, finished] = await Promise.all([
      keysOfAny(db.jobs, 'batch_id', drops),
      db.jobs.orderBy('completed_at').reverse().limit(limit).primaryKeys(),
    ]);
    const ids = new Set([...active, ...all, ...finished]);
    const read = new Set(active);
    await rows.refresh([...ids].filter((id) => !read.has(id)));
    rows.keep(ids);
    const jobs = rows.of(all).sort(jobsInOrder);
    const recent = rows
      .of([...new Set([...finished, ...active])])
      .filter(isFinished)
      .sort((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))
      .slice(0, limit);
    const batches = await db.batches.bulkGet([...new Set([...drops, ...batchIds(recent)])]);
    // As with the jobs, one that did not change stays the same object.
    const known = new Map<string, { batch: Batch; text: string }>();
    for (const batch of batches) {
      if (batch === undefined) continue;
      const text = JSON.stringify(batch);
      const before = drawn.get(batch.id);
      known.set(batch.id, before?.text === text ? before : { batch, text });
    }
    drawn = known;
    const pick = (wanted: readonly string[]): Batch[] => wanted.flatMap((id) => known.get(id)?.batch ?? []);
    return { active: { batches: pick(drops), jobs }, recent: { batches: pick(batchIds(recent)), jobs: recent } };
  };
}

const batchIds = (jobs: readonly Job[]): string[] => [...new Set(jobs.map((job) => job.batch_id))];

/** A pending download request with the words a person knows it by. */
export interface NamedRequest {
  id: string;
  title: string;
  artist: string;
  /** Tracks that it still wants. */
  missing: number;
}

export async function pendingRequests(): Promise<NamedRequest[]> {
  const rows = await db.requests.where('status').equals('pending').sortBy('created_at');
  return Promise.all(rows.map(nameRequest));
}

async function nameRequest(request: DownloadRequest): Promise<NamedRequest> {
  const track = request.track_id === null ? undefined : await db.tracks.get(request.track_id);
  if (track !== undefined) {
    return {
      id: request.id,
      title: track.title,
      artist: track.artist,
      missing: track.availability === 'missing' ? 1 : 0,
    };
  }
  const album = request.album_id === null ? undefined : await db.albums.get(request.album_id);
  if (album === undefined) return { id: request.id, title: `Request ${request.id}`, artist: '', missing: 0 };
  const tracks = await db.tracks.where('album_id').equals(album.id).toArray();
  const missing = tracks.filter((row) => row.availability === 'missing').length;
  return { id: request.id, title: album.title, artist: album.artist, missing };
}

export type Found = Pick<CatalogHits, 'albums' | 'tracks'>;

/** The album or track with exactly this id; `album:` and `track:` may stand before it. */
export async function entriesById(text: string): Promise<Found> {
  const id = text.trim().replace(/^(album|track):/, '');
  const [album, track] = await Promise.all([db.albums.get(id), db.tracks.get(id)]);
  const on = track === undefined ? undefined : await db.albums.get(track.album_id);
  return {
    albums: album === undefined ? [] : [album],
    tracks: track === undefined ? [] : [{ ...track, album: on?.title ?? '' }],
  };
}

/** Tracks of the albums in playing order, for the side-by-side table. */
export async function tracksOfAlbums(ids: readonly string[]): Promise<Map<string, Track[]>> {
  const rows = await rowsOfAny(db.tracks, 'album_id', ids);
  const order = (a: Track, b: Track): number => a.disc - b.disc || a.position - b.position;
  return new Map(ids.map((id) => [id, rows.filter((row) => row.album_id === id).sort(order)]));
}

export interface HistoryFilter {
  /** `all`, or one way of ending. */
  outcome: 'all' | 'available' | 'duplicate' | 'failed' | 'cancelled';
  text: string;
}

/** Finished jobs, newest first, `skip` left out and at most `limit`; and how many there are in all. */
export async function finishedJobs(
  filter: HistoryFilter,
  skip: number,
  limit: number,
): Promise<{ jobs: Job[]; total: number }> {
  const wanted = filter.text.trim().toLowerCase();
  const finished = db.jobs.orderBy('completed_at').reverse();
  if (filter.outcome === 'all' && wanted === '') {
    const [total, jobs] = await Promise.all([
      db.jobs.orderBy('completed_at').count(),
      finished.offset(skip).limit(limit).toArray(),
    ]);
    return { jobs, total };
  }
  const ids: string[] = [];
  await finished.each((job) => {
    if (ended(job, filter.outcome) && says(job, wanted)) ids.push(job.id);
  });
  const rows = await db.jobs.bulkGet(ids.slice(skip, skip + limit));
  return { jobs: rows.filter((row) => row !== undefined), total: ids.length };
}

function ended(job: Job, outcome: HistoryFilter['outcome']): boolean {
  if (outcome === 'all') return true;
  return job.phase === (outcome === 'available' ? 'published' : outcome);
}

function says(job: Job, text: string): boolean {
  if (text === '') return true;
  const tags = job.evidence?.tags;
  return [job.path, job.matched_title, job.matched_album, tags?.artist, tags?.album, job.error_message].some((part) =>
    part?.toLowerCase().includes(text),
  );
}
