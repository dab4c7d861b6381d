/** Shows on the workstation: their replica, and what the pages may ask of it. */
import type { BrowserLane, Workstation } from '#adapters/browser/lane-browser.ts';
import { readShowState } from '#adapters/browser/meta.ts';
import { toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { createShowClient } from '#lanes/video/http/show-client.ts';
import { pullShows } from './show-replica.ts';
import { findShows } from './shows.ts';

export interface ShowApi {
  /** Ids of shows of the replica whose title, or one of whose other titles, is near the words; best first. */
  searchShows(words: string, limit: number): Promise<Result<string[]>>;
}

export function openVideo({ db, server }: Workstation): BrowserLane {
  const client = createShowClient(server);
  const api: ShowApi = {
    async searchShows(words, limit) {
      try {
        return ok((await findShows(db, words, limit)).map(({ show }) => show.id));
      } catch (error) {
        return fail(toFailure(error));
      }
    },
  };
  const replica = {
    pull: (signal?: AbortSignal) => pullShows(db, client, signal),
    isComplete: async () => (await readShowState(db)).complete,
  };
  return { replicas: [replica], api };
}
