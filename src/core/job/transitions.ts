/**
 * The life of a job, as pure transitions. Every arrow is one persisted write; `events.ts` has the table of them, and a
 * test compares it with this chart.
 *
 *   queued                          --probe-->       probing
 *   probing                         --probed-->      grouping
 *   probing                         --unprobed-->    queued
 *   grouping                        --split-->       queued
 *   grouping                        --described-->   same
 *   grouping                        --searching-->   searching
 *   grouping, searching, review     --thinking-->    thinking
 *   thinking                        --agent-->       grouping
 *   undecided                       --forgotten-->   same
 *   undecided                       --approved-->    approved
 *   undecided                       --asked-->       review
 *   undecided                       --rematch-->     grouping
 *   searching, thinking, review     --rejected-->    failed
 *   approved                        --converting-->  converting
 *   converting                      --converted-->   waiting
 *   queued                          --imported-->    waiting
 *   decided                         --unconverted--> approved, failed
 *   waiting, publishing             --sending-->     waiting
 *   waiting, publishing             --publishing-->  publishing
 *   unfinished                      --published-->   published
 *   duplicate, failed, cancelled    --published-->   published
 *   probing                         --interrupted--> queued
 *   searching                       --interrupted--> grouping
 *   converting                      --interrupted--> approved
 *   publishing                      --interrupted--> waiting
 *   unfinished                      --duplicate-->   duplicate
 *   unfinished                      --failed-->      failed
 *   duplicate                       --failed-->      failed
 *   unfinished                      --cancelled-->   cancelled
 *   duplicate                       --cancelled-->   cancelled
 *   failed, cancelled               --retried-->     queued, approved
 *   approved, converting, waiting   --undone-->      review
 *   duplicate, failed               --undone-->      review
 *   duplicate                       --released-->    grouping
 *   published                       --lost-->        approved
 *   approved, converting            --paused-->      same
 *   unfinished                      --grouped-->     same
 *   any                             --workflow-->    same
 *   any                             --freed-->       same
 *   undecided, approved             --covered-->     same
 *   any                             --uncovered-->   same
 *   any                             --noted-->       same
 *
 *   undecided: grouping, searching, thinking, review      decided: approved, converting, waiting, publishing
 *   unfinished: queued, probing, undecided and decided    any: all of them
 *
 * An event that does not fit the row's phase, or what is known of it, answers null: the caller read an old row and must
 * do nothing.
 */
import { failure } from '../errors.ts';
import { ARROWS, type JobEvent } from './events.ts';
import {
  canUndo,
  type AgentFinding,
  type ChosenCover,
  type Job,
  type JobFields,
  type LaneTypes,
  type MatchSource,
  type StepDraft,
} from './job.ts';
import { isOneOf, PHASES, type JobPhase } from './phases.ts';
import type { Target } from './target.ts';

export interface Transition<L extends LaneTypes = LaneTypes> {
  job: Job<L>;
  steps: readonly StepDraft[];
}

const UNDECIDED: Partial<JobFields> = {
  matched_track_id: null,
  match_confidence: null,
  match_source: null,
  matched_title: null,
  matched_album_id: null,
  matched_album: null,
  reasons: [],
};
const UNCONVERTED: Partial<JobFields> = {
  output_sha256: null,
  output_size: null,
  output_duration_ms: null,
  conversion_reason: null,
  sync: null,
  progress: 0,
};
const UNFINISHED: Partial<JobFields> = {
  completed_at: null,
  error_message: null,
  failure: null,
  duplicate_of: null,
  duplicate_reason: null,
};
const COVER_FROM: Record<ChosenCover['from'], string> = {
  file: 'from one of the files',
  folder: 'beside the files',
  catalog: "the catalog's album",
  person: "the person's own picture",
};
/** A person's word ends what they had taken back. */
const ANSWERED: Partial<JobFields> = { hold: false };
const TAKEN_BACK: Partial<JobFields> = { hold: true, replace: false };

/** The next row and its steps, or null when the event does not fit the row's state. */
export function transition<L extends LaneTypes>(job: Job<L>, event: JobEvent<L>, now: number): Transition<L> | null {
  if (!ARROWS[event.type].some(({ from }) => isOneOf(from, job.phase))) return null;
  const after = next(job, event, now);
  return after !== null && knowsAll(after.job) ? after : null;
}

