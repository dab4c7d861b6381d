import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#core/ports.ts';
import type { Store } from '../store/store.ts';
import type { TokenTable, Tx } from '../store/schema.ts';
import type { Auth, Scope } from './principal.ts';

/** The user that the server's own token signs in. */
export const ADMIN_USER = 'admin';
const ADMIN_LABEL = 'admin';
const ADMIN_SCOPES: Scope[] = ['EditCatalog', 'Admin'];

/** Tokens in the database, hashed: whoever reads it cannot sign in with what is there. */
export function tokenAuth({ db }: Store, clock: Clock): Auth {
  const good = () =>
    db
      .selectFrom('tokens')
      .select(['user_id', 'scopes'])
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]));
  return {
    async authenticate(token) {
      const row = await good().where('token_hash', '=', hashToken(token)).executeTakeFirst();
      return row ? { user_id: row.user_id, scopes: row.scopes.split(' ') } : null;
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
    await others.where('user_id', '=', ADMIN_USER).execute();
    const good = { label: ADMIN_LABEL, scopes: ADMIN_SCOPES.join(' '), revoked_at: null, expires_at: null };
    await tx
      .insertInto('tokens')
      .values({ ...good, token_hash, id: ADMIN_USER, user_id: ADMIN_USER, created_at: now })
      .onConflict((c) => c.column('token_hash').doUpdateSet(good))
      .execute();
  });
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
