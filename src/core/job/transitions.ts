/**
 * The life of a job, as pure transitions. Every arrow is one persisted write.
 *
 *   PENDING queued --probe--> PROCESSING probing --probed--> grouping --searched--> searching --> thinking (agent)
 *        |                        |                                                     |
 *        |                        +--failed--> FAILED              approved <-----------+---> AWAITING_REVIEW review
 *        |                                                             |  ^                        |   |
 *        |                                         CONVERTING approved +  +-------- answered ------+   +--rejected--> FAILED
 *        |                                             converting --converted--> waiting --published--> COMPLETED
 *        +--duplicate--> COMPLETED duplicate               |
 *   searching, review --thinking--> thinking --agent--> grouping: asked once, then matched again
 *   any unfinished --cancelled--> FAILED cancelled --retried--> queued | approved
 *   approved, converting, waiting, rejected, duplicate --undone--> review
 *   duplicate --released--> grouping: what it was a duplicate of was cancelled, taken back or failed
 *   published --lost--> approved: the server was put back to an older state, and a person wants it published again
 *   grouping --split--> queued: an album image goes on as its first track, beside new rows for the others
 *
 * An event that does not fit the state answers null: the caller read an old row and must do nothing.
 */
import type { Failure } from '../errors.ts';
import { failure } from '../errors.ts';
import type { FileEvidence, FileTags } from '../music/evidence.ts';
import type { AgentFinding } from '../music/agent/doubt.ts';
import type { Explanation, FileMatch, Reason } from '../music/match.types.ts';
import { clock } from '../music/phrase.ts';
import { visibleTags } from '../music/visible-tags.ts';
import type { Job, MatchSource, ReasoningStepType } from './job.ts';
import { bytesOfSegment, segmentPath, type Segment } from './segment.ts';

export interface StepDraft {
  step_type: ReasoningStepType;
  content: string;
  metadata?: Record<string, unknown>;
  duration_ms?: number | null;
}

export interface ProbedFacts {
  evidence: FileEvidence;
  codec: string;
  bitrate: number | null;
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  cover_sha256: string | null;
  cover_mime: string | null;
  elapsed_ms: number;
  /** What a person should know of the file; sentences. */
  notes?: readonly string[];
  /** CUE sheet that was found inside it. */
  cue?: string | null;
}

/** What a job was matched to, for the lists and the output's tags. */
export interface Target {
  track_id: string;
  title: string;
  album_id: string;
  album: string;
}

export type JobEvent =
  | { type: 'probe' }
  | { type: 'probed'; facts: ProbedFacts }
  /** What reads or converts files is not here and cannot be fetched now. */
  | { type: 'unprobed'; why: string }
  /** It is an album image: this row goes on as one of its tracks. */
  | { type: 'split'; segment: Segment; sheet: string; note: string | null }
  /** A CUE sheet was looked at and the file stays whole; it may know more of it than its tags do. */
  | { type: 'sheet'; why: string; tags?: FileTags }
  | { type: 'searching' }
  /** The agent is asked; its steps come from its workflow. */
  | { type: 'thinking'; match: FileMatch | null }
  /** It answered, or failed to: the file is matched again with what it found. */
  | { type: 'agent'; finding: AgentFinding }
  | {
      type: 'approved';
      target: Target;
      match: FileMatch | null;
      confidence: number;
      source: MatchSource;
      why: string;
      reasons: Reason[];
    }
  | { type: 'asked'; match: FileMatch | null; question: string; options: { label: string; confidence: number }[] }
  | { type: 'rejected'; why: string }
  | { type: 'duplicate'; of: string; reason: string }
  | { type: 'converting' }
  | {
      type: 'converted';
      sha256: string;
      size: number;
      duration_ms: number;
      conversion_reason: string;
      verified: string[];
    }
  | { type: 'unconverted'; why: string }
  | { type: 'failed'; failure: Failure }
  | { type: 'cancelled' }
  | { type: 'retried' }
  | { type: 'undone' }
  /** What it was a duplicate of will not be published after all. */
  | { type: 'released' }
  /** It was published, and the server has lost it (SYNC-28). */
  | { type: 'lost' }
  | { type: 'rematch' };

export interface Transition {
  job: Job;
  steps: StepDraft[];
}