/** Nothing gets into a phase without the facts of it: what was published after its decision was taken back has none. */
function knowsAll<L extends LaneTypes>(job: Job<L>): boolean {
  const facts: readonly (keyof JobFields)[] = PHASES[job.phase].knows;
  return facts.every((fact) => job[fact] !== null);
}

function next<L extends LaneTypes>(job: Job<L>, event: JobEvent<L>, now: number): Transition<L> | null {
  /** Without a phase: the same. */
  const to = (
    phase: JobPhase | null,
    patch: Partial<JobFields<L>>,
    steps: readonly StepDraft[] = [],
  ): Transition<L> => {
    const at = phase ?? job.phase;
    const row = { ...job, ...patch, phase: at, status: PHASES[at].status, updated_at: later(job, now) };
    // Whether it knows what its phase knows is checked once, above.
    return { job: row as Job<L>, steps };
  };
  /** What neither the log nor another workstation has to know: the row does not count as newer. */
  const quietly = (phase: JobPhase | null, patch: Partial<JobFields<L>>): Transition<L> => {
    const { job: row, steps } = to(phase, patch);
    return { job: { ...row, updated_at: job.updated_at }, steps };
  };
  const say = (step_type: StepDraft['step_type'], content: string, metadata?: Record<string, unknown>): StepDraft[] => [
    metadata === undefined ? { step_type, content } : { step_type, content, metadata },
  ];
  switch (event.type) {
    case 'probe':
      return to('probing', { started_at: job.started_at ?? now, progress: 0 });
    case 'probed': {
      const { evidence, codec, bitrate, sample_rate, channels, lossless, cover_sha256, cover_mime } = event.facts;
      const { cue, steps } = event.facts;
      const sound = { codec, bitrate, sample_rate, channels, lossless, duration_ms: evidence.duration_ms };
      return to('grouping', { evidence, ...sound, cover_sha256, cover_mime, ...(cue ? { cue } : {}) }, steps);
    }
    case 'unprobed':
      return to('queued', {}, say('Action', event.why));
    case 'split':
      if (job.segment !== undefined || job.evidence === null) return null;
      return to(
        'queued',
        { ...event.part, segment: event.segment, cue: null, evidence: null, duration_ms: null },
        event.steps,
      );
    case 'described':
      return to(null, { cue: null, evidence: event.evidence }, say('Decision', event.why, event.metadata ?? {}));
    case 'grouped':
      return to(null, { group_id: event.group_id });
    case 'searching':
      return to('searching', {});
    case 'thinking':
      return to('thinking', { ...UNDECIDED, ...read(job), match: event.match ?? job.match });
    case 'workflow':
      return to(null, { workflow_state: event.workflow }, event.steps);
    case 'agent':
      return to('grouping', { agent: withEarlier(event.finding, job.agent ?? null) }, event.steps);
    case 'forgotten':
      return to(null, { agent: null });
    case 'approved': {
      const { target, source, confidence, reasons } = event;
      const match = withTrack<L>(event.match ?? job.match, target.track_id);
      return to(
        'approved',
        {
          ...{ ...UNFINISHED, ...UNCONVERTED, ...ANSWERED, ...read(job), match, reasons },
          ...matchedTo(target, confidence, source),
          ...(event.replace ? { replace: true } : {}),
        },
        say('Decision', event.why, {
          ...{ track_id: target.track_id, confidence, source, reasons },
          ...whyOf(event.match ?? job.match, target.track_id),
        }),
      );
    }
    case 'asked':
      return to(
        'review',
        { ...UNFINISHED, ...UNCONVERTED, ...UNDECIDED, ...read(job), match: event.match ?? job.match },
        say('ReviewQuestion', event.question, {
          options: event.options,
          ...whyOf(event.match, event.match?.track_id ?? null),
        }),
      );
    case 'rejected': {
      const why = failure('rejected', `"${job.original_filename}" was left out: ${event.why}`, {
        subject: job.original_filename,
      });
      return to(
        'failed',
        { ...ended(now, why), ...UNDECIDED, ...ANSWERED, ...read(job), match: event.match ?? job.match },
        say('Decision', `Rejected: ${event.why}`, { action: 'Reject' }),
      );
    }
    case 'duplicate':
      return to(
        'duplicate',
        {
          ...{ duplicate_of: event.of, duplicate_reason: event.reason, completed_at: now, sync: null, progress: 0 },
          ...{ ...ANSWERED, ...read(job), match: event.match ?? job.match },
          ...(event.freed ? { temp_file_path: null } : {}),
        },
        say('Decision', `Duplicate: ${event.reason}`, { duplicate_of: event.of }),
      );
    case 'converting':
      return to(
        'converting',
        { progress: 0, error_message: null },
        say('Action', event.why ?? `Converting "${job.matched_title ?? ''}"`),
      );
    case 'converted': {
      const { sha256, size, duration_ms, conversion_reason, verified } = event;
      return to(
        'waiting',
        {
          ...{ sync: 'waiting', progress: 0, conversion_reason },
          ...{ output_sha256: sha256, output_size: size, output_duration_ms: duration_ms },
        },
        say('Action', `Converted (${conversion_reason}) and verified; waiting to publish`, {
          ...{ sha256, size, duration_ms, verified },
        }),
      );
    }
    case 'imported': {
      const { target, output } = event;
      return to(
        'waiting',
        {
          ...{ sync: 'waiting', progress: 0, duration_ms: output.duration_ms },
          ...{ output_sha256: output.sha256, output_size: output.size, output_duration_ms: output.duration_ms },
          ...matchedTo(target, event.confidence, event.source),
        },
        say('Action', 'Taken over from another workstation by an exported file; waiting to publish'),
      );
    }
    case 'unconverted': {
      const waiting = { ...UNCONVERTED, error_message: event.waitsFor ?? null };
      if (job.sha256 !== null) return to('approved', waiting, say('Action', event.why));
      const why = failure('blob_missing', `"${job.original_filename}": its original is on another workstation.`);
      return to('failed', { ...UNCONVERTED, ...ended(now, why) }, say('Error', event.why, { code: why.code }));
    }
    case 'sending':
      return quietly('waiting', { progress: event.share });
    case 'publishing':
      return quietly('publishing', { progress: event.share });
    case 'published':
      return to(
        'published',
        {
          ...{ sync: 'published', output_file_path: event.output_file_path, completed_at: now, progress: 1 },
          ...{ failure: null, error_message: null },
          matched_track_id: event.track_id ?? job.matched_track_id ?? job.match?.track_id ?? '',
        },
        [event.step],
      );
    case 'interrupted':
      if (job.phase === 'probing') return to('queued', {});
      if (job.phase === 'searching') return to('grouping', {});
      if (job.phase === 'converting') return to('approved', UNCONVERTED, say('Action', event.why));
      return to('waiting', { progress: 0 });
    case 'failed': {
      const { code, message, remedy } = event.failure;
      return to(
        'failed',
        { ...ended(now, event.failure), duplicate_of: null, duplicate_reason: null },
        say('Error', message, { code, remedy }),
      );
    }
    case 'cancelled': {
      if (job.phase === 'duplicate' && !event.elsewhere) return null;
      const name = job.original_filename;
      // What was never stored cannot be taken up again.
      const stored = job.temp_file_path !== null;
      const why = failure('cancelled', 'cancelled', {
        subject: name,
        ...(stored ? {} : { remedy: 'Drop the file again.' }),
      });
      return to(
        'cancelled',
        { ...ended(now, { ...why, retryable: stored }), ...ANSWERED, duplicate_of: null, duplicate_reason: null },
        event.logged ? [] : say('Action', 'Cancelled by the person', { action: 'Cancel' }),
      );
    }
    case 'retried': {
      if (!job.failure?.retryable || job.temp_file_path === null) return null;
      // A failed or cancelled conversion keeps its decision; everything earlier is worked out anew.
      const decided = job.matched_track_id !== null && job.match_source !== null;
      const anew = { ...UNFINISHED, ...UNCONVERTED, ...ANSWERED };
      return decided
        ? to('approved', anew, say('Action', 'Tried again: converting'))
        : to(
            'queued',
            { ...anew, ...UNDECIDED, agent: null, workflow_state: null },
            say('Action', 'Tried again from the start'),
          );
    }
    case 'undone':
      if (!canUndo(job)) return null;
      return to(
        'review',
        { ...UNFINISHED, ...UNCONVERTED, ...UNDECIDED, ...TAKEN_BACK },
        say('ReviewAnswer', 'Decision taken back', { undo: true }),
      );
    case 'released':
      if (job.evidence === null || job.temp_file_path === null) return null;
      return to(
        'grouping',
        { ...UNFINISHED, ...UNCONVERTED, ...UNDECIDED },
        say('Decision', 'What it was a duplicate of will not be published: it is matched again'),
      );
    case 'lost':
      if (job.temp_file_path === null) return null;
      return to(
        'approved',
        { ...UNFINISHED, ...UNCONVERTED, output_file_path: null },
        say('Action', 'The server has lost it: it is converted and published again'),
      );
    case 'rematch':
      if (event.undo)
        return to(
          'grouping',
          { ...UNDECIDED, ...TAKEN_BACK },
          say('ReviewAnswer', 'Answer taken back', { undo: true }),
        );
      return job.phase === 'grouping' ? null : to('grouping', { ...UNDECIDED, ...ANSWERED });
    case 'paused':
      return to(null, { paused: event.paused });
    case 'freed':
      return quietly(null, { temp_file_path: null });
    case 'covered': {
      const words = event.cover === null ? "The file's own" : `"${event.cover.name}" (${COVER_FROM[event.cover.from]})`;
      return to(null, { cover_chosen: event.cover }, say('ReviewAnswer', `Cover of what is published: ${words}`));
    }
    case 'uncovered':
      return to(null, { cover_sha256: null, cover_mime: null });
    case 'noted':
      return to(null, {}, event.steps);
  }
}

