/** Shows on the workstation: their replica, and what the pages may ask of it. */
import type { BrowserLane, Workstation } from '#adapters/browser/lane-browser.ts';
import { readShowState, type ShowState } from '#adapters/browser/meta.ts';
import { answered, ok, type Result } from '#core/result.ts';
import { createShowClient, type ShowClient } from '#lanes/video/http/show-client.ts';
import { findShows } from './shows.ts';
import * as v from 'valibot';
import { ShowSchema, type ShowChangesPage, headOf, type Show } from '#lanes/video/core/show-catalog.ts';
import { readFeed } from '#core/sync/feed.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';

/**
 * The offline copy of the shows. They have a feed of their own, so that a workstation that knows no shows reads the
 * music's as ever, and one that has learnt of them begins this copy from nothing. A page and the cursor behind it are
 * one transaction; a torn pull is continued.
 */
const PAGE_SIZE = 100;

/**
 * Pulls until nothing more is there. What was applied before a failure stays. A server that has no shows yet is none:
 * nothing was applied. Answers how many changes were applied, and which shows did not fit the schema and were left out.
 */
export async function pullShows(
  db: AccessionDb,
  client: Pick<ShowClient, 'showChanges'>,
  signal?: AbortSignal,
  pageSize = PAGE_SIZE,
): Promise<Result<{ applied: number; skipped: string[] }>> {
  const total = { applied: 0, skipped: new Array<string>() };
  const refused = 'The server refused to list its shows.';
  const pulled = await readFeed<ShowChangesPage>({
    state: () => readShowState(db),
    changes: (cursor) => client.showChanges(cursor, pageSize, signal),
    async apply(page, cursor) {
      const skipped = await applyPage(db, page, cursor);
      if (skipped === null) return;
      total.applied += page.items.length;
      total.skipped.push(...skipped);
    },
    words: { refused, changed: refused, stuck: "The shows' feed of the server does not advance." },
  });
  return pulled.ok || pulled.failure.code === 'not_found' ? ok(total) : pulled;
}

/** Answers the ids that were left out; null, having written nothing, when the copy is no longer at the cursor. */
async function applyPage(db: AccessionDb, page: ShowChangesPage, cursor: string | null): Promise<string[] | null> {
  const put: Show[] = [];
  const gone: string[] = [];
  const skipped: string[] = [];
  for (const change of page.items) {
    if (change.kind !== 'show') continue;
    if (change.op === 'delete') gone.push(change.id);
    else {
      const show = v.safeParse(ShowSchema, change.record);
      if (show.success) put.push(show.output);
      else skipped.push(change.id);
    }
  }
  return db.transaction('rw', [db.shows, db.show_heads, db.meta], async () => {
    const stored = await readShowState(db);
    if (cursor === null) await Promise.all([db.shows.clear(), db.show_heads.clear()]);
    else if (stored.cursor !== cursor) return null;
    await Promise.all([db.shows.bulkPut(put), db.show_heads.bulkPut(put.map(headOf))]);
    await Promise.all([db.shows.bulkDelete(gone), db.show_heads.bulkDelete(gone)]);
    const complete = !page.more || (cursor !== null && stored.complete);
    const state: ShowState = { catalog_id: page.catalog_id, cursor: page.next_cursor, complete };
    if (JSON.stringify(state) !== JSON.stringify(stored)) await db.meta.put({ key: 'shows', value: state });
    return skipped;
  });
}

export type ShowApi = ReturnType<typeof showApi>;

const showApi = (db: AccessionDb) => ({
  /** Ids of shows of the replica whose title, or one of whose other titles, is near the words; best first. */
  searchShows: (words: string, limit: number) =>
    answered(async () => (await findShows(db, words, limit)).map(({ show }) => show.id)),
});

export function openVideo({ db, server }: Workstation): BrowserLane {
  const client = createShowClient(server);
  const replica = {
    pull: (signal?: AbortSignal) => pullShows(db, client, signal),
    isComplete: async () => (await readShowState(db)).complete,
  };
  return { replicas: [replica], api: showApi(db) };
}
