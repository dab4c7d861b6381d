import { databaseFrom, databaseOpened, tokenOfLink } from '#ui/client/db.ts';
import { signInLink } from '#ui/shell/sign-in-link.svelte.ts';
import { applyRememberedTheme } from '#ui/theme/theme.ts';

// When this module is read, Kit's router has not started: nothing else has seen the address yet.
databaseFrom(async () => (await import('#lanes/database.ts')).openDatabase());
const token = tokenOfLink();
applyRememberedTheme();

/** Awaited by Kit before the first page. */
export function init(): void {
  // A link that is opened where the app is open already only changes the fragment; nothing is loaded anew.
  window.addEventListener('hashchange', () => openLink(tokenOfLink()));
  openLink(token);
}

/** Who the link signs in is asked of the server; the first page does not wait for that. */
function openLink(value: string | null): void {
  if (value !== null)
    databaseOpened.then(
      () => signInLink.open(value),
      // The page says that nothing is stored here.
      () => undefined,
    );
}
