import { failed } from '#core/errors.ts';
import { toasts } from './toasts.svelte.ts';

/** Puts a text onto the clipboard and says so, or why the browser did not let it. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.say(said);
  } catch {
    const remedy = 'Let this page use the clipboard in the settings of the browser, or save it as a file.';
    toasts.fail(failed('invalid', 'The browser did not let this page copy.', { remedy }).failure);
  }
}
