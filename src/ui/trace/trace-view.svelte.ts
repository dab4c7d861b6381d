import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { ReasoningStep, ReasoningStepType } from '#core/job/job.ts';
import { countTypes, filterSteps, offsetsOf, windowOf, type RowWindow } from './trace-rows.ts';

/** Rows drawn beyond each edge. */
const OVER = 12;
/** Height of an open row's body before it was measured. */
const GUESS = 96;
/** So near to the end counts as at the end. */
const NEAR = 8;

/** What of a trace is shown: the filter, the open rows, the rows in sight, and whether it follows the end. */
export class TraceView {
  query = $state('');
  readonly types = new SvelteSet<ReasoningStepType>();
  /** Height of a closed row, measured: it differs by the width and the pointer. */
  row = $state(36);
  top = $state(0);
  height = $state(0);
  /** The end stays in sight while steps come. */
  follow = $state(false);
  /** Index of the row that the keyboard is at. */
  active = $state(0);
  /** Steps whose state is not the one they begin with: errors begin open, the others closed. */
  readonly #turned = new SvelteSet<string>();
  /** Measured heights of open bodies. */
  readonly #bodies = new SvelteMap<string, number>();
  readonly #source: () => readonly ReasoningStep[];
  #lastTop = 0;

  constructor(source: () => readonly ReasoningStep[]) {
    this.#source = source;
  }

  readonly all: readonly ReasoningStep[] = $derived.by(() => this.#source());
  readonly counts: Map<ReasoningStepType, number> = $derived(countTypes(this.all));
  readonly shown: readonly ReasoningStep[] = $derived(filterSteps(this.all, this.types, this.query));
  readonly #offsets: Float64Array = $derived(
    offsetsOf(this.shown.length, (row) => {
      const step = this.shown[row];
      return this.row + (step !== undefined && this.isOpen(step) ? (this.#bodies.get(step.id) ?? GUESS) : 0);
    }),
  );
  readonly window: RowWindow = $derived(windowOf(this.#offsets, this.top, this.height, OVER));
  readonly rows: readonly ReasoningStep[] = $derived(this.shown.slice(this.window.first, this.window.end));
  /** The one row that Tab reaches: the active one, or the first drawn where that is out of sight. */
  readonly tabbed: number = $derived(
    this.active >= this.window.first && this.active < this.window.end ? this.active : this.window.first,
  );

  isOpen(step: ReasoningStep): boolean {
    return this.#turned.has(step.id) !== (step.step_type === 'Error');
  }

  turn(step: ReasoningStep): void {
    if (!this.#turned.delete(step.id)) this.#turned.add(step.id);
  }

  measured(step: ReasoningStep, height: number): void {
    this.#bodies.set(step.id, height);
  }

  toggleType(type: ReasoningStepType): void {
    if (!this.types.delete(type)) this.types.add(type);
  }

  /** After the box was scrolled: to scroll up stops following, to come to the end takes it up again. */
  scrolled(box: Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>, live: boolean): void {
    this.top = box.scrollTop;
    const atEnd = box.scrollHeight - box.clientHeight - box.scrollTop <= NEAR;
    if (!atEnd && box.scrollTop < this.#lastTop) this.follow = false;
    else if (atEnd && live) this.follow = true;
    this.#lastTop = box.scrollTop;
  }

  /** Moves the keyboard's row by `by` rows and answers where the box must be scrolled to, or null when it is in sight. */
  move(by: number): number | null {
    this.active = Math.max(0, Math.min(this.shown.length - 1, this.tabbed + by));
    const begin = this.#offsets[this.active] ?? 0;
    if (begin < this.top) return begin;
    const end = begin + this.row;
    return end > this.top + this.height ? end - this.height : null;
  }
}
