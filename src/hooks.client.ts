import { openDatabase } from '#lanes/database.ts';
import { setDatabase, tokenOfLink } from '#ui/client/db.ts';
import { applyRememberedTheme } from '#ui/theme/theme.ts';

// When this module is read, Kit's router has not started: nothing else has seen the address yet.
setDatabase(openDatabase());
const token = tokenOfLink();
applyRememberedTheme();

/** Awaited by Kit before the first page: a worker that starts then finds the token. */
export async function init(): Promise<void> {
  // A link that is opened where the app is open already only changes the fragment; nothing is loaded anew.
  window.addEventListener('hashchange', () => void signInAgain());
  if (token !== null) await keep(token);
}

async function signInAgain(): Promise<void> {
  const next = tokenOfLink();
  if (next === null) return;
  await keep(next);
  const { ask, pipeline } = await import('#ui/client/workers.ts');
  await ask(pipeline().syncNow());
}

/** Stores the token; a failure is said to the person. */
async function keep(value: string): Promise<void> {
  try {
    // Loaded only with a link: the first page does without the server's client.
    const { storeToken } = await import('#ui/client/server-client.ts');
    await storeToken(value);
  } catch (thrown) {
    const [{ toasts }, { toFailure }] = await Promise.all([
      import('#ui/parts/toasts.svelte.ts'),
      import('#core/errors.ts'),
    ]);
    toasts.fail(toFailure(thrown));
  }
}
