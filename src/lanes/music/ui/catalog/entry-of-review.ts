import { tried } from '#core/result.ts';
import { textKey } from '#core/text/similarity.ts';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { music } from '../client.ts';
import { draftOfReview } from './album-draft.ts';
import { missingTracks, ofName } from './album-there.ts';
import { AlbumEditor, openAlbum } from './catalog-editor.svelte.ts';

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
