/** The lanes that are used on this device: their places stand in the rail, those of the others under *More*. */
import { SvelteSet } from 'svelte/reactivity';
import { allLanes } from '../lanes.ts';
import { isCurrentPlace } from './current-place.ts';

/** Outside IndexedDB, so that the first paint has it. */
const KEY = 'lanes-in-use';
/** Those that the person took out of the rail: what they keep here does not bring them back, a press or a drop does. */
const LEFT_KEY = 'lanes-left';

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

export class UsedLanes {
  readonly #kept: Kept;
  readonly #ids: SvelteSet<string>;
  readonly #left: SvelteSet<string>;

  constructor(kept: Kept) {
    this.#kept = kept;
    this.#ids = new SvelteSet(remembered(kept, KEY));
    this.#left = new SvelteSet(remembered(kept, LEFT_KEY));
  }

  /** The first lane is offered from the start. */
  has(id: string): boolean {
    return id === allLanes()[0]?.id || this.#ids.has(id);
  }

  add(id: string): void {
    if (this.has(id)) return;
    this.#ids.add(id);
    this.#left.delete(id);
    this.#remember();
  }

  /** The first lane stays. */
  remove(id: string): void {
    if (!this.#ids.delete(id)) return;
    this.#left.add(id);
    this.#remember();
  }

  #remember(): void {
    this.#kept.setItem(KEY, JSON.stringify([...this.#ids]));
    this.#kept.setItem(LEFT_KEY, JSON.stringify([...this.#left]));
  }

  /** A page of a lane was opened, whichever way led there. `path`: without its first slash. */
  opened(path: string): void {
    for (const { id, places } of allLanes()) if (places?.some((place) => isCurrentPlace(place, path))) this.add(id);
  }

  /** Those that keep something here are in use, also where this was not remembered. */
  async addKept(): Promise<void> {
    for (const { id, keeps } of allLanes())
      if (keeps && !this.has(id) && !this.#left.has(id) && (await keeps())) this.add(id);
  }
}

function remembered(kept: Kept, key: string): string[] {
  try {
    const ids: unknown = JSON.parse(kept.getItem(key) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
