/** The one place where shows are written: rows, change feed and search index together. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_EPISODES, MAX_SEASONS } from '#core/sync/shows.ts';
import { inOrder, type Show } from '#core/video/show-catalog.ts';
import { HttpError } from '../http/http-error.ts';
import { indexEntries, type Breathe, type SearchEntry } from '../search/search-index.ts';
import { orderKey } from '../search/terms.ts';
import { chunks } from '../store/chunks.ts';
import { appendChanges } from '../store/feed.ts';
import type { ShowEpisodeTable, ShowSeasonTable, ShowTable, Tx } from '../store/schema.ts';
import type { StoredShow } from './read-shows.ts';

/** A show to be written, and what it was before (null: it is new). */
export interface ShowWrite {
  show: StoredShow;
  before: StoredShow | null;
}

/** Bodies are within these; what they are put together with may go beyond, and no copy of the catalog would read it. */
function refuseTooMuch({ title, seasons }: Show): void {
  const full = seasons.find(({ episodes }) => episodes.length > MAX_EPISODES);
  if (seasons.length <= MAX_SEASONS && full === undefined) return;
  const what = full === undefined ? `${MAX_SEASONS} seasons` : `${MAX_EPISODES} episodes in season ${full.number}`;
  throw new HttpError('invalid', `"${title}" would have more than ${what}.`, { status: 422 });
}

/** What has to be written to get from `before` to `show`: nothing when they say the same, otherwise the next version. Throws HttpError 422. */
export function showWrite(before: StoredShow | null, show: Show): ShowWrite | null {
  refuseTooMuch(show);
  const next = { ...inOrder(show), version: before?.version ?? 1 };
  if (before === null) return { show: next, before };
  return isDeepStrictEqual(next, before) ? null : { show: { ...next, version: before.version + 1 }, before };
}

export async function writeShows(
  tx: Tx,
  writes: readonly ShowWrite[],
  breathe: Breathe = async () => {},
): Promise<void> {
  await clearParts(
    tx,
    writes.flatMap(({ show, before }) => (before === null ? [] : [show.id])),
  );
  for (const part of chunks(writes, 6)) {
    await tx
      .insertInto('shows')
      .values(part.map(({ show }) => rowOf(show)))
      .onConflict((c) =>
        c.column('id').doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          titles: eb.ref('excluded.titles'),
          year: eb.ref('excluded.year'),
          sort_key: eb.ref('excluded.sort_key'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute();
    await breathe();
  }
  const seasons = writes.flatMap(({ show }) => seasonsOf(show));
  for (const part of chunks(seasons, 3)) await tx.insertInto('show_seasons').values(part).execute();
  const episodes = writes.flatMap(({ show }) => episodesOf(show));
  for (const part of chunks(episodes, 6)) {
    await tx.insertInto('show_episodes').values(part).execute();
    await breathe();
  }
  await appendChanges(
    tx,
    writes.map(({ show }) => ({ kind: 'show', entity_id: show.id })),
  );
  const entry = ({ show }: ShowWrite): SearchEntry => {
    return { kind: 'show', id: show.id, texts: [show.title, ...show.titles, String(show.year ?? '')] };
  };
  await indexEntries(tx, writes.filter(({ before }) => before === null).map(entry), true, breathe);
  await indexEntries(tx, writes.filter(({ before }) => before !== null).map(entry), false, breathe);
}

/** Takes a show away with all that belongs to it; the feed tells of it. */
export async function removeShow(tx: Tx, id: string): Promise<void> {
  await clearParts(tx, [id]);
  await tx.deleteFrom('shows').where('id', '=', id).execute();
  await appendChanges(tx, [{ kind: 'show', entity_id: id }]);
  await indexEntries(tx, [{ kind: 'show', id, texts: [] }], false, async () => {});
}

/** Seasons and episodes have no ids of their own: those of a changed show are written anew. */
async function clearParts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const part of chunks(ids)) {
    await tx.deleteFrom('show_episodes').where('show_id', 'in', part).execute();
    await tx.deleteFrom('show_seasons').where('show_id', 'in', part).execute();
  }
}

function rowOf({ id, title, titles, year, version }: StoredShow): ShowTable {
  return { id, title, titles: JSON.stringify(titles), year, sort_key: orderKey(title), version };
}

function seasonsOf({ id, seasons }: Show): ShowSeasonTable[] {
  return seasons.map(({ number, title }) => ({ show_id: id, number, title }));
}

function episodesOf({ id, seasons }: Show): ShowEpisodeTable[] {
  return seasons.flatMap((season) =>
    season.episodes.map((episode) => ({ show_id: id, season: season.number, ...episode })),
  );
}
