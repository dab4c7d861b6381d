/**
 * The music workflow: what the generic executor (core/agent) needs to know to put a doubt to a model.
 *
 *   gather (code): file metadata, searches, tracks of albums, requests
 *   brief: files and candidates -> the model chooses a letter, or calls tools -> decide: hypothesis or question
 */
import * as v from 'valibot';
import type { ToolResult, WorkflowDefinition } from '#core/agent/workflow/definition.ts';
import { AgentActionSchema } from './action.ts';
import { briefOf } from './brief.ts';
import type { MusicContext } from './context.ts';
import { answered, decide } from './decide.ts';
import type { AgentAction, Doubt } from './doubt.ts';
import { gather, gatherMore, knownAlbums } from './gather.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { getAlbumTracksTool } from './tools/get-album-tracks.ts';
import { getFileMetadataTool } from './tools/get-file-metadata.ts';
import { getPendingRequestsTool } from './tools/get-pending-requests.ts';
import { getTrackInfoTool } from './tools/get-track-info.ts';
import { rejectTool } from './tools/reject.ts';
import { requestReviewTool } from './tools/request-review.ts';
import { searchCatalogTool } from './tools/search-catalog.ts';
import { setMatchTool } from './tools/set-match.ts';

/** What every part of a doubt has that the code relies on; a doubt is made by this app alone (make-doubt.ts). */
const DoubtForm = v.looseObject({
  key: v.string(),
  kind: v.picklist(['album', 'track', 'no_match']),
  file_ids: v.pipe(v.array(v.string()), v.minLength(1)),
  files: v.array(
    v.looseObject({
      file_id: v.string(),
      path: v.string(),
      duration_ms: v.nullable(v.number()),
      tags: v.looseObject({}),
    }),
  ),
  albums: v.array(v.looseObject({ album_id: v.string(), confidence: v.number() })),
  tracks: v.array(v.looseObject({ track_id: v.string(), album_id: v.string(), confidence: v.number() })),
  album: v.nullable(v.looseObject({ id: v.string() })),
  question: v.string(),
  context: v.looseObject({ request_id: v.nullable(v.string()) }),
  threshold: v.number(),
  said: v.array(v.string()),
});

const READING = ['search_catalog', 'get_album_tracks', 'get_track_info', 'get_file_metadata'];
const DECIDING = ['set_match', 'request_review', 'reject'];
/** Looks, those of code included, after which the model has to decide. */
const MOST_LOOKS = 36;

export const musicWorkflow: WorkflowDefinition<Doubt, AgentAction, MusicContext> = {
  name: 'music-doubt',
  version: 1,
  input: v.custom<Doubt>((value) => v.is(DoubtForm, value), 'is no doubt'),
  action: AgentActionSchema,
  tools: [
    searchCatalogTool,
    getTrackInfoTool,
    getAlbumTracksTool,
    getPendingRequestsTool,
    getFileMetadataTool,
    setMatchTool,
    requestReviewTool,
    rejectTool,
  ],
  instructions: INSTRUCTIONS,
  shows: (doubt) => [
    // Files first: a brief calls them F1, F2, ...
    ...doubt.file_ids.map((id) => ({ kind: 'file', id })),
    ...doubt.tracks.map((track) => ({ kind: 'track', id: track.track_id })),
    ...knownAlbums(doubt).map((id) => ({ kind: 'album', id })),
  ],
  gather,
  gatherMore,
  brief: briefOf,
  allowed,
  ballots: 2,
  decide,
  answered,
};

/** Where the context is small, so is the machine: the question is put once. */
export function musicWorkflowFor(contextLength: number): typeof musicWorkflow {
  return contextLength <= 4096 ? { ...musicWorkflow, ballots: 1 } : musicWorkflow;
}

/** AGENT-4: what may be called now. Requests are looked at where the files were sent for one; looking ends in time. */
function allowed(doubt: Doubt, results: readonly ToolResult[]): readonly string[] {
  const looks = results.filter(({ tool }) => READING.includes(tool)).length;
  if (looks >= MOST_LOOKS) return DECIDING;
  return [...READING, ...(doubt.context.request_id === null ? [] : ['get_pending_requests']), ...DECIDING];
}
