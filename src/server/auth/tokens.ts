import { createHash } from 'node:crypto';
import type { Clock } from '#core/ports.ts';
import type { Store } from '../store/store.ts';
import type { Auth, Principal, Scope } from './principal.ts';

/** The user that the server's own token signs in. */
export const ADMIN_USER = 'admin';
const ADMIN_LABEL = 'admin';
const ADMIN_SCOPES: Scope[] = ['EditCatalog', 'Admin'];

/** Tokens in the database, hashed: whoever reads it cannot sign in with what is there. */
export class TokenAuth implements Auth {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async authenticate(token: string): Promise<Principal | null> {
    const row = await this.#store.db
      .selectFrom('tokens')
      .select(['user_id', 'scopes'])
      .where('token_hash', '=', hashToken(token))
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row ? { user_id: row.user_id, scopes: row.scopes.split(' ') } : null;
  }

  async user(userId: string): Promise<Principal | null> {
    const rows = await this.#store.db
      .selectFrom('tokens')
      .select('scopes')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute();
    if (rows.length === 0) return null;
    return { user_id: userId, scopes: [...new Set(rows.flatMap((row) => row.scopes.split(' ')))] };
  }
}

/** Makes `token` the one that signs the admin in; a former admin token stops working. */
export async function setAdminToken(store: Store, clock: Clock, token: string): Promise<void> {
  const hash = hashToken(token);
  await store.write(async (tx) => {
    const others = tx.deleteFrom('tokens').where('label', '=', ADMIN_LABEL).where('token_hash', '!=', hash);
    await others.execute();
    await tx
      .insertInto('tokens')
      .values(tokenRow(hash, ADMIN_LABEL, ADMIN_USER, ADMIN_SCOPES, clock.now()))
      .onConflict((c) => c.column('token_hash').doUpdateSet({ label: ADMIN_LABEL, revoked_at: null, scopes: ADMIN_SCOPES.join(' ') }))
      .execute();
  });
}

function tokenRow(token_hash: string, label: string, user_id: string, scopes: Scope[], created_at: number) {
  return { token_hash, label, user_id, scopes: scopes.join(' '), created_at, revoked_at: null };
}

/** Tokens are long and random, so one round of SHA-256 is enough, unlike for passwords. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
