/** Records of recognised videos on the server. No method throws. */
import type * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import { createJsonCall, withQuery } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { NamedVideosSchema, type NameVideosSchema } from '#lanes/video/core/records/record-protocol.ts';
import { VideoExportSchema } from '#lanes/video/core/records/video-record.ts';

const VIDEOS = '/v1/catalog/videos';
/** Every record of a large library, milliseconds. */
const EXPORT_MS = 5 * 60_000;

export type RecordClient = ReturnType<typeof createRecordClient>;

export function createRecordClient(options: HttpOptions) {
  const call = createJsonCall(options);
  return {
    /** Those of files in a folder; null: all. */
    records: (folder: string | null) =>
      call('GET', withQuery(VIDEOS, { folder }), VideoExportSchema, undefined, { timeoutMs: EXPORT_MS }),
    /** Proposes a rename plan of what is recorded; it waits for a person then. */
    renamePlan: (wish: v.InferInput<typeof NameVideosSchema>) =>
      call('POST', `${VIDEOS}/rename-plan`, NamedVideosSchema, wish, { key: randomIds.next() }),
  };
}
