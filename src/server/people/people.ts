/** People and their tokens, as an admin sees and changes them. Every change is in the log. */
import type * as v from 'valibot';
import type { Clock, Ids } from '#core/ports.ts';
import type { NewTokenSchema, Person, PersonPatchSchema, TokenInfoSchema } from '#core/sync/people.ts';
import { writeAudit } from '../audit/audit.ts';
import { remedyFor } from '../auth/require-permission.ts';
import { may, SCOPE_OF, SCOPES, type Principal, type Role } from '../auth/principal.ts';
import { ADMIN_USER, makeToken } from '../auth/tokens.ts';
import { HttpError } from '../http/http-error.ts';
import { countOn } from '../store/feed.ts';
import type { Reader, TokenTable, Tx, UserTable } from '../store/schema.ts';
import { revokeInvitesOf } from './invites.ts';

const DAY_MS = 86_400_000;
/** Of a token for which nothing else was asked. */
const USUAL_DAYS = 365;
type TokenInfo = v.InferOutput<typeof TokenInfoSchema>;

/** Everybody who was let in and not removed, with the tokens that are good now. */
export async function listPeople(db: Reader, now: number): Promise<Person[]> {
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .execute();
  const tokens = await goodTokens(db, now);
  return users.map((user) => person(user, tokens));
}

/** The tokens of one user, or of all, that are neither revoked nor at their end. */
export async function goodTokens(db: Reader, now: number, userId?: string): Promise<TokenTable[]> {
  let query = db.selectFrom('tokens').selectAll().where('revoked_at', 'is', null).orderBy('created_at');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  const rows = await query.execute();
  return rows.filter((row) => row.expires_at === null || Number(row.expires_at) > now);
}

function person(user: UserTable, tokens: readonly TokenTable[]): Person {
  const { id, name, role, created_at } = user;
  const own = tokens.filter((token) => token.user_id === id);
  return { id, name, role, created_at: Number(created_at), tokens: own.map(tokenInfo) };
}

export function tokenInfo(row: TokenTable): TokenInfo {
  const expires_at = row.expires_at === null ? null : Number(row.expires_at);
  const { id, label, scopes, created_at } = row;
  return { id: id ?? '', label, scopes: scopes.split(' '), created_at: Number(created_at), expires_at };
}

/** A new role counts at once, for every token of the person. Throws HttpError 404, or 409 for the server's own admin. */
export async function patchPerson(
  tx: Tx,
  clock: Clock,
  by: Principal,
  id: string,
  patch: v.InferOutput<typeof PersonPatchSchema>,
): Promise<Person> {
  const before = await personOf(tx, id);
  const after = { name: patch.name ?? before.name, role: patch.role ?? before.role };
  if (after.role !== before.role) {
    refuseServerAdmin(id);
    await adjustTokens(tx, id, before.role, after.role);
    await countOn(tx, 'access', 1);
  }
  await tx.updateTable('users').set(after).where('id', '=', id).execute();
  const at = clock.now();
  if (after.role !== 'admin') await revokeInvitesOf(tx, id, at);
  const changed = { before: { name: before.name, role: before.role }, after };
  await writeAudit(tx, { at, user_id: by.user_id, action: 'user.changed', entity_id: id, details: changed });
  return person({ ...before, ...after }, await goodTokens(tx, at, id));
}

/**
 * The person's own browser, where it had the former role's scope, gets the new one's. A token that was made for a
 * purpose never gets more than it was made with; what had more than the new role may keeps no more.
 */
async function adjustTokens(tx: Tx, userId: string, from: Role, to: Role): Promise<void> {
  const rank = (scopes: string): number => SCOPES.findLastIndex((scope) => scopes.split(' ').includes(scope));
  const most = SCOPES.indexOf(SCOPE_OF[to]);
  for (const token of await tx.selectFrom('tokens').selectAll().where('user_id', '=', userId).execute()) {
    const has = rank(token.scopes);
    const grows = has === SCOPES.indexOf(SCOPE_OF[from]) && (await isOfInvitation(tx, token));
    if (!grows && has <= most) continue;
    const scopes = to === 'admin' ? 'EditCatalog Admin' : SCOPE_OF[to];
    await tx.updateTable('tokens').set({ scopes }).where('token_hash', '=', token.token_hash).execute();
  }
}

