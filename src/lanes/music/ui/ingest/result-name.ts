import type { MusicJob } from '#lanes/music/core/types.ts';

/** Folder and name of a track's file, as its album has it; null where it is of none. */
export function resultName({ match, matched_track_id, matched_album, matched_title }: MusicJob): string[] | null {
  const track = match?.options.find(({ track_id }) => track_id === matched_track_id);
  const title = track?.title ?? matched_title;
  if (title === null || title === undefined) return null;
  const place =
    track === undefined ? '' : `${track.disc > 1 ? `${track.disc}-` : ''}${String(track.position).padStart(2, '0')} `;
  const album = track?.album ?? matched_album;
  const folder = track === undefined ? album : `${track.artist} - ${album}`;
  return [...(folder === null ? [] : [folder]), `${place}${title}`];
}
