import * as v from 'valibot';

const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The specification's actions, section 3, and ours for an album. */
export const AgentActionSchema = v.variant('type', [
  v.strictObject({ type: v.literal('MatchToTrack'), file_id: v.string(), track_id: v.string(), confidence: Share }),
  v.strictObject({
    type: v.literal('FulfillDownloadRequest'),
    file_id: v.string(),
    request_id: v.string(),
    track_id: v.string(),
    confidence: Share,
  }),
  v.strictObject({ type: v.literal('Reject'), reason: v.string() }),
  v.strictObject({
    type: v.literal('MatchToAlbum'),
    file_ids: v.array(v.string()),
    album_id: v.string(),
    confidence: Share,
  }),
]);