/** The token that an invitation was answered with, made in the moment in which it was used. */
async function isOfInvitation(tx: Tx, { user_id, created_at }: TokenTable): Promise<boolean> {
  const used = tx.selectFrom('invites').select('id').where('used_by', '=', user_id);
  return (await used.where('used_at', '=', created_at).executeTakeFirst()) !== undefined;
}

/** Revokes everything that lets the person in. What they did stays. */
export async function removePerson(tx: Tx, clock: Clock, by: Principal, id: string): Promise<void> {
  const { name, role } = await personOf(tx, id);
  refuseServerAdmin(id);
  const at = clock.now();
  await tx.updateTable('users').set({ removed_at: at }).where('id', '=', id).execute();
  const tokens = tx.updateTable('tokens').set({ revoked_at: at }).where('user_id', '=', id);
  await tokens.where('revoked_at', 'is', null).execute();
  await revokeInvitesOf(tx, id, at);
  await countOn(tx, 'access', 1);
  await writeAudit(tx, { at, user_id: by.user_id, action: 'user.removed', entity_id: id, details: { name, role } });
}

/**
 * A further token of the caller, which ends with the caller's own at the latest. Throws HttpError 403 for a scope
 * beyond the caller's own, or for an end that was asked for and is later than the caller's own.
 */
export async function createToken(
  tx: Tx,
  using: { clock: Clock; ids: Ids },
  by: Principal,
  wish: v.InferOutput<typeof NewTokenSchema>,
): Promise<TokenInfo & { token: string }> {
  if (!may(by, wish.scope))
    throw new HttpError('forbidden', `Your own token does not have the permission ${wish.scope}.`, {
      remedy: remedyFor(wish.scope),
    });
  const { label, scope, days } = wish;
  const at = using.clock.now();
  const expires_at = endOf(by, days, at);
  const { token, row } = await makeToken(
    tx,
    { id: using.ids.next(), user_id: by.user_id, label, scope, expires_at },
    at,
  );
  const details = { label, scope, expires_at };
  await writeAudit(tx, { at, user_id: by.user_id, action: 'token.created', entity_id: row.id ?? '', details });
  return { ...tokenInfo(row), token };
}

/** When a token ends that a caller wants for so many days. Throws HttpError 403. */
function endOf(by: Principal, days: number | null | undefined, at: number): number | null {
  const last = by.expires_at ?? null;
  if (days === undefined) {
    const usual = at + USUAL_DAYS * DAY_MS;
    return last === null ? usual : Math.min(usual, last);
  }
  const wanted = days === null ? null : at + days * DAY_MS;
  if (last === null || (wanted !== null && wanted <= last)) return wanted;
  throw new HttpError(
    'forbidden',
    `Your own token ends on ${new Date(last).toISOString().slice(0, 10)}: what it makes ends no later.`,
    { remedy: 'Ask for fewer days, or for none: then it ends with your own.' },
  );
}

/** One's own, or, as an admin, anybody's. Throws HttpError 404, or 409 for the server's own admin token. */
export async function revokeToken(tx: Tx, clock: Clock, by: Principal, id: string): Promise<void> {
  const query = tx.selectFrom('tokens').selectAll().where('id', '=', id).where('revoked_at', 'is', null);
  const row = await query.executeTakeFirst();
  if (!row || (row.user_id !== by.user_id && !may(by, 'Admin')))
    throw new HttpError('not_found', `There is no token "${id}".`);
  if (row.user_id === ADMIN_USER && row.label === ADMIN_USER)
    throw new HttpError(
      'conflict',
      "The server's own token is changed by ACCESSION_TOKEN, or by its file admin-token.",
    );
  const at = clock.now();
  await tx.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).execute();
  await countOn(tx, 'access', 1);
  const details = { label: row.label, owner: row.user_id };
  await writeAudit(tx, { at, user_id: by.user_id, action: 'token.revoked', entity_id: id, details });
}

async function personOf(tx: Tx, id: string): Promise<UserTable> {
  const query = tx.selectFrom('users').selectAll().where('id', '=', id).where('removed_at', 'is', null);
  const row = await query.executeTakeFirst();
  if (!row) throw new HttpError('not_found', `There is nobody "${id}" here.`);
  return row;
}

/** Somebody has to be able to let people in. */
function refuseServerAdmin(id: string): void {
  if (id !== ADMIN_USER) return;
  throw new HttpError('conflict', "The server's own admin keeps the role, and cannot be removed.");
}
