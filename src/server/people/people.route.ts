import {
  AcceptedSchema,
  AcceptInviteSchema,
  InvitesSchema,
  NewInviteAnswerSchema,
  NewInviteSchema,
  PeopleSchema,
  PersonPatchSchema,
  PersonSchema,
} from '#core/sync/people.ts';
import { json, route, type Route } from '../api/route.ts';
import { addressOf } from '../auth/require-permission.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { idempotencyKey, mutate } from '../http/mutate.ts';
import { refuseOver, type Limits } from '../rates/limits.ts';
import { acceptInvite, createInvite, openInvites, revokeInvite } from './invites.ts';
import { listPeople, patchPerson, removePerson } from './people.ts';

const ADMIN = { scope: 'Admin', tag: 'People' } as const;
const GONE = { 204: { description: 'It is gone.' } };

/** /v1/users and /v1/invites: who is let in, by whom, and as what. */
export function peopleRoutes(
  deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'signer' | 'events' | 'trustedProxies'>,
  limits: Limits,
): Route[] {
  const { store, clock, events } = deps;
  return [
    route('GET /v1/users', {
      ...ADMIN,
      summary: 'Everybody who was let in, with the tokens that are good now.',
      replies: { 200: json(PeopleSchema, 'The people.') },
      answer: async (c) => c.json({ items: await listPeople(store.db, clock.now()) }),
    }),
    route('PATCH /v1/users/:id', {
      ...ADMIN,
      summary: "Change a person's name or role; a role counts at once, for every token.",
      body: PersonPatchSchema,
      replies: { 200: json(PersonSchema, 'The person.') },
      failures: [404, 409],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, PersonPatchSchema, 'AccessChanged', async (tx, body, by) => ({
          status: 200,
          body: await patchPerson(tx, clock, by, c.req.param('id'), body),
        })),
    }),
    route('DELETE /v1/users/:id', {
      ...ADMIN,
      summary: 'Remove a person: every token is revoked. What they did stays.',
      replies: GONE,
      failures: [404, 409],
      idempotent: true,
      async answer(c) {
        await store.write((tx) => removePerson(tx, clock, c.var.principal, c.req.param('id')));
        events.emit({ type: 'AccessChanged' });
        return c.body(null, 204);
      },
    }),
    route('GET /v1/invites', {
      ...ADMIN,
      summary: 'The invitations that can still be used.',
      replies: { 200: json(InvitesSchema, 'The invitations.') },
      answer: async (c) => c.json({ items: await openInvites(store.db, clock.now()) }),
    }),
    route('POST /v1/invites', {
      ...ADMIN,
      summary: 'Invite a person. The secret is answered only once; it lets one person in, once.',
      body: NewInviteSchema,
      replies: { 201: json(NewInviteAnswerSchema, 'The invitation with its secret.') },
      // The answer would be kept under a key, and the secret in it.
      idempotent: false,
      async answer(c) {
        const { value } = await readBody(c, NewInviteSchema);
        return c.json(await store.write((tx) => createInvite(tx, deps, c.var.principal, value)), 201);
      },
    }),
    route('DELETE /v1/invites/:id', {
      ...ADMIN,
      summary: 'Take an invitation back.',
      replies: GONE,
      failures: [404],
      idempotent: true,
      async answer(c) {
        await store.write((tx) => revokeInvite(tx, clock, c.var.principal, c.req.param('id')));
        return c.body(null, 204);
      },
    }),
    route('POST /v1/invites/accept', {
      scope: null,
      tag: 'People',
      summary: 'Use an invitation: its secret is answered with a token.',
      description:
        'Sent again under the same Idempotency-Key within ten minutes it is answered with the same token, so that a lost answer does not use up the invitation.',
      body: AcceptInviteSchema,
      replies: { 201: json(AcceptedSchema, 'Who you are here, and your token.') },
      failures: [404],
      idempotent: 'key',
      async answer(c) {
        const { value } = await readBody(c, AcceptInviteSchema);
        const key = idempotencyKey(c);
        const accepted = await store
          .write((tx) => acceptInvite(tx, deps, value.secret, key))
          .catch(async (error: unknown) => {
            // Counted after it was looked up: nobody who was invited is shut out by who guesses.
            if (error instanceof HttpError && error.failure.code === 'not_found')
              await refuseOver(limits.invites, addressOf(c, deps.trustedProxies), clock.now());
            throw error;
          });
        return c.json(accepted, 201);
      },
    }),
  ];
}
