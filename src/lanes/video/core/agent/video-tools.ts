/** Tools that look at a folder of videos and at the catalog of shows. */
import * as v from 'valibot';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { AgentTool, ToolRun } from '#core/agent/tools/tool.ts';
import { foundIn, insideOf, openFolder } from '#core/plan/folder-files.ts';
import { counted, filePath, FolderPath, fromFolder, listFiles, type PlanToolContext } from '#core/plan/plan-tools.ts';
import type { FoundEpisodes, FoundShow } from '../show-catalog.ts';

/** What these tools may reach: folders that may be seen, what is in their files, and shows where there is a catalog. */
export interface VideoToolContext extends PlanToolContext {
  shows: ShowSource;
  media: MediaSource;
}

/** The catalog of shows by need; empty where there is none. */
export interface ShowSource {
  /** Best first. */
  find(words: string): Promise<FoundShow[]>;
  /** Of one season, or of all of them; null where there is no such show. */
  episodes(showId: string, season: number | null): Promise<FoundEpisodes | null>;
  /** Names the state that was read, for provenance. */
  cursor(): string;
}

/** What is in a file, where something here can look into it. */
export interface MediaSource {
  /** Null where nothing is known beyond what the folder's listing says. */
  look(mediaFolderPath: string, path: string): Promise<MediaFacts | null>;
}

export interface MediaFacts {
  /** Seconds. */
  duration: number | null;
  /** `video h264 1920x1080`, `audio aac ja`, `subtitle en`. */
  streams: string[];
}

const MOST_SHOWS = 8;
const MOST_EPISODES = 2000;

export const getEpisodes = readTool({
  name: 'getEpisodes',
  description: 'The episodes of a show as the catalog knows them: titles, air dates, numbers counted over all seasons.',
  input: v.strictObject({
    show: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('The title of the show, or its ID')),
    season: v.optional(counted('One season only; 0 for specials')),
  }),
  output: v.strictObject({
    /** What the words found, best first; the episodes are of the first. */
    shows: v.array(v.strictObject({ id: v.string(), title: v.string(), year: v.nullable(v.number()) })),
    episodes: v.array(
      v.strictObject({
        season: v.number(),
        episode: v.number(),
        title: v.nullable(v.string()),
        air_date: v.nullable(v.string()),
        absolute: v.nullable(v.number()),
      }),
    ),
  }),
  shows: ({ shows }) => shows.map(({ id }) => ({ kind: 'show', id })),
  render: ({ shows, episodes }, handle) => ({
    shows: shows.map(({ id, title, year }) => ({ show: handle('show', id), title: quiet(title), year })),
    episodes: episodes.map((episode) => ({ ...episode, title: quiet(episode.title) })),
  }),
  async execute({ show, season }, { context: { shows } }: ToolRun<VideoToolContext>) {
    const named = await shows.episodes(show, season ?? null);
    const found = named ? [named.show] : (await shows.find(show)).slice(0, MOST_SHOWS);
    const [best] = found;
    const of = named ?? (best ? await shows.episodes(best.id, season ?? null) : null);
    return {
      ok: true,
      output: { shows: found, episodes: (of?.episodes ?? []).slice(0, MOST_EPISODES) },
      provenance: [{ source: 'catalog', ref: `cursor ${shows.cursor()}` }],
    };
  },
});

export const getMediaMetadata = readTool({
  name: 'getMediaMetadata',
  description: 'What is known of one file: size, time of change and, where it can be looked into, length and streams.',
  input: v.strictObject({ mediaFolderPath: FolderPath, path: filePath('The file, as listFiles says it') }),
  output: v.strictObject({
    path: v.string(),
    /** Bytes. */
    size: v.number(),
    /** Milliseconds since the epoch; 0 unknown. */
    modified: v.number(),
    /** Seconds; null where nothing here read the file. */
    duration: v.nullable(v.number()),
    streams: v.array(v.string()),
  }),
  references: { path: 'file' },
  render: (file, handle) => ({
    ...file,
    path: quiet(file.path),
    file: handle('file', file.path),
    streams: file.streams.flatMap((stream) => quiet(stream) ?? []),
  }),
  async execute({ mediaFolderPath, path }, { context }: ToolRun<VideoToolContext>) {
    const { folder, tree } = await openFolder(context.folders, mediaFolderPath);
    const file = foundIn(folder, path, await tree.stat(insideOf(folder, path)));
    const { duration, streams } = (await context.media.look(folder, file.path)) ?? { duration: null, streams: [] };
    return { ok: true, output: { ...file, duration, streams }, provenance: fromFolder(folder) };
  },
});

/** Tools that only look. */
export const VIDEO_READ_TOOLS: readonly AgentTool<VideoToolContext>[] = [listFiles, getEpisodes, getMediaMetadata];
