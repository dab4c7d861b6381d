import type { Ids } from '#core/ports.ts';
import type { Batch } from '#core/job/job.ts';
import type { Question } from './questions.ts';
import type { ReviewAdvice } from '#core/job/review.ts';
import { proposedOf } from './track-questions.ts';
import type { MusicReview } from '../types.ts';

/** The question as a person gets it; `advice` is what the agent would choose, where it was asked. */
export function makeReview(
  question: Question,
  advice: ReviewAdvice | null,
  about: { batch: Batch; now: number; ids: Ids },
): MusicReview {
  const { group, items, text, options } = question;
  const { album, artist, year } = group.detected;
  const ids = items.map(({ job }) => job.id);
  return {
    schema_version: 1,
    id: about.ids.next(),
    kind: question.kind,
    ...(text.variant === undefined ? {} : { variant: text.variant }),
    job_id: ids[0] ?? '',
    job_ids: ids,
    batch_id: about.batch.id,
    group_id: group.group_id,
    question: text.question,
    reasoning: text.reasoning,
    options,
    ...(advice === null ? {} : { advice }),
    detected: { album, artist, year, title: items.length === 1 ? (items[0]?.file.detected.title ?? null) : null },
    files: items.map(({ job, file }) => ({
      job_id: job.id,
      name: job.original_filename,
      title: file.detected.title,
      disc: file.detected.disc,
      position: file.detected.position,
      duration_ms: job.duration_ms,
      ...(question.kind === 'tracks' ? { proposed: proposedOf(file) } : {}),
      ...(question.kind === 'replace' ? { replaces: file.track_id } : {}),
    })),
    created_at: about.now,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  };
}

type Asked = Pick<MusicReview, 'kind' | 'job_ids' | 'files'>;

/**
 * The same kind about the same files; of kind `tracks` and `replace`, about the same tracks (REVIEW-25): `accept` and
 * `replace` name none, so an answer about other tracks must not find a question that it fits.
 */
export function sameQuestion(a: Asked, b: Asked): boolean {
  return a.kind === b.kind && setOf(a.job_ids) === setOf(b.job_ids) && setOf(proposals(a)) === setOf(proposals(b));
}

/** And nothing that a person would notice has changed. */
export function sameOptions(a: MusicReview, b: MusicReview): boolean {
  return (
    setOf(a.options.map((one) => one.id)) === setOf(b.options.map((one) => one.id)) &&
    a.question === b.question &&
    JSON.stringify(tables(a)) === JSON.stringify(tables(b)) &&
    JSON.stringify(a.advice ?? null) === JSON.stringify(b.advice ?? null)
  );
}

function proposals({ files }: Pick<MusicReview, 'files'>): string[] {
  return files.flatMap((file) => {
    const track = file.proposed?.track_id ?? file.replaces;
    return track ? [`${file.job_id} ${track}`] : [];
  });
}

/** The track that each file would be on each album, whatever the order of both. */
function tables({ options }: MusicReview): string[] {
  return options
    .flatMap(({ id, album }) =>
      (album?.pairs ?? []).map(({ file_id, track_id }) => `${id} ${file_id} ${track_id ?? 'none'}`),
    )
    .sort();
}

function setOf(ids: readonly string[]): string {
  return [...ids].sort().join('\n');
}
