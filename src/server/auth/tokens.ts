import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Ids } from '#core/ports.ts';
import { writeAudit } from '../audit/audit.ts';
import { HttpError } from '../http/http-error.ts';
import type { Store } from '../store/store.ts';
import type { TokenTable, Tx } from '../store/schema.ts';
import { SCOPES, type Auth, type Principal, type Scope } from './principal.ts';

/** The user that the server's own token signs in. */
export const ADMIN_USER = 'admin';
const ADMIN_LABEL = 'admin';
const ADMIN_SCOPES: Scope[] = ['EditCatalog', 'Admin'];
/** Begins the id of the token of a sign-in link. No id that is made at random has a colon. */
const LINK_ID = 'link:';
/** Of a browser that was signed in by a link or an invitation. */
export const BROWSER_LABEL = 'browser';
/** So long a printed link signs in: it stands in a terminal's history, and in logs of a process manager. Milliseconds. */
const LINK_MS = 3600_000;
/** A browser that was let in stays signed in for this long, milliseconds. */
export const SESSION_MS = 365 * 86_400_000;

/** Tokens in the database, hashed: whoever reads it cannot sign in with what is there. */
export function tokenAuth({ db }: Store, clock: Clock): Auth {
  const good = () =>
    db
      .selectFrom('tokens')
      .select(['id', 'user_id', 'scopes', 'expires_at'])
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]));
  return {
    async authenticate(token) {
      const row = await good().where('token_hash', '=', hashToken(token)).executeTakeFirst();
      if (!row) return null;
      const expires_at = row.expires_at === null ? null : Number(row.expires_at);
      return {
        user_id: row.user_id,
        scopes: row.scopes.split(' '),
        expires_at,
        link: row.id?.startsWith(LINK_ID) === true,
      };
    },
    async user(userId) {
      const rows = await good().where('user_id', '=', userId).execute();
      if (rows.length === 0) return null;
      return { user_id: userId, scopes: [...new Set(rows.flatMap((row) => row.scopes.split(' ')))] };
    },
  };
}

/** Makes `token` the one that signs the admin in; a former admin token stops working. */
export async function setAdminToken(store: Store, clock: Clock, token: string): Promise<void> {
  const token_hash = hashToken(token);
  const now = clock.now();
  await store.write(async (tx) => {
    const user = { id: ADMIN_USER, name: 'Admin', created_at: now, created_by: null, removed_at: null };
    await tx
      .insertInto('users')
      .values({ ...user, role: 'admin' })
      .onConflict((c) => c.column('id').doNothing())
      .execute();
    const others = tx.deleteFrom('tokens').where('label', '=', ADMIN_LABEL).where('token_hash', '!=', token_hash);
    const { numDeletedRows } = await others.where('user_id', '=', ADMIN_USER).executeTakeFirst();
    if (numDeletedRows > 0n) await endSessions(tx, now);
    const good = { label: ADMIN_LABEL, scopes: ADMIN_SCOPES.join(' '), revoked_at: null, expires_at: null };
    await tx
      .insertInto('tokens')
      .values({ ...good, token_hash, id: ADMIN_USER, user_id: ADMIN_USER, created_at: now })
      .onConflict((c) => c.column('token_hash').doUpdateSet(good))
      .execute();
  });
}

/** Whoever changes the admin's token wants nobody in by the former one, nor by what it let in. */
async function endSessions(tx: Tx, now: number): Promise<void> {
  const admins = tx.updateTable('tokens').set({ revoked_at: now }).where('user_id', '=', ADMIN_USER);
  await admins
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('label', '=', BROWSER_LABEL), eb('id', 'like', `${LINK_ID}%`)]))
    .execute();
}

/**
 * The token of a new link that signs the admin's browser in: good for `LINK_MS`, as a bearer token too. Those that have
 * ended are forgotten.
 */
export async function makeLinkToken(store: Store, using: { clock: Clock; ids: Ids }): Promise<string> {
  const now = using.clock.now();
  return store.write(async (tx) => {
    const links = tx.deleteFrom('tokens').where('id', 'like', `${LINK_ID}%`);
    await links.where('expires_at', '<=', now).execute();
    const wish = { id: `${LINK_ID}${using.ids.next()}`, user_id: ADMIN_USER, label: 'sign-in link' };
    return (await makeToken(tx, { ...wish, scope: 'Admin', expires_at: now + LINK_MS }, now)).token;
  });
}

/**
 * A browser's own token in exchange for that of a sign-in link. Throws HttpError 409 for any other token: one that ends
 * would make one that ends later.
 */
export async function makeSession(tx: Tx, using: { clock: Clock; ids: Ids }, by: Principal): Promise<string> {
  if (by.link !== true)
    throw new HttpError('conflict', 'Only the token of a sign-in link is exchanged for one of the browser.', {
      remedy: 'Use the token that you have, or make a further one with POST /v1/tokens.',
    });
  const at = using.clock.now();
  const scope = SCOPES.findLast((one) => by.scopes.includes(one)) ?? 'ReadCatalog';
  const wish = { id: using.ids.next(), user_id: by.user_id, label: BROWSER_LABEL, scope };
  const { token, row } = await makeToken(tx, { ...wish, expires_at: at + SESSION_MS }, at);
  await writeAudit(tx, { at, user_id: by.user_id, action: 'link.used', entity_id: row.id ?? '' });
  return token;
}

export interface TokenWish {
  id: string;
  user_id: string;
  label: string;
  scope: Scope;
  expires_at: number | null;
}

/** A new token, which is answered once and stored as its hash. @param token random, where nothing else is given */
export async function makeToken(
  tx: Tx,
  wish: TokenWish,
  now: number,
  token = newSecret(),
): Promise<{ token: string; row: TokenTable }> {
  const { scope, ...rest } = wish;
  const row: TokenTable = {
    ...rest,
    scopes: scope === 'Admin' ? ADMIN_SCOPES.join(' ') : scope,
    token_hash: hashToken(token),
    created_at: now,
    revoked_at: null,
  };
  await tx.insertInto('tokens').values(row).execute();
  return { token, row };
}

/** 256 random bits in letters that an address takes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Tokens are long and random, so one round of SHA-256 is enough, unlike for passwords. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
