import { db } from './db.ts';

/**
 * Takes the sign-in token out of `#token=...`. The address bar is cleaned before anything else
 * happens, so that the token is neither bookmarked nor seen nor sent as a referrer.
 * Answers the token, or null when the address has none.
 */
export function takeTokenFromAddress(
  location: Location = window.location,
  history: History = window.history,
): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('token');
  if (token === null) return null;
  fragment.delete('token');
  const rest = fragment.toString();
  history.replaceState(history.state, '', location.pathname + location.search + (rest === '' ? '' : `#${rest}`));
  return token.trim() === '' ? null : token.trim();
}

/** Keeps the token for this browser; the workers read it from there. */
export async function storeToken(token: string): Promise<void> {
  await db.settings.put({ key: 'token', value: token });
}
