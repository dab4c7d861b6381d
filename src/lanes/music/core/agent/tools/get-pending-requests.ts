import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import type { MusicContext } from '../context.ts';
import { fromReplica, quiet } from './shapes.ts';

const Input = v.strictObject({});
const Output = v.strictObject({
  requests: v.array(
    v.strictObject({
      id: v.string(),
      album_id: v.nullable(v.string()),
      track_id: v.nullable(v.string()),
      /** Name of what is wanted, where the catalog knows it. */
      wants: v.nullable(v.string()),
    }),
  ),
});
export type PendingRequests = v.InferOutput<typeof Output>;
export const PendingRequestsSchema = Output;

const MOST = 20;

export const getPendingRequestsTool = readTool({
  name: 'get_pending_requests',
  description: 'Albums and tracks that people asked for and that are still missing.',
  input: Input,
  output: Output,
  limits: { calls: 2 },
  shows: ({ requests }) =>
    requests.flatMap(({ id, album_id, track_id }) => [
      { kind: 'request', id },
      ...(album_id === null ? [] : [{ kind: 'album', id: album_id }]),
      ...(track_id === null ? [] : [{ kind: 'track', id: track_id }]),
    ]),
  render: ({ requests }, handle) => ({
    requests: requests.map((request) => ({
      request: handle('request', request.id),
      ...(request.album_id === null ? {} : { album: handle('album', request.album_id) }),
      ...(request.track_id === null ? {} : { track: handle('track', request.track_id) }),
      wants: quiet(request.wants),
    })),
  }),
  async execute(_input, { context }: ToolRun<MusicContext>) {
    const requests: PendingRequests['requests'] = [];
    for (const { id, album_id, track_id } of (await context.requests()).slice(0, MOST)) {
      const track = track_id === null ? null : await context.track(track_id);
      const album = album_id === null ? null : await context.album(album_id);
      requests.push({ id, album_id, track_id, wants: track?.title ?? album?.title ?? null });
    }
    return { ok: true, output: { requests }, provenance: fromReplica(context) };
  },
});
