/** A parcel's way: its street is read, its shelf is known from an earlier answer or asked, and then it is on its shelf. */
import { failure } from '#core/errors.ts';
import type { JobEvent } from '#core/job/events.ts';
import type { Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { Ids, Clock } from '#core/ports.ts';
import { fail, ok } from '#core/result.ts';
import type { BatchPlan, LaneRun, QuestionDraft } from '#core/run/lane-run.ts';
import type { ParcelReviewTypes, ParcelTypes } from './types.ts';

export const SHELVES = ['A1', 'B2'] as const;

export interface ParcelPorts {
  ids: Ids;
  clock: Clock;
  /** Text of a stored file. Throws AccessionError `blob_missing`. */
  read(sha256: string): Promise<string>;
}

interface Facts {
  batchId: string;
  jobs: readonly Job<ParcelTypes>[];
  /** By street. */
  shelves: ReadonlyMap<string, string>;
  open: readonly Review<ParcelReviewTypes>[];
}

export function createParcelRun({ ids, clock, read }: ParcelPorts): LaneRun<ParcelTypes> {
  return {
    id: 'parcels',

    async probe(job) {
      const street = /^to:(.*)$/m.exec(await read(job.sha256))?.[1]?.trim();
      const { id, path, original_filename: name } = job;
      if (!street) return fail(failure('file_unreadable', `"${name}" names no street.`, { subject: name }));
      const unknown = { bitrate: null, sample_rate: null, channels: null, cover_sha256: null, cover_mime: null };
      const evidence = { file_id: id, path, duration_ms: null, street };
      return ok({ type: 'probed', facts: { ...unknown, evidence, codec: 'parcel', lossless: true } });
    },

    isReady: () => Promise.resolve(true),
    async readFacts(rows, batch, jobs): Promise<Facts> {
      const streets = new Set(jobs.flatMap((job) => job.evidence?.street ?? []));
      const shelves = new Map<string, string>();
      for (const street of streets) {
        const shelf = await rows.lanes.parcels.shelfOf(street);
        if (shelf !== null) shelves.set(street, shelf);
      }
      const asked = await rows.reviewsOfBatch(batch.id);
      return { batchId: batch.id, jobs, shelves, open: asked.filter((review) => review.resolved_at === null) };
    },
    decide(given) {
      const { batchId, jobs, shelves, open } = given as Facts;
      const plan: BatchPlan<ParcelTypes> = { events: [], reviews: [], withdrawn: [], groups: [], doubts: [] };
      for (const job of jobs) {
        if (job.phase !== 'searching' && job.phase !== 'review') continue;
        const shelf = shelves.get(job.evidence.street);
        const known = open.find((review) => review.job_id === job.id);
        if (shelf !== undefined && !job.hold) {
          plan.events.push({ job_id: job.id, event: placed(shelf, 'AGENT'), before: [] });
          if (known) plan.withdrawn.push(known.id);
        } else if (!known) {
          const draft = questionAbout(job);
          const options = draft.options.map(({ label, confidence }) => ({ label, confidence }));
          const event = { type: 'asked', match: null, question: draft.question, options } as const;
          plan.events.push({ job_id: job.id, event, before: [] });
          plan.reviews.push({
            ...{ ...draft, schema_version: 1, id: ids.next(), lane: 'parcels', batch_id: batchId, group_id: null },
            ...{ job_id: job.id, job_ids: [job.id], created_at: clock.now() },
            ...{ resolved_at: null, resolved_by_user_id: null, selected_option: null },
          });
        }
      }
      return plan;
    },

    readAnswer: () => Promise.resolve(null),
    answerEvents(_review, option) {
      const shelf = SHELVES.find((one) => option === `shelf:${one}`);
      if (shelf !== undefined) return ok(() => placed(shelf, 'HUMAN_REVIEW'));
      if (option === 'none') return ok(() => ({ type: 'rejected', why: 'it goes on no shelf' }));
      return fail(failure('invalid', `There is no shelf "${option}".`));
    },
    ownOption: (_review, _jobId, option) => option,
    async onAnswered(rows, _context, { after }) {
      if (after?.phase !== 'approved' || after.evidence === null) return;
      await rows.lanes.parcels.keep({ street: after.evidence.street, shelf: after.matched_track_id });
    },
    questionAbout,
    questionLeft: (review) => review,
    conflictQuestion: questionAbout,

    finish: (job) => {
      const step = { step_type: 'Action', content: `On shelf ${job.matched_track_id}` } as const;
      return Promise.resolve(ok<JobEvent<ParcelTypes>>({ type: 'published', output_file_path: null, step }));
    },
  };
}

function placed(shelf: string, source: 'AGENT' | 'HUMAN_REVIEW'): JobEvent<ParcelTypes> {
  const target = { track_id: shelf, title: `Shelf ${shelf}`, album_id: 'shelves', album: 'Shelves' };
  const why = source === 'AGENT' ? 'Its street has this shelf' : 'A person chose the shelf';
  return { type: 'approved', target, match: null, confidence: 1, source, why, reasons: [] };
}

function questionAbout(job: Job<ParcelTypes>): QuestionDraft<ParcelTypes> {
  const { id, original_filename: name, evidence } = job;
  const street = evidence?.street ?? '';
  return {
    kind: 'shelf',
    question: `On which shelf goes "${name}"?`,
    reasoning: `No parcel to ${street} was put on a shelf before.`,
    options: SHELVES.map((shelf) => ({ id: `shelf:${shelf}`, label: `Shelf ${shelf}`, confidence: 0.5, reasons: [] })),
    detected: { street },
    files: [{ job_id: id, name, duration_ms: null }],
  };
}
