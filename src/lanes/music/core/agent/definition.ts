/**
 * The music workflow: what the generic executor (core/agent) needs to know to put a doubt to a model.
 *
 *   gather (code): file metadata, searches, tracks of albums, requests
 *   brief: files and candidates -> the model chooses a letter, or calls tools -> decide: hypothesis or question
 */
import * as v from 'valibot';
import type { ToolResult, WorkflowDefinition } from '#core/agent/workflow/definition.ts';
import { AgentActionSchema, type AgentAction, type Doubt } from './doubt.ts';
import { briefOf } from './choices.ts';
import type { MusicContext } from './context.ts';
import { answered, decide } from './decide.ts';
import { gather, gatherMore, knownAlbums } from './gather.ts';
import {
  getAlbumTracksTool,
  getFileMetadataTool,
  getPendingRequestsTool,
  getTrackInfoTool,
  rejectTool,
  requestReviewTool,
  searchCatalogTool,
  setMatchTool,
} from './tools.ts';

/**
 * Said to the model first: the specification's prompt (section 10), less what code does by itself here. The form for
 * choosing is short and plain: a model of 1.7B parameters has to hold it.
 */
const JUDGING = `How to judge:
- Titles and artists may be misspelt, abbreviated, translated or in another script.
- A length within 5 seconds fits. A larger difference is another recording.
- Live, acoustic, remix, demo, karaoke and remaster are other recordings, unless the files say the same word.
- The number of files and the number of tracks of the right album are often equal.`;

const INSTRUCTIONS = {
  choice: `You match uploaded audio files to a music catalog. You get what was read from the files, and options from the catalog, each with a letter.

${JUDGING}

Choose the option that fits best. If clearly none of them is right, say so. If two fit as well as each other, leave it to a person.`,
  tools: `You are an audio file matching assistant. Your task is to match uploaded audio files to the right entry of the music catalog. You get what was read from the files and the candidates that were found so far, each with a handle.

${JUDGING}

Process:
1. Read artist, album and title out of the names and tags.
2. If no candidate fits, search the catalog: other spellings, the full name of an abbreviation, the artist alone, the original title of a translation.
3. Compare titles, lengths and numbers; look at the tracks of an album before you choose it.
4. When one fits, call set_match: with track_id for one file, with album_id where the question is which album the files are from.
5. If you stay uncertain, call request_review. If searching found nothing that fits, call reject.
A handful of calls is enough. What you decide is checked against the evidence before anything happens.`,
};

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

/** AGENT-4: what may be called now. Requests are read where the files were sent for one; looking ends in time. */
function allowed(doubt: Doubt, results: readonly ToolResult[]): readonly string[] {
  const looks = results.filter(({ tool }) => READING.includes(tool)).length;
  if (looks >= MOST_LOOKS) return DECIDING;
  return [...READING, ...(doubt.context.request_id === null ? [] : ['get_pending_requests']), ...DECIDING];
}
