import type * as v from 'valibot';
import type { Failure } from '#core/errors.ts';
import { tried, type Result } from '#core/result.ts';
import { forgetDraft, keepDraft, keptDraft } from './draft-store.ts';
import type { DraftErrors } from './field-check.ts';

/**
 * A form of the catalog's editor. What is typed is kept for this tab until it is saved or thrown away; what is wrong is
 * said at its field, what the server said that belongs to no field is shown above.
 */
export abstract class DraftEditor<D extends object> {
  draft: D;
  /** The form as it was when nothing was typed, and follows what was saved. */
  protected base: D;
  saving = $state(false);
  /** What the server said that belongs to no field. */
  failure = $state.raw<Failure | null>(null);
  /** True when the form shows what was typed before and not saved. */
  restored = $state(false);
  #asked = $state(false);
  #refused = $state.raw<{ field: string; value: string; words: string } | null>(null);
  readonly #slot: string;

  /** Said at the fields, from the first try to save on. */
  readonly errors: DraftErrors = $derived.by(() => {
    const errors = this.#asked ? this.check(this.draft) : {};
    const refused = this.#refused;
    if (refused !== null && this.#textOf(refused.field) === refused.value) errors[refused.field] ??= refused.words;
    return errors;
  });
  /** The draft as it is kept: read through once a change, however large it is. */
  readonly text: string = $derived.by(() => JSON.stringify(this.draft));
  readonly #baseText: string = $derived.by(() => JSON.stringify(this.base));
  readonly dirty: boolean = $derived.by(() => this.text !== this.#baseText);

  /** `slot` names the draft among those kept. */
  constructor(slot: string, initial: D, schema: v.GenericSchema<unknown, D>) {
    this.#slot = slot;
    this.base = $state(structuredClone(initial));
    const kept = keptDraft(slot, schema);
    this.restored = kept !== null && JSON.stringify(kept) !== JSON.stringify(initial);
    this.draft = $state(this.restored && kept !== null ? kept : structuredClone(initial));
  }

  /** Empty when the draft can be sent. */
  protected abstract check(draft: D): DraftErrors;
  /** Sends the draft; answers the id of the entry. */
  protected abstract send(): Promise<Result<string>>;
  /** The field that a refusal of the server is about, or null. */
  protected abstract fieldOf(message: string): string | null;
  /** The rows of the form, whose fields are `<row key>.<field>`. */
  protected abstract get rows(): readonly { key: string }[];

  /** Puts the draft away for this tab, or forgets it when it says nothing new. Call it from an effect. */
  keep(): void {
    if (this.dirty) keepDraft(this.#slot, this.text);
    else forgetDraft(this.#slot);
  }

  startOver(): void {
    this.draft = $state.snapshot(this.base) as D;
    this.restored = false;
    this.failure = null;
    this.#asked = false;
    forgetDraft(this.#slot);
  }

  /** The entry's id once the server has everything; null when something is to be corrected or tried again. */
  async save(): Promise<string | null> {
    this.#asked = true;
    this.failure = null;
    this.#refused = null;
    if (this.saving || Object.keys(this.check(this.draft)).length > 0) return null;
    this.saving = true;
    const sent = await tried(() => this.send());
    this.saving = false;
    if (!sent.ok) {
      this.#say(sent.failure);
      return null;
    }
    this.base = $state.snapshot(this.draft) as D;
    forgetDraft(this.#slot);
    return sent.value;
  }

  #say(failure: Failure): void {
    const field = failure.code === 'invalid' || failure.code === 'conflict' ? this.fieldOf(failure.message) : null;
    if (field === null) this.failure = failure;
    else this.#refused = { field, value: this.#textOf(field), words: wordsOf(failure.message) };
  }

  /** What is in a field; a refusal is said as long as it is still there. */
  #textOf(field: string): string {
    const [key, name] = field.split('.');
    const row = this.rows.find((one) => one.key === key);
    const wanted = row === undefined ? field : name;
    return JSON.stringify(Object.entries(row ?? this.draft).find(([one]) => one === wanted)?.[1] ?? '');
  }
}

/** The server's message without the name of its field. */
function wordsOf(message: string): string {
  const words = message.replace(/^(?:tracks\[\d+\] |body )?"[\w.]+": /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
