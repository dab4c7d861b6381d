/** Files of one question that are given to the album that another one is about. */
import { isMusicReview, type MusicReview } from '#lanes/music/core/types.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { reviews } from '#ui/review/reviews.svelte.ts';
import { albumsAsked } from '../covers/cover-choices.ts';
import { tracksOfAlbums } from './entries.ts';
import { fittingTracks } from './move-rows.ts';
import { rowPicks } from './row-picks.svelte.ts';
import type { RowPick } from './row-words.ts';

/** Open questions that files of this one can be given to, with the album that each is about. */
export function otherQuestions(review: Pick<MusicReview, 'id'>): { review: MusicReview; title: string }[] {
  return reviews.pending.filter(isMusicReview).flatMap((other) => {
    const [album] = other.id === review.id ? [] : albumsAsked(other);
    return album === undefined ? [] : [{ review: other, title: album.title }];
  });
}

/** UI-363: each gets the track that it fits there; one that fits none is asked about by itself. Says what it did. */
export async function giveToQuestion(from: string, jobs: readonly string[], to: MusicReview): Promise<void> {
  const source = reviews.pending.filter(isMusicReview).find(({ id }) => id === from);
  if (source === undefined) return;
  const files = source.files.filter(({ job_id }) => jobs.includes(job_id) && source.job_ids.includes(job_id));
  const [album] = albumsAsked(to);
  if (album === undefined) {
    toasts.say(
      'That question is about an album that the catalog does not have yet. Create it first, then move the row.',
    );
    return;
  }
  const tracks = (await tracksOfAlbums([album.id])).get(album.id) ?? [];
  const taken = takenBy(to);
  const fit = fittingTracks(
    files,
    tracks.filter(({ id }) => !taken.has(id)),
  );
  const picks = files.map(({ job_id }): [string, RowPick] => {
    const track = fit.get(job_id);
    return [job_id, { word: track === undefined ? 'ask' : `track:${track.id}`, album_id: null }];
  });
  rowPicks.setAll(source.id, new Map(picks));
  const [file] = files;
  const [track] = fit.values();
  if (files.length === 1 && file !== undefined)
    toasts.say(
      track === undefined
        ? `“${file.name}” fits no free track of “${album.title}”: it is asked about by itself.`
        : `“${file.name}” is “${track.title}” of “${album.title}” once you answer.`,
    );
  else toasts.say(`${fit.size} of ${files.length} files have a track of “${album.title}” once you answer.`);
}

/** Tracks that the question's own files are, as its first candidate has them. */
function takenBy({ options, files }: MusicReview): Set<string> {
  const pairs = options[0]?.album?.pairs ?? [];
  return new Set([
    ...pairs.flatMap(({ track_id }) => track_id ?? []),
    ...files.flatMap(({ proposed }) => proposed?.track_id ?? []),
  ]);
}
