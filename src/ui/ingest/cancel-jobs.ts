import { ask, pipeline } from '../client/workers.ts';
import { plural } from '../parts/words.ts';
import { toasts } from '../parts/toasts.svelte.ts';

/** UI-264: files from which on it is asked first. */
export const ASKED_FROM = 4;

/** Cancels what is not finished of these, and offers to take that back: what was decided stays decided. */
export async function cancelJobs(ids: string[]): Promise<void> {
  const done = await ask(pipeline().cancel(ids));
  if (done === null || done.cancelled === 0) return;
  toasts.say(`${plural(done.cancelled, 'file')} cancelled.`, {
    label: 'Undo',
    run: () => void ask(pipeline().retry(ids)),
  });
}
