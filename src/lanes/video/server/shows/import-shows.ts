import { setImmediate } from 'node:timers/promises';
import type * as v from 'valibot';
import type { ImportCounts } from '#core/sync/fields.ts';
import type { Episode, Season, Show } from '#lanes/video/core/show-catalog.ts';
import { ShowSchema } from '#lanes/video/core/show-protocol.ts';
import { checkList, countWrites, refuse, type Problem } from '#server/import/import-file.ts';
import type { Tx } from '#server/store/schema.ts';
import { readShows } from './read-shows.ts';
import { showWrite, writeShows } from './write-shows.ts';

/**
 * The `shows` of a catalog file: all rows or none. A row says how its show, and each season and episode that it names,
 * shall be; seasons and episodes that it does not name stay. Throws HttpError 422 or 409 that names the bad rows.
 */
export async function importShows(tx: Tx, list: readonly unknown[]): Promise<ImportCounts> {
  const problems: Problem[] = [];
  const rows: v.InferOutput<typeof ShowSchema>[] = checkList('shows', ShowSchema, list, problems);
  refuse(problems);
  const existing = await readShows(
    tx,
    rows.map(({ id }) => id),
  );
  const writes = rows.flatMap((row) => {
    const before = existing.get(row.id) ?? null;
    const write = showWrite(before, before === null ? row : over(before, row));
    return write === null ? [] : [write];
  });
  await writeShows(tx, writes, () => setImmediate());
  return countWrites(rows.length, writes);
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
