/** Shows as the editor's page asks for them and changes them. No method throws. */
import * as v from 'valibot';
import { ShowAnswerSchema, type NewShowSchema, type ShowPatchSchema } from '#core/sync/shows.ts';
import { addressOf, createJsonCall } from './json-call.ts';
import type { HttpOptions } from './request.ts';

export type ShowClient = ReturnType<typeof createShowClient>;

export function createShowClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const shows = '/v1/catalog/shows';
  return {
    show: (id: string) => call('GET', addressOf(shows, id), ShowAnswerSchema),
    createShow: (show: v.InferInput<typeof NewShowSchema>, key: string) =>
      call('POST', shows, ShowAnswerSchema, show, { key }),
    /** `version`: refused with `conflict` when the show has another one by now. */
    patchShow: (id: string, patch: v.InferInput<typeof ShowPatchSchema>, version: number | undefined) =>
      call('PATCH', addressOf(shows, id), ShowAnswerSchema, patch, { version }),
    deleteShow: (id: string, version: number | undefined) =>
      call('DELETE', addressOf(shows, id), v.null(), undefined, { version }),
  };
}
