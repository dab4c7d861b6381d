/** Shows as the editor's page asks for them and changes them, and their change feed. No method throws. */
import * as v from 'valibot';
import type { FeedAnswer } from '#core/sync/feed.ts';
import { addressOf, createFeedCall, createJsonCall } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import {
  ShowAnswerSchema,
  ShowChangesPageSchema,
  type NewShowSchema,
  type ShowChangesPage,
  type ShowPatchSchema,
} from '#lanes/video/core/show-catalog.ts';

export type ShowChangesAnswer = FeedAnswer<ShowChangesPage>;
export type ShowClient = ReturnType<typeof createShowClient>;

const SHOWS = '/v1/catalog/shows';

export function createShowClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const feed = createFeedCall(options);
  return {
    show: (id: string) => call('GET', addressOf(SHOWS, id), ShowAnswerSchema),
    createShow: (show: v.InferInput<typeof NewShowSchema>, key: string) =>
      call('POST', SHOWS, ShowAnswerSchema, show, { key }),
    /** `version`: refused with `conflict` when the show has another one by now. */
    patchShow: (id: string, patch: v.InferInput<typeof ShowPatchSchema>, version: number | undefined) =>
      call('PATCH', addressOf(SHOWS, id), ShowAnswerSchema, patch, { version }),
    deleteShow: (id: string, version: number | undefined) =>
      call('DELETE', addressOf(SHOWS, id), v.null(), undefined, { version }),
    /** The shows' change feed from `cursor` on; null reads it from the start. */
    showChanges: (cursor: string | null, limit: number, signal?: AbortSignal) =>
      feed('/v1/catalog/changes/shows', ShowChangesPageSchema, { cursor, limit }, signal),
  };
}