/** Later than every earlier state, even if the clock was turned back: the newer state wins wherever it is mirrored. */
function later({ updated_at }: Pick<JobFields, 'updated_at'>, now: number): number {
  return Math.max(now, updated_at + 1);
}

function matchedTo(
  target: Pick<Target, 'track_id' | 'title'> & { album_id: string | null; album: string | null },
  confidence: number,
  source: MatchSource,
): Partial<JobFields> {
  return {
    ...{ matched_track_id: target.track_id, match_confidence: confidence, match_source: source },
    ...{ matched_title: target.title, matched_album_id: target.album_id, matched_album: target.album },
  };
}

function ended(now: number, failed: NonNullable<JobFields['failure']>): Partial<JobFields> {
  return { failure: failed, error_message: failed.message, completed_at: now, progress: 0, sync: null };
}

/** The matcher has decided with what the agent found. */
function read({ agent }: Pick<JobFields, 'agent'>): Partial<JobFields> {
  return agent?.fresh ? { agent: { ...agent, fresh: false } } : {};
}

/** Albums that earlier answers led to; more than these are not compared again. */
const MOST_LOOKED_UP = 24;

/** AGENT-5: what earlier answers led to is compared again, so that a later one does not undo what they settled. */
function withEarlier(finding: AgentFinding, earlier: AgentFinding | null): AgentFinding {
  if (earlier === null) return { ...finding, rounds: 1, fresh: true };
  const answered = earlier.answer.startsWith('album:') ? [earlier.answer.slice('album:'.length)] : [];
  const looked_up = [...new Set([...finding.looked_up, ...answered, ...earlier.looked_up])].slice(0, MOST_LOOKED_UP);
  return { ...finding, looked_up, rounds: (earlier.rounds ?? 1) + 1, fresh: true };
}

/**
 * The match says what was decided, also where a person chose something else than the matcher: its explanation is of the
 * matcher's own choice and goes with that.
 */
function withTrack<L extends LaneTypes>(match: L['match'] | null, trackId: string): L['match'] | null {
  if (match === null || match.track_id === trackId) return match;
  return { ...match, track_id: trackId, why: null };
}

/** MATCH-20: the whole explanation of that track, for the log. */
function whyOf(match: LaneTypes['match'] | null, trackId: string | null): { why?: unknown } {
  return match?.why && match.track_id === trackId ? { why: match.why } : {};
}
