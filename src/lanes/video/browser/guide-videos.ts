/** Recognised videos as schedules of channels read them: one a file, by its first episode. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { recordOf } from '#lanes/video/core/records/video-record.ts';
import { allRecords } from './records.ts';

export interface GuideVideoRow {
  id: string;
  show: string;
  season: number | null;
  episode: number | null;
  seconds: number | null;
  title: string | null;
  episode_title: string | null;
  aired: string | null;
}

export async function guideVideos(db: Pick<AccessionDb, 'video_records'>): Promise<GuideVideoRow[]> {
  return (await allRecords(db)).flatMap((row) => {
    const record = recordOf(row);
    if (record === null) return [];
    const { id, show, season, episodes, title, seconds } = record;
    const name = show.id ?? show.title;
    if (name === null) return [];
    // A schedule goes by whole seconds, and cuts none off.
    const length = seconds === null ? null : Math.ceil(seconds);
    return [
      {
        ...{ id, show: name, season, episode: episodes[0] ?? null, seconds: length },
        ...{ title: show.title, episode_title: title, aired: null },
      },
    ];
  });
}
