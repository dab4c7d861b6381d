/** The form of listings: its list is kept in this browser, whatever is pressed. */
import type { Manifest } from '#core/documents/manifest-form.ts';
import { toFailure } from '#core/errors.ts';
import { changedOver } from '#lanes/documents/core/listings/changed-over.ts';
import { EXPORT_FILES, exportRecords, type ExportFormat } from '#lanes/documents/core/export/export-records.ts';
import {
  faultsOf,
  fieldsOf,
  imported,
  listingsText,
  moved,
  NO_LISTINGS,
  saved,
  takenOver,
  shownEntry,
  withoutShown,
  type EntryFields,
  type ListingsState,
} from '#lanes/documents/core/listings/edit-listings.ts';
import { ask } from '#ui/client/workers.ts';
import { downloadBlob } from '#ui/parts/download.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { documents } from '../../client.ts';

class ListingsDesk {
  state = $state.raw<ListingsState>(NO_LISTINGS);
  fields = $state<EntryFields | null>(null);
  mode = $state<'edit' | 'import'>('edit');
  ready = $state(false);
  /** What is pasted. */
  text = $state('');

  readonly entry = $derived(shownEntry(this.state));
  readonly count = $derived(this.state.manifest.entries.length);
  readonly faults = $derived(this.fields === null ? {} : faultsOf(this.fields));

  /** What another page did meanwhile is seen each time. */
  async load(): Promise<void> {
    const known = this.state;
    const manifest = await ask(documents().listings());
    if (manifest !== null && this.ready) this.#takeOver(known, manifest);
    if (this.ready) return;
    if (manifest !== null) this.#show({ manifest, at: 0 });
    this.mode = this.count > 0 ? 'edit' : 'import';
    this.ready = true;
  }

  /** What was typed is kept, too. */
  async save(complete = false): Promise<void> {
    if (this.fields === null) return;
    await this.#take(saved(this.state, this.fields, complete));
    toasts.say(complete ? 'Complete.' : 'Saved.');
  }

  async go(by: 1 | -1): Promise<void> {
    const kept = this.fields === null ? this.state : saved(this.state, this.fields);
    await this.#take(moved(kept, by));
  }

  async delete(): Promise<void> {
    const [before, after] = [this.state, withoutShown(this.state)];
    await this.#take(after);
    toasts.say('The listing is gone.', { label: 'Undo', run: () => void this.#bringBack(before, after) });
  }

  /** The one that is gone between the two, and nothing else: what was changed since stays. */
  async #bringBack(before: ListingsState, after: ListingsState): Promise<void> {
    const manifest = changedOver(this.state.manifest, after.manifest, before.manifest);
    const gone = shownEntry(before)?.id;
    const at = manifest.entries.findIndex(({ id }) => id === gone);
    await this.#take({ manifest, at: Math.max(0, at) });
  }

  async runImport(): Promise<void> {
    try {
      const { state, listed, fresh, why } = await imported(this.state, this.text, new Date().toISOString());
      if (why !== null) {
        toasts.say(why);
        return;
      }
      await this.#take(state);
      this.text = '';
      this.mode = 'edit';
      toasts.say(`${plural(listed, 'listing')} found, ${fresh} new.`);
    } catch (thrown) {
      toasts.fail(toFailure(thrown));
    }
  }

  saveToFile(format: ExportFormat | 'manifest'): void {
    if (format === 'manifest')
      return downloadBlob('manifest.json', new Blob([listingsText(this.state)], { type: 'application/json' }));
    const { type, ending } = EXPORT_FILES[format];
    downloadBlob(`listings${ending}`, new Blob([exportRecords(this.state.manifest.entries, format)], { type }));
  }

  async #take(state: ListingsState): Promise<void> {
    const before = this.state.manifest;
    this.#show(state);
    const kept = await ask(documents().keepListings(before, state.manifest));
    if (kept !== null) this.#takeOver(state, kept);
  }

  /** Unless something was done to it since: that is on its way, and is answered with all of it. */
  #takeOver(known: ListingsState, kept: Manifest): void {
    if (this.state.manifest === known.manifest)
      ({ state: this.state, fields: this.fields } = takenOver(this.state, $state.snapshot(this.fields), kept));
  }

  #show(state: ListingsState): void {
    this.state = state;
    const entry = shownEntry(state);
    this.fields = entry === undefined ? null : fieldsOf(entry);
  }
}

export const listings = new ListingsDesk();
