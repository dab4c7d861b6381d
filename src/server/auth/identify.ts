import type { Clock } from '#core/ports.ts';
import { may, SCOPES, type Auth, type Principal } from './principal.ts';
import type { UrlSigner } from './signed-url.ts';

export interface Identification {
  auth: Auth;
  signer: UrlSigner;
  clock: Clock;
}

/** What of a request says who asks. */
export interface Credentials {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The Authorization header. */
  authorization: string | null;
}

/** Who asks: by bearer token, or, for reading alone, by a signed URL. Null when neither is good. */
export async function identify(using: Identification, request: Credentials): Promise<Principal | null> {
  if (request.authorization !== null) {
    const token = /^Bearer +([^\s]+)$/i.exec(request.authorization)?.[1];
    return token === undefined ? null : using.auth.authenticate(token);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const signed = using.signer.verify(request.path, request.query, using.clock.now());
  return signed === null ? null : signedOwner(using.auth, signed);
}

/**
 * Whoever an address was signed for, with what the token that signed it was allowed and its person still is, or null
 * when nothing lets them in any more.
 */
export async function signedOwner(auth: Auth, signed: Principal): Promise<Principal | null> {
  const owner = await auth.user(signed.user_id);
  if (owner === null) return null;
  const scopes = SCOPES.filter((scope) => scope !== 'Admin' && signed.scopes.includes(scope) && may(owner, scope));
  return { user_id: owner.user_id, scopes };
}
