import { tokenOfLink } from '#ui/db.ts';
import { applyRememberedTheme } from '#ui/theme.ts';

// When this module is read, Kit's router has not started: nothing else has seen the address yet.
const token = tokenOfLink();
applyRememberedTheme();

/** Awaited by Kit before the first page: a worker that starts then finds the token. */
export async function init(): Promise<void> {
  if (token === null) return;
  try {
    // Loaded only with a link: the first page does without the server's client.
    const { storeToken } = await import('#ui/catalog-door.ts');
    await storeToken(token);
  } catch (thrown) {
    const [{ toasts }, { toFailure }] = await Promise.all([
      import('#ui/state/toasts.svelte.ts'),
      import('#core/errors.ts'),
    ]);
    toasts.fail(toFailure(thrown));
  }
}
