/** A rename that was cut off is put right at the next start, wherever the app is opened. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { renameUnderWay } from '../client.ts';
import { recovery } from './recovery.svelte.ts';

export async function recoverAtStart(): Promise<void> {
  if (await renameUnderWay()) return;
  await recovery.run();
  // The Video page says it itself.
  if (page.url.pathname === resolve('video')) return;
  const show = { label: 'Show', run: () => void goto(resolve('video')) };
  const [first] = recovery.words;
  toasts.say(
    first === undefined ? 'A rename of videos was interrupted and waits to be put right.' : `${first.title}.`,
    show,
  );
}
