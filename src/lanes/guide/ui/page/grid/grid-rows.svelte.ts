/** Rows of the grid, read as they come into sight, a few channels at a time. */
import { SvelteMap } from 'svelte/reactivity';
import { ask } from '#ui/client/workers.ts';
import { guides, type Grid, type GridRow } from '../../client.ts';

const TOGETHER = 12;

export class GridRows {
  channels = $state(0);
  span = $state.raw<Grid['span']>(null);
  ready = $state(false);
  readonly #rows = new SvelteMap<number, GridRow>();
  #wanted = { from: 0, to: 0 };
  /** Pages that were asked for. */
  #asked: number[] = [];

  /** Other hours, or another version: what is shown stays until the new rows are here. */
  async show(from: number, to: number, first: number): Promise<void> {
    this.#wanted = { from, to };
    this.#asked = [];
    await this.need(first, first + TOGETHER);
  }

  row(at: number): GridRow | null {
    return this.#rows.get(at) ?? null;
  }

  async need(first: number, last: number): Promise<void> {
    const wanted = this.#wanted;
    for (let page = Math.floor(Math.max(0, first) / TOGETHER); page * TOGETHER < last; page++) {
      if (this.#asked.includes(page) || wanted.to === 0) continue;
      this.#asked.push(page);
      const offset = page * TOGETHER;
      const grid = await ask(guides().grid({ ...wanted, offset, limit: TOGETHER }));
      // Another day was chosen meanwhile.
      if (wanted !== this.#wanted) return;
      if (grid === null) continue;
      this.channels = grid.channels;
      this.span = grid.span ?? this.span;
      for (const [at, row] of grid.rows.entries()) this.#rows.set(offset + at, row);
      this.ready = true;
    }
  }
}
