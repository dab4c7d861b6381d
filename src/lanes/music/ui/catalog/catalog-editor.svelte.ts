import type { Failure } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import { checkDraft, fieldOfMessage } from './album-check.ts';
import { AlbumDraftSchema, draftOfAlbum, emptyTrack, type AlbumDraft, type TrackDraft } from './album-draft.ts';
import { loadAlbum } from './album-load.ts';
import { RequestKeys } from '#ui/editor/request-keys.ts';
import { sendChanges, sendNewAlbum, type EditedAlbum } from './album-send.ts';
import type { DraftErrors } from '#ui/editor/field-check.ts';
import { DraftEditor } from '#ui/editor/draft-editor.svelte.ts';

/** The form of an album and its tracks. */
export class AlbumEditor extends DraftEditor<AlbumDraft> {
  /** Edit only: the artist gets the new name everywhere. */
  rename = $state(false);
  readonly edited: EditedAlbum | null;
  readonly #keys = new RequestKeys();

  readonly artistChanged: boolean = $derived(this.draft.artist.trim() !== this.base.artist.trim());
  readonly formerArtist: string = $derived(this.base.artist);

  /** `edited` is null for a new album. */
  constructor(slot: string, initial: AlbumDraft, edited: EditedAlbum | null) {
    super(slot, initial, AlbumDraftSchema);
    this.edited = edited;
  }

  protected check(draft: AlbumDraft): DraftErrors {
    return checkDraft(draft);
  }

  protected async send(): Promise<Result<string>> {
    if (this.edited === null) return sendNewAlbum($state.snapshot(this.draft), this.#keys);
    const sent = await sendChanges(this.edited, this.base, this.draft, this.#keys, this.rename && this.artistChanged);
    return sent.ok ? ok(this.edited.id) : sent;
  }

  protected fieldOf(message: string): string | null {
    const taken = /^Disc (\d+), position (\d+) is taken/.exec(message);
    if (taken === null) return fieldOfMessage(message, this.draft);
    const row = this.draft.tracks.find(
      (track) => Number(track.disc) === Number(taken[1]) && Number(track.position) === Number(taken[2]),
    );
    return row === undefined ? null : `${row.key}.position`;
  }

  protected get rows(): readonly TrackDraft[] {
    return this.draft.tracks;
  }

  addTrack(): TrackDraft {
    const last = this.draft.tracks.at(-1);
    const row = last === undefined ? emptyTrack() : emptyTrack(last.disc, String((Number(last.position) || 0) + 1));
    this.draft.tracks.push(row);
    return row;
  }

  /** Appends pasted rows; an untouched first row makes room for them. */
  addTracks(rows: readonly TrackDraft[]): void {
    const kept = this.draft.tracks.filter((row) => row.id !== null || row.title.trim() !== '');
    this.draft.tracks = [...kept, ...rows];
  }

  removeTrack(at: number): void {
    const [gone] = this.draft.tracks.splice(at, 1);
    if (gone === undefined) return;
    // What followed it on its disc moves up.
    for (const row of this.draft.tracks.slice(at)) {
      const position = Number(row.position);
      if (row.disc === gone.disc && position > Number(gone.position)) row.position = String(position - 1);
    }
  }

  /** Changes places with the row above (-1) or below (1): the places stay, the tracks move. */
  moveTrack(at: number, step: -1 | 1): void {
    const row = this.draft.tracks[at];
    const other = this.draft.tracks[at + step];
    if (row === undefined || other === undefined) return;
    [row.disc, other.disc] = [other.disc, row.disc];
    [row.position, other.position] = [other.position, row.position];
    this.draft.tracks[at] = other;
    this.draft.tracks[at + step] = row;
  }
}

/** The form of an album of the catalog; `trouble`: why the server could not be asked for it, or null. */
export async function openAlbum(
  id: string,
): Promise<Result<{ editor: AlbumEditor; title: string; trouble: Failure | null }>> {
  const loaded = await loadAlbum(id);
  if (!loaded.ok) return loaded;
  const { album, tracks, version, trouble } = loaded.value;
  const edited = { id, artist_id: album.artist_id, version };
  const editor = new AlbumEditor(`album:${id}`, draftOfAlbum(album, tracks), edited);
  return ok({ editor, title: album.title, trouble });
}
