import { NewTokenAnswerSchema, NewTokenSchema, SessionSchema, TokensSchema } from '#core/sync/people.ts';
import { SignRequestSchema, SignResponseSchema } from '#core/sync/protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { createToken, goodTokens, revokeToken, tokenInfo } from '../people/people.ts';
import { makeSession } from './tokens.ts';

/** POST /v1/sign: a URL that reads one path without a header, for a while. */
export function signRoutes({ signer, clock }: Pick<CatalogDeps, 'signer' | 'clock'>): Route[] {
  return [
    route('POST /v1/sign', {
      scope: 'ReadCatalog',
      tag: 'Service',
      summary: 'A relative URL that reads one path without a header, for a while.',
      description:
        'Six hours for audio, two minutes for anything else. It reads what the token that signs it may read, and never with the scope Admin.',
      body: SignRequestSchema,
      replies: { 200: json(SignResponseSchema, 'The URL and when it ends.') },
      idempotent: true,
      async answer(c) {
        const { value } = await readBody(c, SignRequestSchema);
        return c.json(signer.sign(value.path, c.get('principal'), clock.now()));
      },
    }),
  ];
}

/** POST /v1/session: what a sign-in link is exchanged for. */
export function sessionRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids'>): Route[] {
  return [
    route('POST /v1/session', {
      scope: 'ReadCatalog',
      tag: 'People',
      summary: "A browser's own token for that of a sign-in link. It is answered only once.",
      replies: { 201: json(SessionSchema, 'Who is signed in, and the token.') },
      failures: [409],
      // The answer would be kept under a key, and the token in it.
      idempotent: false,
      async answer(c) {
        const { principal } = c.var;
        const token = await deps.store.write((tx) => makeSession(tx, deps, principal));
        return c.json({ user_id: principal.user_id, token }, 201);
      },
    }),
  ];
}

/** /v1/tokens: the caller's own, for other browsers, scripts and workers. */
export function tokenRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  const { store, clock, events } = deps;
  return [
    route('GET /v1/tokens', {
      scope: 'EditCatalog',
      tag: 'People',
      summary: 'Your tokens that are good now, without what they are.',
      replies: { 200: json(TokensSchema, 'The tokens.') },
      async answer(c) {
        const rows = await goodTokens(store.db, clock.now(), c.var.principal.user_id);
        return c.json({ items: rows.map(tokenInfo) });
      },
    }),
    route('POST /v1/tokens', {
      scope: 'EditCatalog',
      tag: 'People',
      summary: 'A further token, for a script or a worker. It is answered only once.',
      body: NewTokenSchema,
      replies: { 201: json(NewTokenAnswerSchema, 'The token.') },
      // The answer would be kept under a key, and the token in it.
      idempotent: false,
      async answer(c) {
        const { value } = await readBody(c, NewTokenSchema);
        return c.json(await store.write((tx) => createToken(tx, deps, c.var.principal, value)), 201);
      },
    }),
    route('DELETE /v1/tokens/:id', {
      scope: 'EditCatalog',
      tag: 'People',
      summary: 'Revoke a token of yours; an admin, of anybody. Its open sockets are closed.',
      replies: { 204: { description: 'It is gone.' } },
      failures: [404, 409],
      idempotent: true,
      async answer(c) {
        await store.write((tx) => revokeToken(tx, clock, c.var.principal, c.req.param('id')));
        events.emit({ type: 'AccessChanged' });
        return c.body(null, 204);
      },
    }),
  ];
}
