import { toFailure, type Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { checkDraft, fieldOfMessage } from '../album-check.ts';
import { emptyTrack, type AlbumDraft, type DraftErrors, type TrackDraft } from '../album-draft.ts';
import { RequestKeys, sendChanges, sendNewAlbum, type EditedAlbum } from '../album-send.ts';
import { forgetDraft, keepDraft, keptDraft } from '../draft-store.ts';

/** The form of the catalog's editor. What is typed is kept for this tab until it is saved or thrown away. */
export class AlbumEditor {
  draft = $state<AlbumDraft>({ title: '', artist: '', year: '', is_compilation: false, tracks: [] });
  saving = $state(false);
  /** What the server said that belongs to no field. */
  failure = $state.raw<Failure | null>(null);
  /** True when the form shows what was typed before and not saved. */
  restored = $state(false);
  /** Edit only: the artist gets the new name everywhere. */
  rename = $state(false);
  #asked = $state(false);
  #refused = $state.raw<{ field: string; value: string; words: string } | null>(null);
  #base = $state<AlbumDraft>(this.draft);
  readonly edited: EditedAlbum | null;
  readonly #slot: string;
  readonly #keys = new RequestKeys();

  /** Said at the fields, from the first try to save on. */
  readonly errors: DraftErrors = $derived.by(() => {
    const errors = this.#asked ? checkDraft(this.draft) : {};
    const refused = this.#refused;
    if (refused !== null && this.#valueOf(refused.field) === refused.value) errors[refused.field] ??= refused.words;
    return errors;
  });
  readonly dirty: boolean = $derived(JSON.stringify(this.draft) !== JSON.stringify(this.#base));
  readonly artistChanged: boolean = $derived(this.draft.artist.trim() !== this.#base.artist.trim());
  readonly formerArtist: string = $derived(this.#base.artist);

  /** `slot` names the draft among those kept; `edited` is null for a new album. */
  constructor(slot: string, initial: AlbumDraft, edited: EditedAlbum | null) {
    this.#slot = slot;
    this.edited = edited;
    this.#base = structuredClone(initial);
    const kept = keptDraft(slot);
    this.restored = kept !== null && JSON.stringify(kept) !== JSON.stringify(initial);
    this.draft = this.restored && kept !== null ? kept : structuredClone(initial);
  }

  /** Puts the draft away for this tab, or forgets it when it says nothing new. Call it from an effect. */
  keep(): void {
    if (this.dirty) keepDraft(this.#slot, $state.snapshot(this.draft));
    else forgetDraft(this.#slot);
  }

  startOver(): void {
    this.draft = $state.snapshot(this.#base);
    this.restored = false;
    this.failure = null;
    this.#asked = false;
    forgetDraft(this.#slot);
  }

  /** The album's id once the server has everything; null when something is to be corrected or tried again. */
  async save(): Promise<string | null> {
    this.#asked = true;
    this.failure = null;
    this.#refused = null;
    if (this.saving || Object.keys(checkDraft(this.draft)).length > 0) return null;
    this.saving = true;
    try {
      const sent = await this.#send();
      if (!sent.ok) {
        this.#say(sent.failure);
        return null;
      }
      this.#base = $state.snapshot(this.draft);
      forgetDraft(this.#slot);
      return sent.value;
    } catch (thrown) {
      this.#say(toFailure(thrown));
      return null;
    } finally {
      this.saving = false;
    }
  }

  async #send(): Promise<Result<string>> {
    if (this.edited === null) return sendNewAlbum($state.snapshot(this.draft), this.#keys);
    const sent = await sendChanges(this.edited, this.#base, this.draft, this.#keys, this.rename && this.artistChanged);
    return sent.ok ? { ok: true, value: this.edited.id } : sent;
  }

  #say(failure: Failure): void {
    const field = failure.code === 'invalid' || failure.code === 'conflict' ? this.#fieldOf(failure.message) : null;
    if (field === null) this.failure = failure;
    else this.#refused = { field, value: this.#valueOf(field), words: wordsOf(failure.message) };
  }

  #fieldOf(message: string): string | null {
    const taken = /^Disc (\d+), position (\d+) is taken/.exec(message);
    if (taken === null) return fieldOfMessage(message, this.draft);
    const row = this.draft.tracks.find(
      (track) => Number(track.disc) === Number(taken[1]) && Number(track.position) === Number(taken[2]),
    );
    return row === undefined ? null : `${row.key}.position`;
  }

  #valueOf(field: string): string {
    const [key, name] = field.split('.');
    const row = this.draft.tracks.find((track) => track.key === key);
    const wanted = row === undefined ? field : name;
    const [, value] = Object.entries(row ?? this.draft).find(([one]) => one === wanted) ?? [];
    return JSON.stringify(value ?? '');
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

/** The server's message without the name of the field, which it stands at. */
function wordsOf(message: string): string {
  const words = message.replace(/^(?:tracks\[\d+\] |body )?"[\w.]+": /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
