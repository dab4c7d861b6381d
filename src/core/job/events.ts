/** What can happen to a job. Every write of a job's row is one of these events, applied by `apply.ts`. */
import type { Failure } from '../errors.ts';
import type { AgentFinding, ChosenCover, JobFields, LaneTypes, MatchSource, StepDraft } from './job.ts';
import { DECIDED, JOB_PHASES, UNDECIDED, UNFINISHED, type JobPhase } from './phases.ts';
import type { Reason } from './reason.ts';
import type { Target } from './target.ts';

/** What a probe found. */
export interface ProbedFacts<L extends LaneTypes = LaneTypes> {
  evidence: L['evidence'];
  codec: string;
  /** Bits per second. */
  bitrate: number | null;
  /** Hz. */
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  cover_sha256: string | null;
  cover_mime: string | null;
  /** CUE sheet that was found inside it. */
  cue?: string | null;
  /** What the log says of it. */
  steps?: readonly StepDraft[];
}

export type JobEvent<L extends LaneTypes = LaneTypes> =
  | { type: 'probe' }
  | { type: 'probed'; facts: ProbedFacts<L> }
  /** What reads or converts files is not here and cannot be fetched now. */
  | { type: 'unprobed'; why: string }
  /** Its file is several: this row goes on as the first of them, beside new rows for the others. */
  | {
      type: 'split';
      segment: L['segment'];
      part: Pick<JobFields, 'path' | 'original_filename' | 'file_size_bytes'>;
      steps: readonly StepDraft[];
    }
  /** What lay beside or inside the file was read: it stays whole, and more may be known of it. */
  | { type: 'described'; evidence: L['evidence']; why: string; metadata?: Record<string, unknown> }
  | { type: 'grouped'; group_id: string }
  | { type: 'searching' }
  /** The agent is asked; its steps come from its workflow. */
  | { type: 'thinking'; match: L['match'] | null }
  /** The workflow that the job leads is at another state. */
  | { type: 'workflow'; workflow: string | null; steps?: readonly StepDraft[] }
  /** The agent answered, or failed to: the file is matched again with what it found. */
  | { type: 'agent'; finding: AgentFinding; steps?: readonly StepDraft[] }
  /** What the agent said is of no interest any more: it is asked again. */
  | { type: 'forgotten' }
  | {
      type: 'approved';
      target: Target;
      match: L['match'] | null;
      confidence: number;
      source: MatchSource;
      why: string;
      reasons: Reason[];
      /** A person said that the track's present audio may be replaced. */
      replace?: true;
    }
  | { type: 'asked'; match: L['match'] | null; question: string; options: { label: string; confidence: number }[] }
  | { type: 'rejected'; why: string; match?: L['match'] | null }
  /** `freed`: it was never stored, because what it repeats is. */
  | { type: 'duplicate'; of: string; reason: string; match?: L['match'] | null; freed?: true }
  /** `why`: the line of the log, where there is a better one. */
  | { type: 'converting'; why?: string }
  | {
      type: 'converted';
      sha256: string;
      size: number;
      duration_ms: number;
      conversion_reason: string;
      verified: string[];
    }
  /** Decided and converted at another workstation, and taken over from there as a file. */
  | {
      type: 'imported';
      target: Pick<Target, 'track_id' | 'title'> & { album_id: string | null; album: string | null };
      confidence: number;
      source: MatchSource;
      output: { sha256: string; size: number; duration_ms: number };
    }
  /** `waitsFor`: what has to come before it is tried again, in a sentence. */
  | { type: 'unconverted'; why: string; waitsFor?: string }
  /** Its result waits in the outbox; `share` 0..1 of it is sent. */
  | { type: 'sending'; share: number }
  | { type: 'publishing'; share: number }
  | { type: 'published'; output_file_path: string | null; track_id?: string; step: StepDraft }
  /** Who was working on it is gone: it goes back one step. */
  | { type: 'interrupted'; why: string }
  | { type: 'failed'; failure: Failure }
  /**
   * `logged`: the log says so already, where it was cancelled at the server. `elsewhere`: on another device, before it was
   * known there that it is a duplicate, which nobody can cancel here.
   */
  | { type: 'cancelled'; logged?: true; elsewhere?: true }
  | { type: 'retried' }
  | { type: 'undone' }
  /** What it was a duplicate of will not be published after all. */
  | { type: 'released' }
  /** It was published, and the server has lost it (SYNC-28). */
  | { type: 'lost' }
  /** A person answered, or took an answer back (`undo`): the file is matched again with what they said. */
  | { type: 'rematch'; undo?: true }
  | { type: 'paused'; paused: boolean }
  /** The stored original is gone, because nothing needs it any more. */
  | { type: 'freed' }
  /** A person chose the cover of what is published; null: the file's own again. */
  | { type: 'covered'; cover: ChosenCover | null }
  /** The cover that was found in the file is not here any more. */
  | { type: 'uncovered' }
  /** Nothing but lines of the log. */
  | { type: 'noted'; steps: readonly StepDraft[] };

