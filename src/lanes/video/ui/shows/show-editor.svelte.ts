import { ok, type Result } from '#core/result.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { RequestKeys } from '#ui/editor/request-keys.ts';
import { showCatalog } from '../client.ts';
import type { DraftErrors } from '#ui/editor/field-check.ts';
import { checkShow, fieldOfShowMessage } from './show-check.ts';
import {
  emptyEpisode,
  emptySeason,
  showBody,
  ShowDraftSchema,
  type EpisodeDraft,
  type SeasonDraft,
  type ShowDraft,
} from './show-draft.ts';
import { countedRows, nextNumber, withPasted } from './show-rows.ts';
import { DraftEditor } from '#ui/editor/draft-editor.svelte.ts';

/** The show that is changed, as the server had it last. */
export interface EditedShow {
  show: Show;
  /** For `If-Match`; absent when the server could not be asked. */
  version: number | undefined;
}

/** The form of a show, its seasons and episodes; saved in one request, all or nothing. */
export class ShowEditor extends DraftEditor<ShowDraft> {
  edited: EditedShow | null;
  readonly #keys = new RequestKeys();

  /** The absolute number of each row, by its key: as typed, else counted. */
  readonly counted: ReadonlyMap<string, number> = $derived.by(() => countedRows(this.draft));
  /** Somebody else saved the show meanwhile. */
  readonly overtaken: boolean = $derived.by(() => this.edited !== null && this.failure?.code === 'conflict');

  /** `edited` is null for a new show. */
  constructor(slot: string, initial: ShowDraft, edited: EditedShow | null) {
    super(slot, initial, ShowDraftSchema);
    this.edited = $state.raw(edited);
  }

  protected check(draft: ShowDraft): DraftErrors {
    return checkShow(draft);
  }

  protected async send(): Promise<Result<string>> {
    const client = await showCatalog();
    const body = showBody($state.snapshot(this.draft));
    const sent =
      this.edited === null
        ? await client.createShow(body, this.#keys.of(body))
        : await client.patchShow(this.edited.show.id, body, this.edited.version);
    if (!sent.ok) return sent;
    const { version, ...show } = sent.value;
    if (this.edited !== null) this.edited = { show, version };
    return ok(show.id);
  }

  protected fieldOf(message: string): string | null {
    return fieldOfShowMessage(message, this.draft);
  }

  protected get rows(): readonly (SeasonDraft | EpisodeDraft)[] {
    return this.draft.seasons.flatMap((season) => [season, ...season.episodes]);
  }

  /** Puts this form over what somebody else saved: the next save does not ask for the version that was read. */
  insist(): void {
    if (this.edited !== null) this.edited = { ...this.edited, version: undefined };
  }

  /** The season after the last; `specials`: season 0. */
  addSeason(specials = false): SeasonDraft {
    const last = Math.max(0, ...this.draft.seasons.map(({ number }) => Number(number) || 0));
    const season = emptySeason(specials ? '0' : String(last + 1));
    this.draft.seasons.push(season);
    return season;
  }

  removeSeason(season: SeasonDraft): void {
    this.draft.seasons = this.draft.seasons.filter(({ key }) => key !== season.key);
  }

  addEpisode(season: SeasonDraft): void {
    season.episodes.push(emptyEpisode(nextNumber(season)));
  }

  /** Takes pasted rows over: those whose number is there fill in that row, the others are added in their order. */
  addEpisodes(season: SeasonDraft, rows: readonly EpisodeDraft[]): void {
    season.episodes = withPasted(season.episodes, rows);
  }

  removeEpisode(season: SeasonDraft, at: number): void {
    season.episodes.splice(at, 1);
  }
}