const UNDECIDED: Partial<Job> = {
  matched_track_id: null,
  match_confidence: null,
  match_source: null,
  matched_title: null,
  matched_album_id: null,
  matched_album: null,
  reasons: [],
};
const UNCONVERTED: Partial<Job> = {
  output_sha256: null,
  output_size: null,
  output_duration_ms: null,
  conversion_reason: null,
  sync: null,
  progress: 0,
};
const UNFINISHED: Partial<Job> = {
  completed_at: null,
  error_message: null,
  failure: null,
  duplicate_of: null,
  duplicate_reason: null,
};

/** The next row and its steps, or null when the event does not fit the row's state. */
export function transition(job: Job, event: JobEvent, now: number): Transition | null {
  const to = (patch: Partial<Job>, ...steps: StepDraft[]): Transition => ({
    job: { ...job, ...patch, updated_at: Math.max(now, job.updated_at + 1) },
    steps,
  });
  switch (event.type) {
    case 'probe':
      if (job.phase !== 'queued') return null;
      return to({ status: 'PROCESSING', phase: 'probing', started_at: job.started_at ?? now, progress: 0 });
    case 'probed': {
      if (job.phase !== 'probing') return null;
      const { tags, changed } = visibleTags(event.facts.evidence.tags);
      const evidence: FileEvidence = { ...event.facts.evidence, tags };
      return to(
        {
          phase: 'grouping',
          evidence,
          duration_ms: event.facts.evidence.duration_ms,
          codec: event.facts.codec,
          bitrate: event.facts.bitrate,
          sample_rate: event.facts.sample_rate,
          channels: event.facts.channels,
          lossless: event.facts.lossless,
          cover_sha256: event.facts.cover_sha256,
          cover_mime: event.facts.cover_mime,
          ...(event.facts.cue ? { cue: event.facts.cue } : {}),
        },
        {
          step_type: 'ToolCall',
          content: `get_file_metadata(${JSON.stringify(job.original_filename)})`,
          metadata: { tool: 'get_file_metadata', file: job.path },
        },
        {
          step_type: 'ToolResult',
          content: probeSentence({ ...event.facts, evidence }),
          metadata: { evidence },
          duration_ms: event.facts.elapsed_ms,
        },
        ...hiddenSteps(changed),
        ...(event.facts.notes ?? []).map((content): StepDraft => ({ step_type: 'Action', content })),
      );
    }
    case 'unprobed':
      if (job.phase !== 'probing') return null;
      return to({ status: 'PENDING', phase: 'queued' }, { step_type: 'Action', content: event.why });
    case 'split': {
      if (job.phase !== 'grouping' || job.segment !== undefined || job.evidence === null) return null;
      const { segment, sheet, note } = event;
      const path = segmentPath(job.path, segment);
      const content = `"${segment.file}" is an album image: ${sheet} splits it into ${segment.of} tracks. This is track ${segment.track}, ${span(segment)}.`;
      return to(
        {
          status: 'PENDING',
          phase: 'queued',
          path,
          original_filename: path.slice(path.lastIndexOf('/') + 1),
          segment,
          cue: null,
          evidence: null,
          file_size_bytes: bytesOfSegment(job.file_size_bytes, segment, job.evidence.duration_ms),
          duration_ms: null,
        },
        { step_type: 'Decision', content, metadata: { segment, sheet } },
        ...(note === null ? [] : [{ step_type: 'Action', content: note } as const]),
      );
    }
    case 'sheet': {
      if (job.phase !== 'grouping' || job.evidence === null) return null;
      const tags = visibleTags({ ...event.tags, ...job.evidence.tags }).tags;
      return to(
        { cue: null, evidence: { ...job.evidence, tags } },
        { step_type: 'Decision', content: event.why, metadata: event.tags ? { tags: event.tags } : {} },
      );
    }
    case 'searching':
      if (job.phase !== 'grouping') return null;
      return to({ phase: 'searching' });
    case 'thinking':
      if (job.phase !== 'searching' && job.phase !== 'review' && job.phase !== 'grouping') return null;
      return to({ ...UNDECIDED, status: 'PROCESSING', phase: 'thinking', match: event.match ?? job.match });
    case 'agent':
      if (job.phase !== 'thinking') return null;
      return to({ phase: 'grouping', agent: withEarlier(event.finding, job.agent ?? null) });
    case 'approved':
      if (!isOpen(job)) return null;
      return to(
        {
          ...UNFINISHED,
          ...UNCONVERTED,
          status: 'CONVERTING',
          phase: 'approved',
          match: withTrack(event.match ?? job.match, event.target.track_id),
          matched_track_id: event.target.track_id,
          match_confidence: event.confidence,
          match_source: event.source,
          matched_title: event.target.title,
          matched_album_id: event.target.album_id,
          matched_album: event.target.album,
          reasons: event.reasons,
        },
        {
          step_type: 'Decision',
          content: event.why,
          metadata: {
            track_id: event.target.track_id,
            confidence: event.confidence,
            source: event.source,
            reasons: event.reasons,
            ...whyOf(event.match ?? job.match, event.target.track_id),
          },
        },
      );
    case 'asked':
      if (!isOpen(job)) return null;
      return to(
        {
          ...UNFINISHED,
          ...UNCONVERTED,
          ...UNDECIDED,
          status: 'AWAITING_REVIEW',
          phase: 'review',
          match: event.match ?? job.match,
        },
        {
          step_type: 'ReviewQuestion',
          content: event.question,
          metadata: { options: event.options, ...whyOf(event.match, event.match?.track_id ?? null) },
        },
      );
    case 'rejected': {
      if (job.phase !== 'review' && job.phase !== 'searching' && job.phase !== 'thinking') return null;
      const why = failure('rejected', `"${job.original_filename}" was left out: ${event.why}`, {
        subject: job.original_filename,
      });
      return to(
        {
          ...UNDECIDED,
          status: 'FAILED',
          phase: 'failed',
          failure: why,
          error_message: why.message,
          completed_at: now,
          match: job.match,
        },
        { step_type: 'Decision', content: `Rejected: ${event.why}`, metadata: { action: 'Reject' } },
      );
    }
    case 'duplicate':
      if (job.status === 'COMPLETED' || job.status === 'FAILED') return null;
      return to(
        {
          status: 'COMPLETED',
          phase: 'duplicate',
          duplicate_of: event.of,
          duplicate_reason: event.reason,
          completed_at: now,
          sync: null,
          progress: 0,
        },
        { step_type: 'Decision', content: `Duplicate: ${event.reason}`, metadata: { duplicate_of: event.of } },
      );
    case 'converting':
      if (job.phase !== 'approved') return null;
      return to(
        { phase: 'converting', progress: 0 },
        { step_type: 'Action', content: `Converting to Ogg Vorbis with the tags of "${job.matched_title ?? ''}"` },
      );
    case 'converted':
      if (job.phase !== 'converting') return null;
      return to(
        {
          phase: 'waiting',
          sync: 'waiting',
          output_sha256: event.sha256,
          output_size: event.size,
          output_duration_ms: event.duration_ms,
          conversion_reason: event.conversion_reason,
          progress: 0,
        },
        {
          step_type: 'Action',
          content: `Converted (${event.conversion_reason}) and verified; waiting to publish`,
          metadata: {
            sha256: event.sha256,
            size: event.size,
            duration_ms: event.duration_ms,
            verified: event.verified,
          },
        },
      );
    case 'unconverted':
      if (job.status !== 'CONVERTING') return null;
      return to({ ...UNCONVERTED, phase: 'approved' }, { step_type: 'Action', content: event.why });
    case 'failed':
      if (job.status === 'COMPLETED' || job.status === 'FAILED') return null;
      return to(
        {
          status: 'FAILED',
          phase: 'failed',
          failure: event.failure,
          error_message: event.failure.message,
          completed_at: now,
          progress: 0,
          sync: null,
        },
        {
          step_type: 'Error',
          content: event.failure.message,
          metadata: { code: event.failure.code, remedy: event.failure.remedy },
        },
      );
    case 'cancelled': {
      if (job.status === 'COMPLETED' || job.status === 'FAILED') return null;
      const why = failure('cancelled', 'cancelled', { subject: job.original_filename });
      return to(
        {
          status: 'FAILED',
          phase: 'cancelled',
          failure: why,
          error_message: 'cancelled',
          completed_at: now,
          progress: 0,
          sync: null,
        },
        { step_type: 'Action', content: 'Cancelled by the person', metadata: { action: 'Cancel' } },
      );
    }
    case 'retried': {
      if (job.status !== 'FAILED' || !job.failure?.retryable || job.temp_file_path === null) return null;
      // A failed or cancelled conversion keeps its decision; everything earlier is worked out anew.
      const decided = job.matched_track_id !== null && job.match_source !== null;
      return to(
        {
          ...UNFINISHED,
          ...UNCONVERTED,
          ...(decided
            ? { status: 'CONVERTING', phase: 'approved' }
            : { ...UNDECIDED, status: 'PENDING', phase: 'queued', agent: null, workflow_state: null }),
        },
        { step_type: 'Action', content: decided ? 'Tried again: converting' : 'Tried again from the start' },
      );
    }
    case 'undone':
      if (!canUndo(job)) return null;
      return to(
        { ...UNFINISHED, ...UNCONVERTED, ...UNDECIDED, status: 'AWAITING_REVIEW', phase: 'review' },
        { step_type: 'ReviewAnswer', content: 'Decision taken back', metadata: { undo: true } },
      );
    case 'released':
      if (job.phase !== 'duplicate' || job.evidence === null || job.temp_file_path === null) return null;
      return to(
        { ...UNFINISHED, ...UNCONVERTED, ...UNDECIDED, status: 'PROCESSING', phase: 'grouping' },
        { step_type: 'Decision', content: 'What it was a duplicate of will not be published: it is matched again' },
      );
    case 'lost':
      if (job.phase !== 'published' || job.temp_file_path === null || job.matched_track_id === null) return null;
      return to(
        { ...UNFINISHED, ...UNCONVERTED, status: 'CONVERTING', phase: 'approved', output_file_path: null },
        { step_type: 'Action', content: 'The server has lost it: it is converted and published again' },
      );
    case 'rematch':
      if (job.phase !== 'review' && job.phase !== 'searching' && job.phase !== 'thinking') return null;
      return to({ status: 'PROCESSING', phase: 'grouping', ...UNDECIDED });
  }
}

