import type { Clock } from '#core/ports.ts';
import type { Auth, Principal } from './principal.ts';
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
  const user = using.signer.verify(request.path, request.query, using.clock.now());
  return user === null ? null : signedOwner(using.auth, user);
}

/** The person for whom an address was signed, or null when nothing lets them in any more. */
export async function signedOwner(auth: Auth, user: string): Promise<Principal | null> {
  const owner = await auth.user(user);
  // Whoever signs an address shows no more than a person sees: it may have been signed with a lesser token.
  return owner === null ? null : { ...owner, scopes: owner.scopes.filter((scope) => scope !== 'Admin') };
}
