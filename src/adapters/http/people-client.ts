/** People, invitations and the log, as an admin's page asks for them. No method throws. */
import * as v from 'valibot';
import { LendRequestSchema, ServerDefaultsSchema, type Lend } from '#core/agent/llm/wire.ts';
import { listOf } from '#core/sync/fields.ts';
import {
  AcceptedSchema,
  AuditEntrySchema,
  InvitesSchema,
  MeSchema,
  NewInviteAnswerSchema,
  PeopleSchema,
  PersonSchema,
  SessionSchema,
  type Role,
} from '#core/sync/people.ts';
import { StorageAnswerSchema } from '#core/sync/storage-answer.ts';
import { addressOf, createJsonCall, withQuery } from './json-call.ts';
import type { HttpOptions } from './request.ts';

export type PeopleClient = ReturnType<typeof createPeopleClient>;

export function createPeopleClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const of = addressOf;

  return {
    me: () => call('GET', '/v1/me', MeSchema),
    /** Exchanges the token of a sign-in link for one of this browser's own. */
    session: () => call('POST', '/v1/session', SessionSchema),
    config: () => call('GET', '/v1/config', ServerDefaultsSchema),
    setLend: (lend: Lend) => call('PUT', '/v1/llm/lend', LendRequestSchema, { lend }),
    storage: () => call('GET', '/v1/storage', StorageAnswerSchema),
    people: () => call('GET', '/v1/users', PeopleSchema),
    patchPerson: (id: string, patch: { name?: string; role?: Role }) =>
      call('PATCH', of('/v1/users', id), PersonSchema, patch),
    removePerson: (id: string) => call('DELETE', of('/v1/users', id), v.null()),
    revokeToken: (id: string) => call('DELETE', of('/v1/tokens', id), v.null()),
    invites: () => call('GET', '/v1/invites', InvitesSchema),
    invite: (name: string, role: Role) => call('POST', '/v1/invites', NewInviteAnswerSchema, { name, role }),
    revokeInvite: (id: string) => call('DELETE', of('/v1/invites', id), v.null()),
    /** The one call that needs no token: the invitation's secret is enough. @param key the same for one attempt and its repeats */
    accept: (secret: string, key: string) =>
      call('POST', '/v1/invites/accept', AcceptedSchema, { secret }, { open: true, key }),
    audit: (cursor: string | null) =>
      call('GET', withQuery('/v1/audit', { limit: 20, cursor }), listOf(AuditEntrySchema)),
  };
}