/** Matched, and not decided yet. */
function isOpen(job: Job): boolean {
  return job.phase === 'grouping' || job.phase === 'searching' || job.phase === 'thinking' || job.phase === 'review';
}

/** Places that earlier answers led to; more than these are not looked at again. */
const MOST_LOOKED_UP = 24;

/** AGENT-5: what earlier answers led to is still looked at, so that a later one does not undo what they settled. */
function withEarlier(finding: AgentFinding, earlier: AgentFinding | null): AgentFinding {
  if (earlier === null) return { ...finding, rounds: 1 };
  const answered = earlier.answer.startsWith('album:') ? [earlier.answer.slice('album:'.length)] : [];
  const looked_up = [...new Set([...finding.looked_up, ...answered, ...earlier.looked_up])].slice(0, MOST_LOOKED_UP);
  return { ...finding, looked_up, rounds: (earlier.rounds ?? 1) + 1 };
}

/** A decision can be taken back until the server may have accepted it. */
export function canUndo(job: Job): boolean {
  if (job.evidence === null) return false;
  if (job.status === 'CONVERTING') return job.phase !== 'publishing';
  // Its original may be freed by now: then there is nothing to publish instead.
  if (job.phase === 'duplicate') return job.match !== null && job.temp_file_path !== null;
  return job.phase === 'failed' && job.failure?.code === 'rejected';
}

