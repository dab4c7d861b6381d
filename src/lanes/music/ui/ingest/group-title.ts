import type { MusicJob } from '#lanes/music/core/types.ts';

/** Album and artist of a group as far as they are known: from the match, else from the tags. */
export function groupTitle(jobs: readonly MusicJob[]): { title: string; by: string | null } | null {
  const matched = jobs.find((job) => job.matched_album !== null);
  const tagged = jobs.find((job) => job.evidence?.tags.album !== undefined);
  const tags = (matched ?? tagged)?.evidence?.tags;
  const option = matched?.match?.options.find((candidate) => candidate.track_id === matched.matched_track_id);
  const album = matched?.matched_album ?? tagged?.evidence?.tags.album;
  if (album === undefined || album === null) return null;
  return { title: album, by: tags?.albumartist ?? option?.artist ?? tags?.artist ?? null };
}
