/** Shows on the catalog server, and the videos that plans are about. */
import { inContext } from '#core/agent/tools/make-tool.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import { getEpisodes, getMediaMetadata, type VideoToolContext } from '#lanes/video/core/agent/video-tools.ts';
import { recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import { ShowChangesPageSchema } from '#lanes/video/core/show-catalog.ts';
import { lookIntoSeen } from '#lanes/video/media/look-into.ts';
import type { LaneServer } from '#server/lane-server.ts';
import { catalogShows, readShows } from './shows/read-shows.ts';
import { recordOf, VideoChangesPageSchema } from '#lanes/video/core/records/video-record.ts';
import { planRecords } from './records/plan-records.ts';
import { VIDEO_KIND, videosById } from './records/record-rows.ts';
import { recordRoutes } from './records/records.route.ts';
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
  tables: {
    shows: ['id'],
    show_seasons: ['show_id', 'number'],
    show_episodes: ['show_id', 'season', 'number'],
    video_records: ['id'],
    followed_renames: ['journal_id'],
  },
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
    {
      path: '/v1/catalog/changes/videos',
      summary:
        'The change feed of recognised videos: what confirmed recognitions say of files. Its cursors are its own.',
      kinds: [VIDEO_KIND],
      // It names the server's folders.
      scope: 'EditCatalog',
      limit: { usual: 500, most: 2000 },
      page: VideoChangesPageSchema,
      async read(db, _kind, ids) {
        const videos = await videosById(db, ids);
        return new Map([...videos].flatMap(([id, row]) => (recordOf(row) === null ? [] : [[id, recordOf(row) ?? {}]])));
      },
    },
  ],
  imports: [{ lists: ['shows'], run: async (tx, { shows = [] }) => ({ shows: await importShows(tx, shows) }) }],
  keeping: {
    roots: [],
    named: () => Promise.resolve(new Set()),
    names: () => Promise.resolve(false),
    giveUp: () => Promise.resolve('Nothing was changed.'),
    contradictions: () => Promise.resolve([]),
    async *searched() {
      // Shows are found by their own columns.
    },
    fed: { show: 'shows', [VIDEO_KIND]: 'video_records' },
  },
  routes: (deps) => [...showRoutes(deps), ...recognizeRoutes(deps), ...recordRoutes(deps)],
  plans: {
    kinds: [recognizeMediaFile],
    records: planRecords,
    tools({ db, folders }) {
      const sources = { shows: catalogShows(db), media: lookIntoSeen(folders) };
      const complete = (given: PlanToolContext): VideoToolContext => ({ ...given, ...sources });
      return [inContext(getEpisodes, complete), inContext(getMediaMetadata, complete)];
    },
  },
};
