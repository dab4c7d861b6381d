import * as v from 'valibot';
import { decideTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import type { MusicContext } from '../context.ts';
import { fromReplica } from './shapes.ts';

const Input = v.strictObject({
  file_id: v.pipe(v.string(), v.description('The file; any of them where all are of one album')),
  track_id: v.optional(v.pipe(v.string(), v.description('The track that the file is'))),
  album_id: v.optional(v.pipe(v.string(), v.description('Where the question is for the album: the album'))),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  reasoning: v.pipe(v.string(), v.maxLength(600), v.description('Why, in one sentence')),
});
const Output = v.strictObject({
  file_id: v.string(),
  track_id: v.nullable(v.string()),
  album_id: v.string(),
  /** The model's own number: kept as its claim, used to lower, never to lift. */
  claim: v.number(),
  reasoning: v.string(),
});
export const MatchSetSchema = Output;

export const setMatchTool = decideTool({
  name: 'set_match',
  description:
    'Commit the answer: this file is this track, or these files are this album. Call it once, when titles and lengths agree.',
  input: Input,
  output: Output,
  limits: { calls: 3 },
  references: { file_id: 'file', track_id: 'track', album_id: 'album' },
  async execute({ file_id, track_id, album_id, confidence, reasoning }, { context }: ToolRun<MusicContext>) {
    const track = track_id === undefined ? null : await context.track(track_id);
    if (track_id === undefined && album_id === undefined)
      return { ok: false, failure: failure('tool_refused', 'Say track_id or album_id.') };
    if (track_id !== undefined && !track)
      return { ok: false, failure: failure('not_found', 'This track is not in the catalog any more.') };
    const album = await context.album(track?.album_id ?? album_id ?? '');
    if (!album) return { ok: false, failure: failure('not_found', 'This album is not in the catalog any more.') };
    if (track && album_id !== undefined && album_id !== album.id)
      return { ok: false, failure: failure('tool_refused', 'The track is not on that album. Say only one of them.') };
    return {
      ok: true,
      output: { file_id, track_id: track?.id ?? null, album_id: album.id, claim: confidence, reasoning },
      provenance: fromReplica(context),
    };
  },
});
