import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { refuseOver, type Limit } from '../rates/limits.ts';
import { may, type Scope, SCOPES, type Auth, type Principal } from './principal.ts';
import type { Clock } from '#core/ports.ts';
import type { UrlSigner } from './signed-url.ts';

interface Identification {
  auth: Auth;
  signer: UrlSigner;
  clock: Clock;
}

/** What of a request says who asks. */
interface Credentials {
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

/**
 * Finds out who asks: 401 without an identity. `open` are the addresses that anyone may call, as `GET /path`; there
 * nobody is asked.
 */
export function requireIdentity(
  using: Identification & { trustedProxies: readonly string[] },
  open: ReadonlySet<string>,
  refused: Limit,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (open.has(`${c.req.method} ${c.req.path}`)) return next();
    const url = new URL(c.req.url);
    const principal = await identify(using, {
      method: c.req.method,
      path: url.pathname,
      query: url.searchParams,
      authorization: c.req.header('authorization') ?? null,
    });
    if (principal === null) {
      // Good ones are never counted or refused: whoever shares the address is not shut out by who guesses.
      await refuseOver(refused, addressOf(c, using.trustedProxies), using.clock.now());
      throw new HttpError('unauthorized', 'The server does not know this token.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    c.set('principal', principal);
    return next();
  };
}

/** What whoever lacks a permission can do. */
export function remedyFor(scope: Scope): string {
  return scope === 'Admin'
    ? 'Ask an administrator to do it, or sign in as one.'
    : `Ask an administrator for the permission ${scope}.`;
}

/** Lets a request through only when its sender has the permission: 403 without it. */
export function needScope(scope: Scope): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!may(c.get('principal'), scope))
      throw new HttpError('forbidden', `This needs the permission ${scope}.`, { remedy: remedyFor(scope) });
    await next();
  };
}

export function addressOf(c: Context<Env>, proxies: readonly string[]): string {
  // Without a socket (an app called directly) all count as one.
  if (!c.env.incoming) return 'direct';
  return clientAddress(getConnInfo(c).remote.address, c.req.header('x-forwarded-for'), proxies);
}

/**
 * Where a request comes from: the address of its connection, or, where that is a proxy that the server is set to
 * trust, what this proxy says of its client: the last hop, since everything before it is the client's own word.
 */
export function clientAddress(
  connection: string | undefined,
  forwarded: string | undefined,
  proxies: readonly string[],
): string {
  const own = (connection ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '');
  if (forwarded === undefined || !proxies.includes(own)) return own;
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return isIP(last) === 0 ? own : last;
}
