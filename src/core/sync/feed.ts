/**
 * Reads a change feed to its end. Every copy of the server's records does: music's and the shows' in the browser, a headless
 * worker's in memory.
 *
 *   cursor --changes--> page --apply--> cursor' --> ... --> `more` is false
 *      ^                 | other catalog_id, or cursor not known
 *      +---- null <------+ (the old copy stays until the first page of the new one replaces it)
 */
import { failure } from '../errors.ts';
import { fail, ok, type Result } from '../result.ts';

/** A page of a change feed, or `start_over`: the server does not know the cursor (any more). */
export type FeedAnswer<Page> = { kind: 'page'; page: Page } | { kind: 'start_over' };

export interface FeedCopy<Page> {
  /** How far the copy is; a null cursor: it has nothing. */
  state(): Promise<{ catalog_id: string | null; cursor: string | null }>;
  changes(cursor: string | null): Promise<Result<FeedAnswer<Page>>>;
  /** Writes the page that follows `cursor`, and the cursor behind it; nothing where the copy is no longer there. */
  apply(page: Page, cursor: string | null): Promise<void>;
  /** Before the page of this number, from 0: true where the copy was brought on in another way. */
  jump?(cursor: string | null, pages: number): Promise<boolean>;
  /** The copy is about to begin anew: what follows may be cut off. */
  restart?(): Promise<void>;
  /** What is said where the server knows no cursor, is of another catalog again, or stays where it is. */
  words: { refused: string; changed: string; stuck: string };
}

/** What was applied before a failure stays. */
export async function readFeed<Page extends { catalog_id: string; next_cursor: string; more: boolean }>(
  copy: FeedCopy<Page>,
): Promise<Result<{ restarted: boolean }>> {
  let { catalog_id, cursor } = await copy.state();
  let restarted = false;
  for (let pages = 0; ; pages++) {
    if ((await copy.jump?.(cursor, pages)) === true) ({ catalog_id, cursor } = await copy.state());
    const answer = await copy.changes(cursor);
    if (!answer.ok) return answer;
    const page = answer.value.kind === 'page' ? answer.value.page : null;
    if (page === null || (cursor !== null && page.catalog_id !== catalog_id)) {
      if (cursor === null || restarted)
        return fail(failure('server_error', page === null ? copy.words.refused : copy.words.changed));
      await copy.restart?.();
      restarted = true;
      cursor = null;
      continue;
    }
    if (page.more && page.next_cursor === cursor) return fail(failure('server_error', copy.words.stuck));
    await copy.apply(page, cursor);
    // Where another tab was faster, this one goes on from where it got.
    ({ catalog_id, cursor } = await copy.state());
    if (!page.more) return ok({ restarted });
  }
}
