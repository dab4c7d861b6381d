import * as v from 'valibot';
import { PosixPathSchema } from '#core/plan/plan.ts';
import { NamedVideosSchema, NameVideosSchema } from '#lanes/video/core/records/record-protocol.ts';
import { exportOf, VideoExportSchema } from '#lanes/video/core/records/video-record.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { parse } from '#server/http/body.ts';
import { keyedOnce } from '#server/http/mutate.ts';
import { proposed } from '#server/plans/plans.route.ts';
import type { PlansDeps } from '#server/plans/server-plans.ts';
import { nameVideos } from './name-videos.ts';
import { videosIn } from './record-rows.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Plans' } as const;
const FolderField = v.optional(PosixPathSchema);

/** /v1/catalog/videos: what confirmed recognitions say of files. */
export function recordRoutes(deps: PlansDeps): Route[] {
  const { store, clock, plans } = deps;
  return [
    route('GET /v1/catalog/videos', {
      ...EDIT,
      summary: 'Recognised videos: show, season, episodes, title, source and plan of each file, as one document.',
      description: 'Whoever wants to hear of changes reads /v1/catalog/changes/videos.',
      query: { folder: { description: 'Those of files in this folder; all when absent.', schema: FolderField } },
      replies: { 200: json(VideoExportSchema, 'The records, by path.') },
      async answer(c) {
        const folder = parse(FolderField, c.req.query('folder'), '"folder"') ?? null;
        const root = folder === null ? null : ((await plans.folders.see(folder))?.root ?? folder);
        return c.json(exportOf(await videosIn(store.db, root), clock.now()));
      },
    }),
    route('POST /v1/catalog/videos/rename-plan', {
      ...EDIT,
      summary: 'Propose a rename plan of what is recorded of the files in a folder.',
      body: NameVideosSchema,
      replies: { 200: json(NamedVideosSchema, 'The plan that waits now, and what gets no name.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, NameVideosSchema, async (body, { user_id }) => {
          const named = await nameVideos(deps, body, user_id);
          const done = { status: 200, body: named } as const;
          return named.planId === null ? done : { ...done, audit: proposed(named.planId, body.mediaFolderPath) };
        }),
    }),
  ];
}
