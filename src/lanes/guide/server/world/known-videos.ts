/** Shows and recognised videos of the catalog, as guides read them. */
import * as v from 'valibot';
import { ShowCatalog } from '#lanes/guide/core/repair/show-catalog.ts';
import { withAirDates } from '#lanes/guide/core/schedule/air-dates.ts';
import type { GuideVideo } from '#lanes/guide/core/schedule/xmltv.ts';
import { fedRecords } from '#server/feed/fed-records.ts';
import type { LaneServer } from '#server/lane-server.ts';
import type { Reader } from '#server/store/schema.ts';

export interface Known {
  db: Reader;
  lanes: readonly LaneServer[];
}

const Shows = v.object({
  shows: v.array(v.intersect([v.looseObject({ id: v.string() }), ShowCatalog.entries.shows.item])),
});

export async function knownCatalog({ db, lanes }: Known): Promise<v.InferOutput<typeof Shows>> {
  return v.parse(Shows, { shows: await fedRecords(db, lanes, 'show') });
}

const Video = v.looseObject({
  id: v.string(),
  show: v.object({ id: v.nullable(v.string()), title: v.nullable(v.string()) }),
  season: v.number(),
  episodes: v.array(v.number()),
  title: v.nullable(v.string()),
  seconds: v.nullable(v.number()),
});

/** Episodes that were recognised, each with what the catalog says of it. A schedule names a show by its id, else its title. */
export async function knownVideos(known: Known): Promise<GuideVideo[]> {
  const { shows } = await knownCatalog(known);
  const records = await fedRecords(known.db, known.lanes, 'video');
  const videos = records.flatMap((record): GuideVideo[] => {
    const { id, show, season, episodes, title, seconds } = v.parse(Video, record);
    const [episode = null] = episodes;
    const of = show.id ?? show.title;
    if (of === null) return [];
    // Containers say their length to the millisecond; a schedule goes by whole seconds, and cuts none off.
    const length = seconds === null ? null : Math.ceil(seconds);
    return [{ id, show: of, season, episode, seconds: length, title: show.title, episode_title: title, aired: null }];
  });
  return withAirDates(videos, shows);
}
