import { storeToken, tokenOfLink } from '#ui/catalog-door.ts';
import { applyRememberedTheme } from '#ui/theme.ts';
import { toasts } from '#ui/state/toasts.svelte.ts';
import { toFailure } from '#core/errors.ts';

// When this module is read, Kit's router has not started: nothing else has seen the address yet.
const token = tokenOfLink();
applyRememberedTheme();

/** Awaited by Kit before the first page: a worker that starts then finds the token. */
export async function init(): Promise<void> {
  if (token === null) return;
  try {
    await storeToken(token);
  } catch (thrown) {
    toasts.fail(toFailure(thrown));
  }
}
