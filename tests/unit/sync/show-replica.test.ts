import { describe, expect, test } from 'vitest';
import { readShowState } from '#adapters/browser/meta.ts';
import { pullShows } from '#lanes/video/browser/open-video.ts';
import { showById, showByTitle, shows } from '#lanes/video/browser/shows.ts';
import type { ShowChangesAnswer } from '#lanes/video/http/show-client.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { ShowChangesPage } from '#lanes/video/core/show-catalog.ts';
import { openDb } from './world.ts';

type Change = ShowChangesPage['items'][number];

const put = (id: string, title = id, episodes = 1): Change => {
  const season = { number: 1, episodes: Array.from({ length: episodes }, (_, at) => ({ number: at + 1 })) };
  return { kind: 'show', id, op: 'put', record: { id, title, seasons: [season] } };
};
const gone = (id: string): Change => ({ kind: 'show', id, op: 'delete', record: null });

/** The shows' feed of a server: a cursor is a number of its catalog. */
class Feed {
  catalog = 'cat-1';
  changes: Change[] = [];
  asked: (string | null)[] = [];
  refuse: Result<ShowChangesAnswer> | null = null;

  showChanges = (cursor: string | null, limit: number): Promise<Result<ShowChangesAnswer>> => {
    this.asked.push(cursor);
    if (this.refuse !== null) return Promise.resolve(this.refuse);
    const [of, seq] = cursor === null ? [this.catalog, '0'] : cursor.split('.');
    if (of !== this.catalog) return Promise.resolve(ok({ kind: 'start_over' }));
    const items = this.changes.slice(Number(seq), Number(seq) + limit);
    const next = Number(seq) + items.length;
    const page = { items, next_cursor: `${this.catalog}.${next}`, more: next < this.changes.length };
    return Promise.resolve(ok({ kind: 'page', page: { ...page, catalog_id: this.catalog } }));
  };
}

const titles = async (db: ReturnType<typeof openDb>) => (await shows(db)).map(({ title }) => title);

describe('the copy of the shows', () => {
  test('SHOW-8: it is read page by page from its own cursor, and followed from there', async () => {
    const [db, feed] = [openDb(), new Feed()];
    feed.changes = [put('s2', 'Zebra'), put('s1', 'Anchor', 3), put('s3', 'Moon')];
    expect(await pullShows(db, feed, undefined, 2)).toEqual(ok({ applied: 3, skipped: [] }));
    expect(await titles(db)).toEqual(['Anchor', 'Moon', 'Zebra']);
    expect((await showById(db, 's1'))?.seasons[0]?.episodes).toHaveLength(3);
    feed.changes.push(gone('s2'), put('s3', 'Moonlight'));
    await pullShows(db, feed);
    expect(await titles(db)).toEqual(['Anchor', 'Moonlight']);
    expect(await showById(db, 's2')).toBeNull();
    expect(feed.asked).toEqual([null, 'cat-1.2', 'cat-1.3']);
    expect(await readShowState(db)).toEqual({ catalog_id: 'cat-1', cursor: 'cat-1.5', complete: true });
  });

  test('SHOW-8, SHOW-16: kinds that are not known and a show that cannot be read do not hold up the others', async () => {
    const [db, feed] = [openDb(), new Feed()];
    const film: Change = { kind: 'film', id: 'f', op: 'put', record: {} };
    feed.changes = [film, { ...put('bad'), record: { id: 'bad' } }, put('s1', 'Anchor')];
    expect(await pullShows(db, feed)).toEqual(ok({ applied: 3, skipped: ['bad'] }));
    expect(await titles(db)).toEqual(['Anchor']);
  });

  test("SHOW-8, SHOW-16: another catalog's shows replace those that were there", async () => {
    const [db, feed] = [openDb(), new Feed()];
    feed.changes = [put('s1', 'Anchor')];
    await pullShows(db, feed);
    feed.catalog = 'cat-2';
    feed.changes = [put('s9', 'Other')];
    await pullShows(db, feed);
    expect(await titles(db)).toEqual(['Other']);
  });

  test('SHOW-8, SHOW-16: a server that knows no shows, or cannot answer, takes nothing away', async () => {
    const [db, feed] = [openDb(), new Feed()];
    feed.changes = [put('s1', 'Anchor')];
    await pullShows(db, feed);
    feed.refuse = fail(failure('not_found', 'There is nothing here.'));
    expect(await pullShows(db, feed)).toEqual(ok({ applied: 0, skipped: [] }));
    feed.refuse = fail(failure('offline', 'It is not there.'));
    expect((await pullShows(db, feed)).ok).toBe(false);
    expect(await titles(db)).toEqual(['Anchor']);
  });

  test('SHOW-9: a show is found offline by its title or another one, mistyped, with all its episodes', async () => {
    const [db, feed] = [openDb(), new Feed()];
    feed.changes = [put('s1', 'Anchor Street', 2), put('s2', 'Moon')];
    await pullShows(db, feed);
    const hits = await showByTitle(db, 'ancor.street');
    expect(hits.map(({ show, matched }) => [show.id, matched])).toEqual([['s1', 'Anchor Street']]);
    expect(hits[0]?.show.seasons[0]?.episodes).toHaveLength(2);
    expect(await showByTitle(db, 'qqqq')).toEqual([]);
  });
});
