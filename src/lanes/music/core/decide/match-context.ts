/** What the matcher is given beside the files: what people said, what was decided, where the agent would look. */
import type { MatchContext } from '../match/match.types.ts';
import { isUndecided, type Batch } from '#core/job/job.ts';
import { splitOption } from '#core/job/review.ts';
import { jobsSaid, readRows, trackOf, type RowAnswer } from '#core/job/row-answer.ts';
import type { MusicJob, MusicReview } from '../types.ts';

/** Everything that was probed and not put aside helps to recognise the album, decided files too. */
export function takesPart(job: Pick<MusicJob, 'phase' | 'status'>): boolean {
  return isUndecided(job) || job.status === 'CONVERTING' || job.phase === 'published';
}

/** What a person has said so far about the batch, and what the agent found, as the matcher takes it. */
export function matchContext(
  batch: Batch,
  jobs: readonly MusicJob[],
  reviews: readonly MusicReview[],
  request: MatchContext['request'],
): MatchContext {
  type Said = Required<Omit<MatchContext, 'request' | 'type' | 'lookAt' | 'sameEditions'>>;
  const context: Said = { chosenAlbums: [], chosenTracks: {}, rejectedAlbums: [] };
  for (const review of [...reviews].sort((a, b) => (a.resolved_at ?? 0) - (b.resolved_at ?? 0))) {
    const answer = review.selected_option;
    if (review.resolved_at === null || answer === null) continue;
    const rows = readRows(answer);
    if (rows !== null) {
      takeRows(context, review, rows);
      continue;
    }
    const [kind, id] = splitOption(answer);
    if ((kind === 'album' || kind === 'created') && id)
      context.chosenAlbums.push({ file_ids: review.job_ids, album_id: id, over: albumsOffered(review) });
    if (kind === 'track' && id) for (const job of review.job_ids) context.chosenTracks[job] = id;
    if (answer === 'accept') for (const [job, track] of acceptedTracks(review)) context.chosenTracks[job] = track;
    if (answer === 'none' && review.kind === 'album')
      context.rejectedAlbums.push({ file_ids: review.job_ids, album_ids: albumsOffered(review) });
  }
  for (const job of jobs) {
    if (!isUndecided(job) && job.matched_track_id !== null) context.chosenTracks[job.id] = job.matched_track_id;
  }
  const type = batch.context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous';
  const lookAt = findingsToContext(jobs);
  return { type, ...(request ? { request } : {}), ...context, ...(lookAt.length > 0 ? { lookAt } : {}) };
}

/** MATCH-113: the album is said of all files, so that the rest is solved around those with a word of their own. */
function takeRows(
  context: Required<Pick<MatchContext, 'chosenAlbums' | 'chosenTracks'>>,
  review: MusicReview,
  said: RowAnswer,
): void {
  if (said.album_id !== null)
    context.chosenAlbums.push({ file_ids: review.job_ids, album_id: said.album_id, over: albumsOffered(review) });
  else
    for (const [job, track] of acceptedTracks(review))
      if (said.rows[job] === undefined) context.chosenTracks[job] = track;
  for (const [job, word] of Object.entries(said.rows)) {
    const track = trackOf(word);
    if (track !== null) context.chosenTracks[job] = track;
  }
}

const albumsOffered = ({ options }: MusicReview): string[] =>
  options.flatMap((option) => (option.album ? [option.album.album_id] : []));

type LookAt = NonNullable<MatchContext['lookAt']>[number];

/**
 * AGENT-5: what the agent answered or came upon is a place to look at, nothing more. Jobs that were asked about
 * together share one entry.
 */
export function findingsToContext(jobs: readonly Pick<MusicJob, 'id' | 'phase' | 'agent'>[]): LookAt[] {
  const entries = new Map<string, LookAt>();
  for (const job of jobs) {
    const finding = job.agent;
    if (!finding || !isUndecided(job)) continue;
    const [kind, id] = splitOption(finding.answer);
    const albums = [...new Set([...(kind === 'album' && id ? [id] : []), ...finding.looked_up])];
    if (albums.length === 0) continue;
    const key = albums.join('\n');
    const known = entries.get(key);
    if (known) known.file_ids.push(job.id);
    else entries.set(key, { file_ids: [job.id], album_ids: albums });
  }
  return [...entries.values()];
}

/** REVIEW-21: what `accept` chooses, by job; files that left the question since are not among them. */
export function acceptedTracks(review: Pick<MusicReview, 'job_ids' | 'files'>): Map<string, string> {
  return new Map(
    review.files.flatMap(({ job_id, proposed }) =>
      proposed && review.job_ids.includes(job_id) ? [[job_id, proposed.track_id] as const] : [],
    ),
  );
}

/** Jobs that a person wants to be asked about one by one. */
export function askedApart(reviews: readonly MusicReview[]): Set<string> {
  return new Set([
    ...reviews.flatMap((review) => (review.selected_option === 'each' ? review.job_ids : [])),
    ...askedRows(reviews),
  ]);
}

/** MATCH-113: jobs that a person took out of an answer row by row: asked about, however sure the matcher is. */
export function askedRows(reviews: readonly MusicReview[]): Set<string> {
  return new Set(
    reviews.flatMap(({ selected_option }) => {
      const rows = readRows(selected_option ?? '');
      return rows === null ? [] : jobsSaid(rows, 'ask');
    }),
  );
}

/** What people answered about the batch's albums, a line each, for the agent (specification, use case 3). */
export function saidAbout(reviews: readonly MusicReview[]): string[] {
  return reviews.flatMap((review) => {
    if (review.resolved_at === null || review.selected_option === null) return [];
    const files = review.job_ids.length === 1 ? `"${review.files[0]?.name ?? '?'}"` : `${review.job_ids.length} files`;
    if (review.kind === 'tracks' && review.selected_option === 'accept') {
      const album = review.files.find((file) => file.proposed)?.proposed?.album ?? '?';
      return [`${files}: the tracks of "${album}" that they were taken for`];
    }
    if (review.selected_option === 'each' || readRows(review.selected_option) !== null) return [];
    const option = review.options.find((one) => one.id === review.selected_option);
    if (option) return [`${files}: "${option.label}"`];
    return review.selected_option === 'none' ? [`${files}: none of ${review.options.length} candidates`] : [];
  });
}
