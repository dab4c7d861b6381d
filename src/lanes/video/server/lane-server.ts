/** Shows on the catalog server, and the videos that plans are about. */
import { inContext } from '#core/agent/tools/make-tool.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import { getEpisodes, getMediaMetadata, type VideoToolContext } from '#lanes/video/core/agent/video-tools.ts';
import { recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import { ShowChangesPageSchema } from '#lanes/video/core/show-catalog.ts';
import { lookIntoSeen } from '#lanes/video/media/look-into.ts';
import type { LaneServer } from '#server/lane-server.ts';
import { catalogShows, readShows } from './shows/read-shows.ts';
import { recognizeRoutes } from './recognize-folder.ts';
import { importShows } from './shows/write-shows.ts';
import { showRoutes } from './shows/shows.route.ts';

const AUDIT = ['show.created', 'show.changed', 'show.deleted'] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    video: (typeof AUDIT)[number];
  }
}

export const server: LaneServer = {
  id: 'video',
  tables: { shows: ['id'], show_seasons: ['show_id', 'number'], show_episodes: ['show_id', 'season', 'number'] },
  audit: AUDIT,
  feeds: [
    {
      path: '/v1/catalog/changes/shows',
      summary: 'The change feed of the shows, each with its seasons and episodes. Its cursors are its own.',
      kinds: ['show'],
      limit: { usual: 100, most: 500 },
      page: ShowChangesPageSchema,
      async read(db, _kind, ids) {
        const shows = await readShows(db, ids);
        return new Map([...shows].map(([id, { version: _version, ...show }]) => [id, show]));
      },
    },
  ],
  imports: [{ lists: ['shows'], run: async (tx, { shows = [] }) => ({ shows: await importShows(tx, shows) }) }],
  routes: (deps) => [...showRoutes(deps), ...recognizeRoutes(deps)],
  plans: {
    kinds: [recognizeMediaFile],
    tools({ db, folders }) {
      const sources = { shows: catalogShows(db), media: lookIntoSeen(folders) };
      const complete = (given: PlanToolContext): VideoToolContext => ({ ...given, ...sources });
      return [inContext(getEpisodes, complete), inContext(getMediaMetadata, complete)];
    },
  },
};
