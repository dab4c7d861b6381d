import { liveQuery } from 'dexie';
import { tried } from '#core/result.ts';
import { textKey } from '#core/text/similarity.ts';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { db } from '#ui/client/db.ts';
import { music } from '../client.ts';
import { draftOfReview } from './album-draft.ts';
import { missingTracks, ofName } from './album-there.ts';
import { AlbumEditor, openAlbum } from './catalog-editor.svelte.ts';

/** How long an answer waits for the tracks that were saved for it, milliseconds. A server that is there tells of them in one. */
const ARRIVE_MS = 30_000;

/** The form that a question without options opens. */
export interface Entry {
  editor: AlbumEditor;
  /** UI-269: the album of that name, which came since it was asked; null: a new one is made. */
  there: string | null;
}

/** Filled in with what was read off the files: a new album, or what the album of that name and artist lacks. */
export async function entryOf(review: MusicReview): Promise<Entry> {
  const draft = draftOfReview(review);
  const words = `${draft.artist} ${draft.title}`.trim();
  const found = words === '' ? null : await tried(() => music().searchCatalog(words, 8));
  const id = found?.ok ? ofName(found.value.albums, draft, (text) => textKey(text).compact) : null;
  const opened = id === null ? null : await openAlbum(id);
  if (!opened?.ok) return { editor: new AlbumEditor(`review:${review.id}`, draft, null), there: null };
  const { editor, title } = opened.value;
  editor.addTracks(missingTracks(editor.draft, draft, (text) => textKey(text).compact));
  return { editor, there: title };
}

/**
 * Resolves when this device's copy of the catalog has all tracks that were saved, or after half a minute. An album that was
 * there before is known to the matcher without what was just added to it: files of those tracks would be asked about again.
 */
export function tracksArrive({ draft }: Pick<AlbumEditor, 'draft'>): Promise<void> {
  const ids = draft.tracks.flatMap(({ id }) => (id === null ? [] : [id]));
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, ARRIVE_MS);
    const subscription = liveQuery(() => db.tracks.bulkGet(ids)).subscribe({
      next: (tracks) => {
        if (tracks.every((track) => track !== undefined)) end();
      },
      // The database tells of its own fault elsewhere; the answer is not lost for it.
      error: end,
    });
  });
}
