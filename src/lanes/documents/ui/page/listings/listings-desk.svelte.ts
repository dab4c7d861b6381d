/** The form of listings: its list is kept in this browser, whatever is pressed. */
import { toFailure } from '#core/errors.ts';
import { EXPORT_FILES, exportRecords, type ExportFormat } from '#lanes/documents/core/export/export-records.ts';
import {
  faultsOf,
  fieldsOf,
  imported,
  listingsText,
  moved,
  NO_LISTINGS,
  saved,
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

  async load(): Promise<void> {
    if (this.ready) return;
    const manifest = await ask(documents().listings());
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
    const before = this.state;
    await this.#take(withoutShown(before));
    toasts.say('The listing is gone.', { label: 'Undo', run: () => void this.#take(before) });
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
    this.#show(state);
    await ask(documents().keepListings(state.manifest));
  }

  #show(state: ListingsState): void {
    this.state = state;
    const entry = shownEntry(state);
    this.fields = entry === undefined ? null : fieldsOf(entry);
  }
}

export const listings = new ListingsDesk();
