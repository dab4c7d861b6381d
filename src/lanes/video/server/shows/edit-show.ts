import type * as v from 'valibot';
import type { Ids } from '#core/ports.ts';
import type {
  Season,
  Show,
  EpisodeBodySchema,
  NewShowSchema,
  SeasonBodySchema,
  ShowPatchSchema,
} from '#lanes/video/core/show-catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { checkVersion, given } from '#server/http/editing.ts';
import type { Tx } from '#server/store/schema.ts';
import type { Place } from '#lanes/video/core/folder/known-show.ts';
import { readShow, type StoredShow } from './read-shows.ts';
import { removeShow, showWrite, writeShows } from './write-shows.ts';

/** Makes a show with its seasons and episodes. Throws HttpError 409 when the id is taken. */
export async function createShow(tx: Tx, ids: Ids, input: v.InferOutput<typeof NewShowSchema>): Promise<StoredShow> {
  const id = input.id ?? `sh_${ids.next()}`;
  if ((await readShow(tx, id)) !== null) throw new HttpError('conflict', `There is a show "${id}" already.`);
  return put(tx, null, { ...input, id });
}

/** Throws HttpError 404, 412. */
export async function deleteShow(tx: Tx, id: string, ifMatch: string | undefined): Promise<StoredShow> {
  const show = await existing(tx, id, ifMatch);
  await removeShow(tx, id);
  return show;
}

/** What is made of a show. Throws HttpError 404 for what it does not have. */
type Change = (show: Show) => Show;

/** Throws HttpError 404, 412. */
export async function changeShow(tx: Tx, id: string, ifMatch: string | undefined, next: Change): Promise<StoredShow> {
  const before = await existing(tx, id, ifMatch);
  return put(tx, before, next(before));
}

/** Changes the fields that the patch names. */
export function patched(patch: v.InferOutput<typeof ShowPatchSchema>): Change {
  return (show) => ({ ...show, ...given(patch) });
}

/** Makes or changes a season; without `episodes` it keeps those it has. */
export function seasonPut(number: number, { title, episodes }: v.InferOutput<typeof SeasonBodySchema>): Change {
  return (show) => withSeason(show, { number, title, episodes: episodes ?? seasonOf(show, number)?.episodes ?? [] });
}

/** Takes a season away with its episodes. */
export function seasonGone(number: number): Change {
  return (show) => {
    const seasons = show.seasons.filter((season) => season.number !== number);
    if (seasons.length === show.seasons.length) throw noSuch('season', number, show.id);
    return { ...show, seasons };
  };
}

/** Makes or changes an episode, and the season where there is none. */
export function episodePut({ season, episode }: Place, body: v.InferOutput<typeof EpisodeBodySchema>): Change {
  return (show) => {
    const into = seasonOf(show, season) ?? { number: season, title: null, episodes: [] };
    const others = into.episodes.filter((one) => one.number !== episode);
    return withSeason(show, { ...into, episodes: [...others, { number: episode, ...body }] });
  };
}

export function episodeGone({ season, episode }: Place): Change {
  return (show) => {
    const from = seasonOf(show, season);
    const episodes = from?.episodes.filter((one) => one.number !== episode) ?? [];
    if (from === undefined || episodes.length === from.episodes.length) throw noSuch('episode', episode, show.id);
    return withSeason(show, { ...from, episodes });
  };
}

async function existing(tx: Tx, id: string, ifMatch: string | undefined): Promise<StoredShow> {
  const show = await readShow(tx, id);
  if (show === null) throw new HttpError('not_found', `There is no show "${id}".`);
  checkVersion(ifMatch, show);
  return show;
}

async function put(tx: Tx, before: StoredShow | null, show: Show): Promise<StoredShow> {
  const write = showWrite(before, show);
  if (write !== null) await writeShows(tx, [write]);
  return write?.row ?? { ...show, version: before?.version ?? 1 };
}

function seasonOf(show: Show, number: number): Season | undefined {
  return show.seasons.find((season) => season.number === number);
}

function withSeason(show: Show, season: Season): Show {
  return { ...show, seasons: [...show.seasons.filter(({ number }) => number !== season.number), season] };
}

function noSuch(what: 'season' | 'episode', number: number, id: string): HttpError {
  return new HttpError('not_found', `The show "${id}" has no such ${what} ${number}.`);
}
