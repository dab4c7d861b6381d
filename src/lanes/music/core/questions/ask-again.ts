/** Questions that are put again, or for the first time about a file that was approved without one. */
import type { Failure } from '#core/errors.ts';
import type { QuestionDraft } from '#core/run/lane-run.ts';
import type { MusicJob, MusicReview, MusicReviewFile, MusicTypes } from '../types.ts';
import { questionForFile } from './phrase.ts';
import { trackChoice } from './questions.ts';
import { replaceOptions } from './replace-question.ts';
import { pairsSentence } from './track-questions.ts';

type Draft = QuestionDraft<MusicTypes>;

/** The question about a file that had been approved without one. */
export function questionAbout(job: MusicJob): Draft {
  const { match, evidence, original_filename: name } = job;
  const text =
    match && evidence ? questionForFile(match, evidence) : { question: `Which track is "${name}"?`, reasoning: '' };
  const detected = match?.detected;
  return {
    kind: 'track',
    question: text.question,
    reasoning: text.reasoning,
    options: match?.options.map(trackChoice) ?? [],
    detected: { album: null, artist: detected?.artist ?? null, year: null, title: detected?.title ?? null },
    files: [fileOf(job, { disc: detected?.disc ?? null, position: detected?.position ?? null })],
  };
}

/** REVIEW-21: what is left of a question about several files; about one file it is the question about that. */
export function questionLeft(review: MusicReview, jobs: readonly MusicJob[]): Draft {
  const [first] = jobs;
  if (review.kind !== 'tracks' || first === undefined) return review;
  if (jobs.length === 1) return questionAbout(first);
  const files = review.files.filter((file) => jobs.some((job) => job.id === file.job_id));
  const question = review.question.replace(/^\d+/, String(files.length));
  return { ...review, question, reasoning: pairsSentence(files), files };
}

/** Another file was published for this track meanwhile. `open`: the question that others of its group are in already. */
export function conflictQuestion(job: MusicJob, open: MusicReview | null, why: Failure | null): Draft {
  const count = (open?.job_ids.length ?? 0) + 1;
  const file = { ...fileOf(job, { disc: null, position: null }), replaces: job.match?.track_id ?? null };
  return {
    kind: 'replace',
    question:
      count === 1
        ? `"${job.original_filename}": its track has audio in the catalog already. Replace it?`
        : `${count} of these tracks have audio in the catalog already. Replace it?`,
    reasoning: why?.message ?? 'Another file was published for this track in the meantime, so nothing was overwritten.',
    options: replaceOptions(),
    detected: { album: job.matched_album, artist: null, year: null, title: file.title },
    files: [...(open?.files ?? []), file],
  };
}

function fileOf(job: MusicJob, place: Pick<MusicReviewFile, 'disc' | 'position'>): MusicReviewFile {
  const { id, original_filename, duration_ms, match } = job;
  return { job_id: id, name: original_filename, title: match?.detected.title ?? null, ...place, duration_ms };
}
