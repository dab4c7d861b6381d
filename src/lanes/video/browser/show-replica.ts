/**
 * The offline copy of the shows. They have a feed of their own, so that a workstation that knows no shows reads the
 * music's as ever, and one that has learnt of them begins this copy from nothing. A page and the cursor behind it are
 * one transaction; a torn pull is continued.
 */
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { ShowSchema, type ShowChangesPage, headOf, type Show } from '#lanes/video/core/show-catalog.ts';
import type { ShowClient } from '#lanes/video/http/show-client.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readShowState, type ShowState } from '#adapters/browser/meta.ts';

const PAGE_SIZE = 100;

export interface PulledShows {
  /** Changes applied. */
  applied: number;
  /** Shows that did not fit the schema and were left out. */
  skipped: string[];
}

/**
 * Pulls until nothing more is there. What was applied before a failure stays. A server that has no shows yet is none:
 * nothing was applied.
 */
export async function pullShows(
  db: AccessionDb,
  client: Pick<ShowClient, 'showChanges'>,
  signal?: AbortSignal,
  pageSize = PAGE_SIZE,
): Promise<Result<PulledShows>> {
  const total: PulledShows = { applied: 0, skipped: [] };
  let state = await readShowState(db);
  let cursor = state.cursor;
  let restarted = false;
  for (;;) {
    const answer = await client.showChanges(cursor, pageSize, signal);
    if (!answer.ok) return answer.failure.code === 'not_found' ? ok(total) : answer;
    const page = answer.value.kind === 'page' ? answer.value.page : null;
    if (page === null || (cursor !== null && page.catalog_id !== state.catalog_id)) {
      if (cursor === null || restarted) return fail(failure('server_error', 'The server refused to list its shows.'));
      restarted = true;
      cursor = null;
      continue;
    }
    if (page.more && page.next_cursor === cursor)
      return fail(failure('server_error', "The shows' feed of the server does not advance."));
    const skipped = await applyPage(db, page, cursor);
    if (skipped !== null) {
      total.applied += page.items.length;
      total.skipped.push(...skipped);
    }
    // Where another tab was faster, this one goes on from where it got.
    state = await readShowState(db);
    cursor = state.cursor;
    if (!page.more) return ok(total);
  }
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