export type JobEventType = JobEvent['type'];

/** From which phases an event leads to which; `same`: the phase stays. Drawn in `transitions.ts`. */
export const ARROWS: Record<JobEventType, readonly { from: readonly JobPhase[]; to: readonly JobPhase[] | 'same' }[]> =
  {
    probe: [{ from: ['queued'], to: ['probing'] }],
    probed: [{ from: ['probing'], to: ['grouping'] }],
    unprobed: [{ from: ['probing'], to: ['queued'] }],
    split: [{ from: ['grouping'], to: ['queued'] }],
    described: [{ from: ['grouping'], to: 'same' }],
    grouped: [{ from: UNFINISHED, to: 'same' }],
    searching: [{ from: ['grouping'], to: ['searching'] }],
    thinking: [{ from: ['grouping', 'searching', 'review'], to: ['thinking'] }],
    workflow: [{ from: JOB_PHASES, to: 'same' }],
    agent: [{ from: ['thinking'], to: ['grouping'] }],
    forgotten: [{ from: UNDECIDED, to: 'same' }],
    approved: [{ from: UNDECIDED, to: ['approved'] }],
    asked: [{ from: UNDECIDED, to: ['review'] }],
    rejected: [{ from: ['searching', 'thinking', 'review'], to: ['failed'] }],
    duplicate: [{ from: UNFINISHED, to: ['duplicate'] }],
    converting: [{ from: ['approved'], to: ['converting'] }],
    converted: [{ from: ['converting'], to: ['waiting'] }],
    imported: [{ from: ['queued'], to: ['waiting'] }],
    // One without an original here cannot be converted again.
    unconverted: [{ from: DECIDED, to: ['approved', 'failed'] }],
    sending: [{ from: ['waiting', 'publishing'], to: ['waiting'] }],
    publishing: [{ from: ['waiting', 'publishing'], to: ['publishing'] }],
    // By a commit whose answer was lost, too: the server's word counts, whatever is known here.
    published: [{ from: [...UNFINISHED, 'duplicate', 'failed', 'cancelled'], to: ['published'] }],
    interrupted: [
      { from: ['probing'], to: ['queued'] },
      { from: ['searching'], to: ['grouping'] },
      { from: ['converting'], to: ['approved'] },
      { from: ['publishing'], to: ['waiting'] },
    ],
    // A duplicate fails with the file that it has the content of.
    failed: [{ from: [...UNFINISHED, 'duplicate'], to: ['failed'] }],
    cancelled: [{ from: [...UNFINISHED, 'duplicate'], to: ['cancelled'] }],
    retried: [{ from: ['failed', 'cancelled'], to: ['queued', 'approved'] }],
    undone: [{ from: [...DECIDED.filter((phase) => phase !== 'publishing'), 'duplicate', 'failed'], to: ['review'] }],
    released: [{ from: ['duplicate'], to: ['grouping'] }],
    lost: [{ from: ['published'], to: ['approved'] }],
    // From `grouping` only to take an answer back that has not led anywhere yet.
    rematch: [{ from: UNDECIDED, to: ['grouping'] }],
    paused: [{ from: ['approved', 'converting'], to: 'same' }],
    freed: [{ from: JOB_PHASES, to: 'same' }],
    // What is converted already has its cover.
    covered: [{ from: [...UNDECIDED, 'approved'], to: 'same' }],
    uncovered: [{ from: JOB_PHASES, to: 'same' }],
    noted: [{ from: JOB_PHASES, to: 'same' }],
  };
