/** The one place where shows are written: rows, change feed and search index together. */
import {
  inOrder,
  type Show,
  type Episode,
  type Season,
  MAX_EPISODES,
  MAX_SEASONS,
  ShowSchema,
} from '#lanes/video/core/show-catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { indexEntries, type SearchEntry } from '#server/search/search-index.ts';
import { orderKey } from '#server/search/terms.ts';
import { appendChanges } from '#server/store/feed.ts';
import { chunks, upsert, writeOf, type Breathe, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import {
  type StoredShow,
  type ShowEpisodeTable,
  type ShowSeasonTable,
  type ShowTable,
  readShows,
} from './read-shows.ts';
import { createTurns } from '#server/turns.ts';
import type * as v from 'valibot';
import type { ImportCounts } from '#core/sync/fields.ts';
import { checkRows, Problems, WriteCounts } from '#server/import/import-file.ts';

/** Bodies are within these; what they are put together with may go beyond, and no copy of the catalog would read it. */
function refuseTooMuch({ title, seasons }: Show): void {
  const full = seasons.find(({ episodes }) => episodes.length > MAX_EPISODES);
  if (seasons.length <= MAX_SEASONS && full === undefined) return;
  const what = full === undefined ? `${MAX_SEASONS} seasons` : `${MAX_EPISODES} episodes in season ${full.number}`;
  throw new HttpError('invalid', `"${title}" would have more than ${what}.`, { status: 422 });
}

/** As `writeOf`: nothing when they say the same, otherwise the next version. Throws HttpError 422. */
export function showWrite(before: StoredShow | null, show: Show): Write<StoredShow> | null {
  refuseTooMuch(show);
  return writeOf(before, { ...inOrder(show), version: 1 });
}

export async function writeShows(
  tx: Tx,
  writes: readonly Write<StoredShow>[],
  breathe: Breathe = async () => {},
): Promise<void> {
  const shows = writes.map(({ row }) => row);
  const former = new Set(writes.flatMap(({ before }) => (before === null ? [] : [before.id])));
  await clearParts(tx, [...former]);
  await upsert(tx, 'shows', shows.map(rowOf), {}, breathe);
  for (const part of chunks(shows.flatMap(seasonsOf), 3)) await tx.insertInto('show_seasons').values(part).execute();
  for (const part of chunks(shows.flatMap(episodesOf), 6)) {
    await tx.insertInto('show_episodes').values(part).execute();
    await breathe();
  }
  await appendChanges(
    tx,
    shows.map(({ id }) => ({ kind: 'show', entity_id: id })),
  );
  const entries = shows.map(({ id, title, titles, year }): SearchEntry => {
    return { kind: 'show', id, texts: [title, ...titles, String(year ?? '')] };
  });
  const isKnown = ({ id }: SearchEntry): boolean => former.has(id);
  await indexEntries(tx, { fresh: entries.filter((one) => !isKnown(one)), known: entries.filter(isKnown) }, breathe);
}

/** Deletes a show with all that belongs to it, and appends that to the feed. */
export async function removeShow(tx: Tx, id: string): Promise<void> {
  await clearParts(tx, [id]);
  await tx.deleteFrom('shows').where('id', '=', id).execute();
  await appendChanges(tx, [{ kind: 'show', entity_id: id }]);
  await indexEntries(tx, { known: [{ kind: 'show', id, texts: [] }] }, async () => {});
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

/**
 * The `shows` of a catalog file: all rows or none. A row says how its show, and each season and episode that it names,
 * shall be; seasons and episodes that it does not name stay. Throws HttpError 422 or 409 that names the bad rows.
 */
export async function importShows(tx: Tx, list: Iterable<unknown>): Promise<ImportCounts> {
  const problems = new Problems();
  const rows: v.InferOutput<typeof ShowSchema>[] = [];
  await checkRows('shows', ShowSchema, list, problems, (row) => rows.push(row));
  problems.refuse();
  const existing = await readShows(
    tx,
    rows.map(({ id }) => id),
  );
  const turns = createTurns();
  const writes: Write<StoredShow>[] = [];
  const counts = new WriteCounts();
  await turns.each(rows, (row) => {
    const before = existing.get(row.id) ?? null;
    const write = showWrite(before, before === null ? row : over(before, row));
    counts.count(write);
    if (write !== null) writes.push(write);
  });
  await writeShows(tx, writes, turns.rest);
  return counts.counts();
}

function over(before: Show, row: Show): Show {
  const seasons = byNumber<Season>(before.seasons);
  for (const season of row.seasons) {
    const episodes = byNumber<Episode>(seasons.get(season.number)?.episodes ?? []);
    for (const episode of season.episodes) episodes.set(episode.number, episode);
    seasons.set(season.number, { ...season, episodes: [...episodes.values()] });
  }
  return { ...row, seasons: [...seasons.values()] };
}

const byNumber = <T extends { number: number }>(list: readonly T[]): Map<number, T> =>
  new Map(list.map((one) => [one.number, one]));
