import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Me } from '#core/sync/people.ts';
import { outcomeOf } from '#ui/client/sign-in.ts';

const of = (user_id: string, name: string | null): Result<Me> =>
  ok({ user_id, name, scopes: ['EditCatalog'], link: false, expires_at: null });
const ADMIN = of('admin', 'Admin');
const VERA = of('u1', 'Vera');
const IDA = of('u2', null);
const UNKNOWN: Result<Me> = fail(failure('unauthorized', 'The server does not know this token.'));
const OFFLINE: Result<Me> = fail(failure('offline', 'Nothing answers.'));

describe('a sign-in link', () => {
  test.for([
    ['the server’s own, nobody here', ADMIN, null, { kind: 'take' }],
    ['the server’s own, a token that ended here', ADMIN, UNKNOWN, { kind: 'take' }],
    ['the server’s own, somebody here', ADMIN, VERA, { kind: 'ask', as: 'Admin', here: 'Vera' }],
    ['somebody’s, nobody here', VERA, null, { kind: 'ask', as: 'Vera', here: null }],
    ['somebody’s, the admin here', VERA, ADMIN, { kind: 'ask', as: 'Vera', here: 'Admin' }],
    ['without a name', IDA, VERA, { kind: 'ask', as: 'u2', here: 'Vera' }],
    ['the same person’s', VERA, VERA, { kind: 'same' }],
    ['not known', UNKNOWN, VERA, { kind: 'refused' }],
    ['not known, nobody here', UNKNOWN, null, { kind: 'refused' }],
    ['no answer', OFFLINE, VERA, { kind: 'unanswered' }],
    ['no answer about who is here', VERA, OFFLINE, { kind: 'unanswered' }],
  ] as const)('AUTH-39 %s', ([, next, here, outcome]) => {
    expect(outcomeOf(next, here)).toMatchObject(outcome);
  });
});
