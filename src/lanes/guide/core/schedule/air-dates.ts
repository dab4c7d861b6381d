/** When an episode was first shown, as the catalog of shows has it. */
import type { ShowCatalog } from '../repair/show-catalog.ts';
import type { GuideVideo } from './xmltv.ts';

/** A show of the catalog with the id by which videos name it. */
export type KnownShow = ShowCatalog['shows'][number] & { id: string };

/** The videos with the days that are known of them. */
export function withAirDates(videos: readonly GuideVideo[], shows: readonly KnownShow[]): GuideVideo[] {
  const days = new Map<string, string>();
  for (const { id, seasons } of shows)
    for (const { number, episodes } of seasons)
      for (const { number: episode, air_date } of episodes)
        if (air_date) days.set(`${id} ${number} ${episode}`, air_date);
  return videos.map((video) => ({
    ...video,
    aired: video.aired ?? days.get(`${video.show} ${video.season} ${video.episode}`) ?? null,
  }));
}
