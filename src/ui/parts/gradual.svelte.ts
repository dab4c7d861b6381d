/**
 * How many entries of a list are in the page already: a list that comes at once is put there a few entries a task, so
 * that no task keeps the page from answering. Made in a component's script, for it lives as long as the component.
 */
export class Gradual {
  #count = $state(0);

  /** `wanted`: how many entries there are; `step`: how many a task may add. */
  constructor(wanted: () => number, step: number) {
    $effect(() => {
      const entries = wanted();
      // An empty list begins anew: what comes back comes a few a task, too.
      if (entries === 0) this.#count = 0;
      if (entries <= this.#count) return undefined;
      const timer = setTimeout(() => (this.#count += step));
      return () => clearTimeout(timer);
    });
  }

  /** The entries that may be in the page now. */
  of<Entry>(entries: readonly Entry[]): readonly Entry[] {
    return entries.length <= this.#count ? entries : entries.slice(0, this.#count);
  }
}