/** Milliseconds as `m:ss`, hours as `h:mm:ss`. */
export function formatDuration(ms: number | null): string {
  return ms === null ? 'unknown length' : clock(ms);
}

/**
 * The match says what was decided, also where a person chose something else than the matcher: its explanation is of the
 * matcher's own choice and goes with that.
 */
function withTrack(match: FileMatch | null, trackId: string): FileMatch | null {
  if (match === null || match.track_id === trackId) return match;
  return { ...match, track_id: trackId, why: null };
}

/** MATCH-20: the whole explanation of that track, for the log. */
function whyOf(match: FileMatch | null, trackId: string | null): { why?: Explanation } {
  return match?.why && match.track_id === trackId ? { why: match.why } : {};
}

/** `from 3:05 to 7:10`. */
function span({ start_ms, end_ms }: Segment): string {
  return `from ${clock(start_ms)} to ${end_ms === null ? 'the end' : clock(end_ms)}`;
}

function hiddenSteps(changed: readonly string[]): StepDraft[] {
  if (changed.length === 0) return [];
  const content = `Characters that nobody sees, or that turn the text around, were taken out of its tags: ${changed.join(', ')}.`;
  return [{ step_type: 'Decision', content, metadata: { hidden_characters: changed } }];
}

function probeSentence(facts: ProbedFacts): string {
  const { tags } = facts.evidence;
  const named = [tags.artist, tags.album, tags.title].filter((part) => part !== undefined && part !== '');
  const parts = [
    formatDuration(facts.evidence.duration_ms),
    facts.codec,
    facts.bitrate === null ? null : `${Math.round(facts.bitrate / 1000)} kbit/s`,
    facts.sample_rate === null ? null : `${facts.sample_rate} Hz`,
    named.length > 0 ? `tags: ${named.join(' / ')}` : 'no tags',
  ];
  return parts.filter((part) => part !== null).join(', ');
}
