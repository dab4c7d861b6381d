import { pipeline } from '../client/workers.ts';
import { uploadsRow, uploadsRestRow, type UploadsState } from '../client/db.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';

const NOTHING: UploadsState = { why_not: 'loading', current: null, last: null };
const state = new Live<UploadsState>(unchanged(uploadsRow), NOTHING, 200, ['meta']);
const rest = new Live<number>(uploadsRestRow, 0, 0, ['meta']);

/** This browser's part in files that were sent to the server. */
class Uploads {
  readonly state: UploadsState = $derived(state.current);
  readonly ready: boolean = $derived(state.ready);
  /** Until when they are left to others; epoch milliseconds. */
  readonly rest: number = $derived(rest.current);

  /** Gives the upload in hand back, or (`false`) looks for one again. */
  async leave(leave: boolean): Promise<void> {
    await pipeline().restUploads(leave);
  }
}

export const uploads = new Uploads();
