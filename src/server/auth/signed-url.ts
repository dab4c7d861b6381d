/**
 * Signed URLs, for what cannot send a bearer header (`<audio>`, the socket). The signature covers path, user, what the
 * signing token was allowed, and expiry; it allows reading alone, and ends by itself.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from './principal.ts';

/** An `<audio>` element asks for ranges of one URL as long as it plays. */
const AUDIO_LIFE_MS = 6 * 3600_000;
/** Everything else is used at once. */
const SHORT_LIFE_MS = 2 * 60_000;

export class UrlSigner {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param now milliseconds; @returns the path with its signature, relative to the server, and when it ends */
  sign(path: string, principal: Principal, now: number): { url: string; expires_at: number } {
    const expires_at = now + (path.endsWith('/audio') ? AUDIO_LIFE_MS : SHORT_LIFE_MS);
    const { user_id } = principal;
    const scopes = principal.scopes.join(' ');
    const query = new URLSearchParams({
      user: user_id,
      scopes,
      expires: String(expires_at),
      signature: this.#mac(path, user_id, scopes, expires_at),
    });
    return { url: `${path}?${query.toString()}`, expires_at };
  }

  /** Who signed the path and with which scopes, or null when there is no good signature. */
  verify(path: string, query: URLSearchParams, now: number): Principal | null {
    const user = query.get('user');
    const scopes = query.get('scopes') ?? '';
    const expires = Number(query.get('expires'));
    const signature = query.get('signature');
    if (user === null || signature === null || !Number.isSafeInteger(expires) || expires <= now) return null;
    const wanted = Buffer.from(this.#mac(path, user, scopes, expires));
    const given = Buffer.from(signature);
    return wanted.length === given.length && timingSafeEqual(wanted, given)
      ? { user_id: user, scopes: scopes.split(' ') }
      : null;
  }

  /** A secret that whoever does not know this server's own cannot make, the same one for the same words. */
  derive(...words: string[]): string {
    return this.#mac('derived', ...words);
  }

  #mac(...parts: unknown[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(parts)).digest('base64url');
  }
}
