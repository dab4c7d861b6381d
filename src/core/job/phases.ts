/**
 * The phases of a job: what the specification's status is in each, and which facts are known by then. The types of a job
 * and the check of stored rows are made of this table.
 *
 *   PENDING          queued
 *   PROCESSING       probing -> grouping -> searching -> thinking (the agent works on its doubt)
 *   AWAITING_REVIEW  review
 *   CONVERTING       approved -> converting -> waiting (in the outbox) -> publishing
 *   COMPLETED        published | duplicate
 *   FAILED           failed | cancelled
 *
 * Which event leads from which phase to which other one: `transitions.ts`.
 */
/** The specification's statuses, section 5. */
export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING', 'COMPLETED', 'FAILED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Facts that a decision leaves. */
const DECISION = ['matched_track_id', 'match_confidence', 'match_source', 'matched_title'] as const;
/** Facts that a conversion leaves. */
const OUTPUT = ['output_sha256', 'output_size', 'output_duration_ms'] as const;

export const PHASES = {
  queued: { status: 'PENDING', knows: ['sha256'] },
  probing: { status: 'PROCESSING', knows: ['sha256'] },
  grouping: { status: 'PROCESSING', knows: ['sha256', 'evidence'] },
  searching: { status: 'PROCESSING', knows: ['sha256', 'evidence'] },
  thinking: { status: 'PROCESSING', knows: ['sha256', 'evidence'] },
  review: { status: 'AWAITING_REVIEW', knows: ['sha256', 'evidence'] },
  approved: { status: 'CONVERTING', knows: ['sha256', ...DECISION] },
  converting: { status: 'CONVERTING', knows: ['sha256', ...DECISION] },
  // One that was taken over from another workstation as a file has no original here.
  waiting: { status: 'CONVERTING', knows: [...DECISION, ...OUTPUT] },
  publishing: { status: 'CONVERTING', knows: [...DECISION, ...OUTPUT] },
  published: { status: 'COMPLETED', knows: ['matched_track_id', 'completed_at'] },
  duplicate: { status: 'COMPLETED', knows: ['duplicate_of', 'duplicate_reason', 'completed_at'] },
  failed: { status: 'FAILED', knows: ['failure', 'error_message', 'completed_at'] },
  cancelled: { status: 'FAILED', knows: ['failure', 'error_message', 'completed_at'] },
} as const satisfies Record<string, { status: JobStatus; knows: readonly string[] }>;

export type JobPhase = keyof typeof PHASES;
export const JOB_PHASES = Object.keys(PHASES) as JobPhase[];

/** Matched, and not decided yet. */
export const UNDECIDED = ['grouping', 'searching', 'thinking', 'review'] as const satisfies readonly JobPhase[];
/** Decided, and not published yet. */
export const DECIDED = ['approved', 'converting', 'waiting', 'publishing'] as const satisfies readonly JobPhase[];
export const FINISHED = ['published', 'duplicate', 'failed', 'cancelled'] as const satisfies readonly JobPhase[];
/** Everything that can still be cancelled, fail or turn out to be a duplicate. */
export const UNFINISHED = JOB_PHASES.filter((phase) => !isOneOf(FINISHED, phase));

/** Whether a phase is one of these. */
export function isOneOf<P extends JobPhase>(phases: readonly P[], phase: JobPhase): phase is P {
  return (phases as readonly JobPhase[]).includes(phase);
}
