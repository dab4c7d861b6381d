/** Wishes to stop. An AbortSignal fits CancelSignal; the core has no DOM types. */
import { failed } from './errors.ts';
import type { Cancel } from './ports.ts';

export interface CancelSignal extends Cancel {
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A signal that whoever has it can set. */
export class CancelSource implements CancelSignal {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/** Throws AccessionError `cancelled` where it is set. */
export function throwIfCancelled(cancel: Cancel): void {
  if (cancel.aborted) throw failed('cancelled', 'cancelled');
}
