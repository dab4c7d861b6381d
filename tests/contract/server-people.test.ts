/** People, invitations, tokens, and the log of who did what. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry, Invite, Person } from '#core/sync/people.ts';
import { createLimits, createLimit } from '#server/rates/limits.ts';
import {
  SMALL_CATALOG,
  testServer,
  TOKEN,
  type Answer,
  type ErrorAnswer,
  type TestServer,
} from '../fixtures/server.ts';

const DAY = 86_400_000;
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterAll(() => server.end());

const as = (token: string) => ({ Authorization: `Bearer ${token}` });
type List<T> = { items: T[] };

async function invited(role: string, name = 'Vera'): Promise<{ token: string; user_id: string }> {
  const made = await server.api<Invite & { secret: string }>('POST', '/v1/invites', { name, role });
  expect(made.status).toBe(201);
  const used = await accept(made.body.secret);
  expect(used.status).toBe(201);
  return used.body;
}

function accept(secret: string): Promise<Answer<{ token: string; user_id: string; role: string } & ErrorAnswer>> {
  return server.api('POST', '/v1/invites/accept', { secret }, { Authorization: '' });
}

describe('an invitation', () => {
  test('AUTH-1: lets one person in, once, as what it says, and is stored hashed', async () => {
    const made = await server.api<Invite & { secret: string }>('POST', '/v1/invites', { name: 'Vera', role: 'editor' });
    const { secret, id } = made.body;
    const stored = await server.store.db.selectFrom('invites').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secret);
    const listed = await server.api<List<Invite>>('GET', '/v1/invites');
    expect(listed.body.items.map((item) => item.id)).toContain(id);
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    const first = await accept(secret);
    expect([first.status, first.body.role]).toEqual([201, 'editor']);
    const me = await server.api('GET', '/v1/me', undefined, as(first.body.token));
    expect(me.body).toMatchObject({ user_id: first.body.user_id, name: 'Vera', scopes: ['EditCatalog'], link: false });
    const again = await accept(secret);
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
    expect((await server.api('GET', '/v1/users', undefined, as(first.body.token))).status).toBe(403);
  });

  test('AUTH-31: whose answer was lost is answered again under the same key, for ten minutes, and no other', async () => {
    const { body } = await server.api<{ secret: string }>('POST', '/v1/invites', { name: 'Ida', role: 'editor' });
    const under = (key: string) =>
      server.api<{ token: string; user_id: string; role: string; name: string }>(
        'POST',
        '/v1/invites/accept',
        { secret: body.secret },
        { Authorization: '', 'Idempotency-Key': key },
      );
    const first = await under('one');
    const again = await under('one');
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect((await server.api('GET', '/v1/me', undefined, as(again.body.token))).body).toMatchObject({ name: 'Ida' });
    expect((await under('two')).status).toBe(404);
    expect((await accept(body.secret)).status).toBe(404);
    const stored = await server.store.db.selectFrom('tokens').select('token_hash').execute();
    expect(JSON.stringify(stored)).not.toContain(first.body.token);
    server.time.now += 11 * 60_000;
    expect((await under('one')).status).toBe(404);
  });

  test('AUTH-31: that was answered lets nobody in again once the person or the token is gone', async () => {
    for (const end of ['user', 'token']) {
      const { body } = await server.api<{ secret: string }>('POST', '/v1/invites', { name: 'Jo', role: 'reader' });
      const headers = { Authorization: '', 'Idempotency-Key': 'same' };
      const used = await server.api<{ user_id: string }>('POST', '/v1/invites/accept', body, headers);
      const people = (await server.api<List<Person>>('GET', '/v1/users')).body.items;
      const token = people.find(({ id }) => id === used.body.user_id)?.tokens[0]?.id ?? '';
      await server.api('DELETE', end === 'user' ? `/v1/users/${used.body.user_id}` : `/v1/tokens/${token}`);
      expect((await server.api('POST', '/v1/invites/accept', body, headers)).status).toBe(404);
    }
  });

  test('AUTH-1: of two who use it at once, one is let in', async () => {
    const { body } = await server.api<{ secret: string }>('POST', '/v1/invites', { name: 'Two', role: 'reader' });
    const both = await Promise.all([accept(body.secret), accept(body.secret)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  test('AUTH-2: ends by itself, and can be taken back', async () => {
    const invite = async () =>
      (await server.api<Invite & { secret: string }>('POST', '/v1/invites', { name: 'Late', role: 'reader', days: 1 }))
        .body;
    const late = await invite();
    const back = await invite();
    expect((await server.api('DELETE', `/v1/invites/${back.id}`)).status).toBe(204);
    expect((await accept(back.secret)).status).toBe(404);
    expect((await server.api('DELETE', `/v1/invites/${back.id}`)).status).toBe(404);
    server.time.now += DAY;
    expect((await accept(late.secret)).status).toBe(404);
  });

  test('AUTH-3: an address that keeps trying has to wait', async () => {
    server.time.now += 120_000;
    const statuses: number[] = [];
    for (let at = 0; at < 21; at += 1) statuses.push((await accept(`guess-${at}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429]);
    // Whoever was invited comes in all the same.
    await invited('reader', 'Honest');
    server.time.now += 60_000;
  });
});

describe('a token', () => {
  test('AUTH-4: is told once, ends when it says, and may no more than who made it', async () => {
    const { token } = await invited('editor');
    const wish = { label: 'worker in the cellar', scope: 'Work', days: 2 };
    const made = await server.api<{ token: string; id: string }>('POST', '/v1/tokens', wish, as(token));
    expect(made.status).toBe(201);
    const stored = await server.store.db.selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(made.body.token);
    expect(await server.store.db.selectFrom('idempotency').selectAll().execute()).toEqual([]);
    expect((await server.api('GET', '/v1/me', undefined, as(made.body.token))).status).toBe(200);
    const more = await server.api('POST', '/v1/tokens', { label: 'x', scope: 'Admin' }, as(token));
    expect(more.status).toBe(403);
    server.time.now += 2 * DAY;
    expect((await server.api('GET', '/v1/me', undefined, as(made.body.token))).status).toBe(401);
  });

  test('AUTH-5: is revoked by its owner or an admin, by nobody else; the server’s own by nobody', async () => {
    const [mine, other] = [await invited('editor', 'Mine'), await invited('editor', 'Other')];
    const made = await server.api<{ token: string; id: string }>(
      'POST',
      '/v1/tokens',
      { label: 'l', scope: 'Work' },
      as(mine.token),
    );
    const path = `/v1/tokens/${made.body.id}`;
    expect((await server.api('DELETE', path, undefined, as(other.token))).status).toBe(404);
    expect((await server.api('DELETE', path)).status).toBe(204);
    expect((await server.api('GET', '/v1/me', undefined, as(made.body.token))).status).toBe(401);
    expect((await server.api('DELETE', '/v1/tokens/admin')).status).toBe(409);
    expect((await server.api('DELETE', '/v1/users/admin')).status).toBe(409);
    expect((await server.api('PATCH', '/v1/users/admin', { role: 'reader' })).status).toBe(409);
  });
});

describe('a person', () => {
  test('AUTH-32: who becomes an admin makes no admin of a token that was made for a script; less counts for all', async () => {
    const { token, user_id } = await invited('editor', 'Kim');
    server.time.now += 1;
    const wish = { label: 'browser', scope: 'EditCatalog' };
    const script = (await server.api<{ token: string }>('POST', '/v1/tokens', wish, as(token))).body.token;
    const scopes = async (one: string) =>
      (await server.api<{ scopes: string[] }>('GET', '/v1/me', undefined, as(one))).body.scopes;
    await server.api('PATCH', `/v1/users/${user_id}`, { role: 'admin' });
    expect([await scopes(token), await scopes(script)]).toEqual([['EditCatalog', 'Admin'], ['EditCatalog']]);
    await server.api('PATCH', `/v1/users/${user_id}`, { role: 'reader' });
    expect([await scopes(token), await scopes(script)]).toEqual([['ReadCatalog'], ['ReadCatalog']]);
    await server.api('PATCH', `/v1/users/${user_id}`, { role: 'editor' });
    expect([await scopes(token), await scopes(script)]).toEqual([['EditCatalog'], ['ReadCatalog']]);
  });

  test('AUTH-6, AUTH-33: a new role counts at once, and a removed person is let in by nothing', async () => {
    const { token, user_id } = await invited('editor', 'Max');
    const mayWrite = async () =>
      (await server.api('PATCH', '/v1/catalog/artists/ar_rem', { name: 'R.E.M.' }, as(token))).status;
    expect(await mayWrite()).toBe(200);
    const demoted = await server.api<Person>('PATCH', `/v1/users/${user_id}`, {
      role: 'reader',
      id: 'x',
      created_by: 'y',
    });
    expect(demoted.body).toMatchObject({ id: user_id, role: 'reader', tokens: [{ scopes: ['ReadCatalog'] }] });
    expect(await mayWrite()).toBe(403);
    await server.api('PATCH', `/v1/users/${user_id}`, { role: 'admin' });
    expect((await server.api<List<Person>>('GET', '/v1/users', undefined, as(token))).status).toBe(200);
    expect((await server.api('DELETE', `/v1/users/${user_id}`)).status).toBe(204);
    expect((await server.api('GET', '/v1/me', undefined, as(token))).status).toBe(401);
    const left = await server.api<List<Person>>('GET', '/v1/users');
    expect(left.body.items.some((person) => person.id === user_id)).toBe(false);
  });
});

describe('who was an admin', () => {
  test.each(['removed', 'made an editor', 'removed, by another server'])(
    'AUTH-8: is let in by no invitation of their own once they are %s',
    async (how) => {
      const eve = await invited('admin', 'Eve');
      const wish = { name: 'Eve again', role: 'admin' };
      const made = await server.api<Invite & { secret: string }>('POST', '/v1/invites', wish, as(eve.token));
      expect(made.status).toBe(201);
      const path = `/v1/users/${eve.user_id}`;
      if (how === 'removed') await server.api('DELETE', path);
      else if (how === 'made an editor') await server.api('PATCH', path, { role: 'editor' });
      else {
        const gone = server.store.write((tx) =>
          tx.updateTable('users').set({ removed_at: 1 }).where('id', '=', eve.user_id).execute(),
        );
        await gone;
      }
      const open = (await server.api<List<Invite>>('GET', '/v1/invites')).body.items.map(({ id }) => id);
      if (!how.includes('another')) expect(open).not.toContain(made.body.id);
      expect((await accept(made.body.secret)).status).toBe(404);
      // Back in the role, the former word counts no more than before.
      if (how === 'made an editor') {
        await server.api('PATCH', path, { role: 'admin' });
        expect((await accept(made.body.secret)).status).toBe(404);
      }
    },
  );
});

describe('the log', () => {
  test('AUTH-7: says who did what, newest first, in pages, by person, kind and thing', async () => {
    const { token, user_id } = await invited('editor', 'Ada');
    await server.api('PATCH', '/v1/catalog/artists/ar_bjork', { name: 'Björk G.' }, as(token));
    await server.api('POST', '/v1/download-requests', { track_id: 'tr_a1' }, as(token));
    const read = async (query: string) =>
      (await server.api<List<AuditEntry> & { next_cursor: string | null }>('GET', `/v1/audit?${query}`)).body;
    const hers = await read(`user_id=${user_id}`);
    expect(hers.items.map(({ action, entity_id, name }) => [action, name, entity_id].slice(0, 2))).toEqual([
      ['request.created', 'Ada'],
      ['artist.changed', 'Ada'],
      ['invite.used', 'Ada'],
    ]);
    const first = await read(`user_id=${user_id}&limit=2`);
    const second = await read(`user_id=${user_id}&limit=2&cursor=${first.next_cursor ?? ''}`);
    expect([...first.items, ...second.items]).toEqual(hers.items);
    expect(second.next_cursor).toBeNull();
    const changes = await read(`entity_id=ar_bjork&action=artist.changed`);
    expect(changes.items[0]).toMatchObject({ user_id, details: { name: 'Björk G.' } });
    expect((await server.api('GET', '/v1/audit?action=nonsense')).status).toBe(400);
    expect((await server.api('GET', '/v1/audit', undefined, as(token))).status).toBe(403);
  });

  test('AUTH-7: is written with the change or not at all, and no line is changed or dropped', async () => {
    const count = async () => (await server.store.db.selectFrom('audit').select('id').execute()).length;
    const before = await count();
    await server.api('PATCH', '/v1/catalog/artists/nobody', { name: 'x' });
    expect(await count()).toBe(before);
    await expect(server.store.write((tx) => tx.deleteFrom('audit').execute())).rejects.toThrow('append-only');
    await expect(server.store.write((tx) => tx.updateTable('audit').set({ user_id: 'x' }).execute())).rejects.toThrow(
      'append-only',
    );
    const lines = JSON.stringify(await server.store.db.selectFrom('audit').selectAll().execute());
    expect(lines).not.toContain(TOKEN);
  });
});

describe('a limit', () => {
  test('API-11: holds across processes that share the database, each taking permits in blocks', async () => {
    const options = { name: 't', most: 25, windowMs: 1000, block: 10, sentence: 's' };
    const [one, two] = [createLimit(server.store, options), createLimit(server.store, options)];
    let given = 0;
    for (let at = 0; at < 20; at += 1) {
      if ((await one.take('a', 5_000)) === 0) given += 1;
      if ((await two.take('a', 5_000)) === 0) given += 1;
    }
    expect(given).toBe(25);
    expect(await one.take('a', 5_400)).toBe(600);
    expect(one.waitFor('a', 5_400)).toBe(600);
    expect(await one.take('b', 5_400)).toBe(0);
    expect(await one.take('a', 6_000)).toBe(0);
  });

  test('OPS-23: forgets what nothing is measured by any more, and no other limit’s counters', async () => {
    const limit = (name: string) =>
      createLimit(server.store, { name, most: 5, windowMs: 1000, block: 5, sentence: 's' });
    const names = async () =>
      (await server.store.db.selectFrom('rate_counters').select('name').orderBy('name').execute())
        .map(({ name }) => name)
        .filter((name) => /^old/.test(name));
    await limit('old').take('a', 5_000);
    await limit('old').take('ahead', 9_000_000);
    await limit('older').take('a', 5_000);
    const one = limit('old');
    await one.take('b', 60_000);
    await one.take('c', 60_500);
    expect(await names()).toEqual(['old b', 'old c', 'older a']);
  });

  test('API-11: of changes, is a person’s, and says when to come again', async () => {
    const { writes } = createLimits(server.store);
    const now = server.time.now + 600_000;
    let wait = 0;
    for (let at = 0; at < 30_001 && wait === 0; at += 1) wait = await writes.take('somebody', now);
    expect(wait).toBeGreaterThan(0);
    expect(await writes.take('another', now)).toBe(0);
  });
});
