/**
 * Signing this browser in by a link. Anybody can make a person open a link, so that a token in an address is used only
 * after the server said whose it is, and in the place of somebody else's, or for anybody but the server's own admin,
 * only when the person says so.
 */
import { createPeopleClient } from '#adapters/http/people-client.ts';
import type { Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { nameOf, type Me } from '#core/sync/people.ts';
import { readToken, serverBase, storeToken } from './server-client.ts';

/** The user that the server's own link signs in. */
const SERVER_ADMIN = 'admin';

export type LinkOutcome =
  /** Sign in without a question. */
  | { kind: 'take' }
  /** The same person is signed in here already. */
  | { kind: 'same' }
  | { kind: 'ask'; as: string; here: string | null }
  /** The server does not know this token (any more). */
  | { kind: 'refused' }
  /** It could not be asked; the link may be tried again. */
  | { kind: 'unanswered'; failure: Failure };

/**
 * What a link leads to.
 * @param next whose token the link has, as the server said
 * @param here who is signed in to this browser; null: nobody
 */
export function outcomeOf(next: Result<Me>, here: Result<Me> | null): LinkOutcome {
  if (!next.ok) {
    const { failure } = next;
    return failure.code === 'unauthorized' ? { kind: 'refused' } : { kind: 'unanswered', failure };
  }
  // A token that the server does not know any more is nobody's.
  const signedIn = here === null || (!here.ok && here.failure.code === 'unauthorized') ? null : here;
  if (signedIn === null)
    return next.value.user_id === SERVER_ADMIN ? { kind: 'take' } : { kind: 'ask', as: nameOf(next.value), here: null };
  if (!signedIn.ok) return { kind: 'unanswered', failure: signedIn.failure };
  if (signedIn.value.user_id === next.value.user_id) return { kind: 'same' };
  return { kind: 'ask', as: nameOf(next.value), here: nameOf(signedIn.value) };
}

/** What the link with this token leads to, as the server that is set says. */
export async function askAbout(token: string): Promise<LinkOutcome> {
  const stored = await readToken();
  // The very token that is kept: nothing changes.
  if (stored === token) return { kind: 'same' };
  const [next, here] = await Promise.all([whoHas(token), stored === null ? null : whoHas(stored)]);
  return outcomeOf(next, here);
}

/**
 * Keeps the token for this browser; that of a link is exchanged for one of the browser's own, which does not end with
 * the link. Where the server cannot be asked it is kept as it is.
 */
export async function keepToken(token: string): Promise<Result<null>> {
  const client = await clientOf(token);
  const me = await client.me();
  if (me.ok && me.value.link) {
    const made = await client.session();
    if (!made.ok) return fail(made.failure);
    await storeToken(made.value.token);
  } else await storeToken(token);
  return ok(null);
}

/** Who has this token. */
export async function whoHas(token: string): Promise<Result<Me>> {
  return (await clientOf(token)).me();
}

async function clientOf(token: string) {
  return createPeopleClient({ baseUrl: await serverBase(), token: () => Promise.resolve(token) });
}
