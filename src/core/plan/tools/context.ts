import type { Provenance, ToolLimits } from '../../agent/tools/tool.ts';
import type { MediaFolders } from '../folder-files.ts';
import type { PlanService } from '../plan-service.ts';

/** What the tools of plans may reach: folders that may be seen, plans, and a catalog of shows where there is one. */
export interface PlanToolContext {
  plans: Pick<PlanService, 'begin' | 'addRecognized' | 'addRename' | 'end'>;
  folders: MediaFolders;
  shows: ShowSource;
  media: MediaSource;
  /** Who calls, as the plan names its maker. */
  by: string;
}

/** The catalog of shows by need; empty where there is none. */
export interface ShowSource {
  /** Best first. */
  find(words: string): Promise<FoundShow[]>;
  /** Of one season, or of all of them; null where there is no such show. */
  episodes(showId: string, season: number | null): Promise<{ show: FoundShow; episodes: FoundEpisode[] } | null>;
  /** Names the state that was looked at, for provenance. */
  cursor(): string;
}

export interface FoundShow {
  id: string;
  title: string;
  year: number | null;
}

export interface FoundEpisode {
  season: number;
  episode: number;
  title: string | null;
  /** ISO 8601 day. */
  air_date: string | null;
  absolute: number | null;
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

export const NO_SHOWS: ShowSource = {
  find: () => Promise.resolve([]),
  episodes: () => Promise.resolve(null),
  cursor: () => 'none',
};
export const NO_MEDIA: MediaSource = { look: () => Promise.resolve(null) };

/** A look costs little; how many are of use is the workflow's to bound. */
export const READ_LIMITS: ToolLimits = { cooldownMs: 0, retries: 1, calls: 60, perMinute: 1200 };
/** What is written is not tried again by itself: the same call says that it was made. */
export const WRITE_LIMITS: ToolLimits = { cooldownMs: 0, retries: 0, calls: 5000, perMinute: 12_000 };

export function fromFolder(folder: string): Provenance[] {
  return [{ source: 'folder', ref: folder }];
}

export function fromPlan(id: string): Provenance[] {
  return [{ source: 'plan', ref: id }];
}
