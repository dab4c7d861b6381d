import { storeToken, takeTokenFromAddress } from '#ui/token.ts';
import { applyRememberedTheme } from '#ui/theme.ts';

// When this module is read, Kit's router has not started: nothing has seen the address yet.
const token = takeTokenFromAddress();
applyRememberedTheme();

/** Awaited by Kit before the first page: a worker that starts then finds the token. */
export async function init(): Promise<void> {
  if (token === null) return;
  try {
    await storeToken(token);
  } catch (thrown) {
    // A database that cannot be opened is said by the pages; the link can be opened again.
    console.error('The token could not be stored:', thrown);
  }
}
