/**
 * A doubt: what the matcher would ask a person, put to the agent first. Album first: while the album of a group is in
 * doubt its tracks are not asked about.
 *
 *   AGENT-5 the agent's answer is a hypothesis. The matcher looks at it (`MatchContext.lookAt`) and decides by its own
 *           evidence; the answer appears nowhere in the number.
 *   AGENT-6 where that evidence is not above the person's threshold, the question goes to the person with the answer as
 *           advice. A model that disagrees or gives up lowers the confidence of what it doubts, never lifts it.
 */
import type { ContextType } from '#core/job/job.ts';
import type { Doubt as AnyDoubt } from '#core/run/agent.ts';
import type { FileEvidence } from '../evidence/evidence.ts';
import type { AlbumOption, TrackOption } from '../match/match.types.ts';
import * as v from 'valibot';

/** The input of the music workflow: JSON, complete, so that a workflow resumes with nothing else. */
export interface Doubt extends AnyDoubt {
  /** The same for the same files, kind and options: a doubt that was answered is not asked again. */
  key: string;
  kind: 'album' | 'track' | 'no_match';
  batch_id: string;
  group_id: string;
  /** The first leads: it keeps the workflow. */
  file_ids: string[];
  files: FileEvidence[];
  detected: { album: string | null; artist: string | null; year: number | null; title: string | null };
  /** Best first, with the matcher's reasons. */
  albums: AlbumOption[];
  tracks: TrackOption[];
  /** Of the album that the group was decided to be of, when the track alone is in doubt. */
  album: { id: string; title: string; artist: string } | null;
  /** Why the matcher is not sure: its vetoes in words. */
  why: string;
  /** The question and reasoning as a person would get them (phrase.ts). */
  question: string;
  reasoning: string;
  context: { type: ContextType; request_id: string | null };
  threshold: number;
  /** What a person said about this batch before, in one line each: the album that they chose. */
  said: string[];
}

const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The specification's actions, section 3, and ours for an album. */
export const AgentActionSchema = v.variant('type', [
  v.strictObject({ type: v.literal('MatchToTrack'), file_id: v.string(), track_id: v.string(), confidence: Share }),
  v.strictObject({
    ...{ type: v.literal('FulfillDownloadRequest'), file_id: v.string(), request_id: v.string() },
    ...{ track_id: v.string(), confidence: Share },
  }),
  v.strictObject({ type: v.literal('Reject'), reason: v.string() }),
  v.strictObject({
    ...{ type: v.literal('MatchToAlbum'), file_ids: v.array(v.string()), album_id: v.string(), confidence: Share },
  }),
]);
export type AgentAction = v.InferOutput<typeof AgentActionSchema>;
