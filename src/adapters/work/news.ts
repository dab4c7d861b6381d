/** What people and commits did, taken over into the worker's rows: as an answer or a cancel in the app would be. */
import { answerEvents, answerSentence } from '#core/job/answer-events.ts';
import type { Review } from '#core/job/review.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { WorkNews } from '#core/sync/work-protocol.ts';
import type { WorkRows } from './rows.ts';

/** Answers whether anything was new, and which answers could not be used (their reason is in the jobs' logs). */
export function takeNews(rows: WorkRows, news: WorkNews, index: CatalogIndex | null, now: number): boolean {
  let changed = false;
  for (const id of news.cancelled) changed = takeCancelled(rows, id, now) || changed;
  for (const one of news.published) changed = takePublished(rows, one, now) || changed;
  if (index === null) return changed;
  for (const answer of news.answers) {
    const review = rows.review(answer.review_id);
    if (!review || review.resolved_at !== null) continue;
    changed = true;
    takeAnswer(rows, review, answer.selected_option, answer.resolved_by_user_id, index, now);
  }
  return changed;
}

function takeCancelled(rows: WorkRows, id: string, now: number): boolean {
  const archive = rows.archives().find((one) => one.job.id === id);
  if (archive && archive.error === null) {
    rows.changeArchive(id, { unpacked: true, error: 'cancelled' });
    return true;
  }
  const job = rows.job(id);
  if (!job || job.status === 'FAILED' || job.phase === 'published') return false;
  // The line about it stands in the log already: the server wrote it.
  rows.patch(id, { status: 'FAILED', phase: 'cancelled', error_message: 'cancelled', completed_at: now, progress: 0 });
  withdraw(rows, now);
  return true;
}

/** Questions that no open job has any more. */
function withdraw(rows: WorkRows, now: number): void {
  for (const review of rows.reviews()) {
    if (review.resolved_at !== null) continue;
    const open = review.job_ids.some((id) => rows.job(id)?.phase === 'review');
    if (!open) rows.putReview({ ...review, resolved_at: now, selected_option: 'withdrawn' });
  }
}

/** A commit whose answer was lost on the way, of this worker or the one before. */
function takePublished(rows: WorkRows, one: WorkNews['published'][number], now: number): boolean {
  const job = rows.job(one.job_id);
  if (!job || job.phase === 'published') return false;
  rows.patch(one.job_id, {
    status: 'COMPLETED',
    phase: 'published',
    sync: 'published',
    output_file_path: one.output_file_path,
    completed_at: now,
    failure: null,
    error_message: null,
    progress: 1,
  });
  rows.log(one.job_id, [
    { step_type: 'Action', content: `Published as "${one.output_file_path ?? ''}"; the track is available` },
  ]);
  return true;
}

function takeAnswer(
  rows: WorkRows,
  review: Review,
  option: string,
  by: string | null,
  index: CatalogIndex,
  now: number,
): void {
  const jobs = review.job_ids.flatMap((id) => rows.job(id) ?? []);
  const events = answerEvents(review, option, {
    target(id) {
      const track = index.track(id);
      if (!track) return null;
      const album = index.album(track.album_id)?.title ?? '';
      return { track_id: track.id, title: track.title, album_id: track.album_id, album };
    },
    hasAlbum: (id) => index.album(id) !== null,
    jobs,
  });
  rows.putReview({ ...review, resolved_at: now, resolved_by_user_id: by, selected_option: option });
  const label = review.options.find((one) => one.id === option)?.label ?? option;
  const said = {
    step_type: 'ReviewAnswer' as const,
    content: answerSentence(option, label),
    metadata: { selected_option: option, by },
  };
  for (const job of jobs) {
    if (!events.ok) {
      // What was chosen is gone from the catalog: it is asked again.
      const why = { step_type: 'Error' as const, content: events.failure.message };
      rows.apply(job.id, { type: 'rematch' }, { before: [said, why] });
      continue;
    }
    const { event, patch } = events.value(job.id);
    rows.apply(job.id, event, { before: [said], patch: { hold: false, ...patch } });
  }
  rows.batch = { ...rows.batch, rematch: true };
}
