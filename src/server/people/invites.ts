/** Invitations: a secret that lets one person in, once, until it ends. */
import type * as v from 'valibot';
import type { Clock, Ids } from '#core/ports.ts';
import type { AcceptedSchema, Invite, NewInviteSchema } from '#core/sync/people.ts';
import { writeAudit } from '../audit/audit.ts';
import { SCOPE_OF, type Principal } from '../auth/principal.ts';
import type { UrlSigner } from '../auth/signed-url.ts';
import { BROWSER_LABEL, hashToken, makeToken, newSecret, SESSION_MS } from '../auth/tokens.ts';
import { HttpError } from '../http/http-error.ts';
import { findRow } from '../store/rows.ts';
import type { InviteTable, Reader, Tx } from '../store/schema.ts';

const DAY_MS = 86_400_000;
/** So long the answer to an accepted invitation can be had again, milliseconds. */
const AGAIN_MS = 10 * 60_000;

/** Those that can still be used. */
export async function openInvites(db: Reader, now: number): Promise<Invite[]> {
  const query = db.selectFrom('invites').selectAll().where('used_at', 'is', null).where('revoked_at', 'is', null);
  const rows = await query.where('expires_at', '>', now).orderBy('created_at').execute();
  return rows.map(invite);
}

function invite({ id, name, role, created_by, created_at, expires_at }: InviteTable): Invite {
  return { id, name, role, created_by, created_at: Number(created_at), expires_at: Number(expires_at) };
}

export async function createInvite(
  tx: Tx,
  using: { clock: Clock; ids: Ids },
  by: Principal,
  wish: v.InferOutput<typeof NewInviteSchema>,
): Promise<Invite & { secret: string }> {
  const secret = newSecret();
  const at = using.clock.now();
  const { name, role, days } = wish;
  const row: InviteTable = {
    id: using.ids.next(),
    secret_hash: hashToken(secret),
    name,
    role,
    created_by: by.user_id,
    created_at: at,
    expires_at: at + days * DAY_MS,
    used_at: null,
    used_by: null,
    revoked_at: null,
  };
  await tx.insertInto('invites').values(row).execute();
  await writeAudit(tx, {
    at,
    user_id: by.user_id,
    action: 'invite.created',
    entity_id: row.id,
    details: { name, role },
  });
  return { ...invite(row), secret };
}

/** Throws HttpError 404 where there is none that could still be used. */
export async function revokeInvite(tx: Tx, clock: Clock, by: Principal, id: string): Promise<void> {
  const at = clock.now();
  const query = tx.updateTable('invites').set({ revoked_at: at }).where('id', '=', id);
  const open = query.where('used_at', 'is', null).where('revoked_at', 'is', null);
  const { numUpdatedRows } = await open.executeTakeFirst();
  if (numUpdatedRows === 0n) throw new HttpError('not_found', `There is no open invitation "${id}".`);
  await writeAudit(tx, { at, user_id: by.user_id, action: 'invite.revoked', entity_id: id });
}

/** An invitation of a person who may not invite any more lets nobody in. */
export async function revokeInvitesOf(tx: Tx, userId: string, at: number): Promise<void> {
  const open = tx.updateTable('invites').set({ revoked_at: at }).where('created_by', '=', userId);
  await open.where('used_at', 'is', null).where('revoked_at', 'is', null).execute();
}

/** Throws HttpError 404 where whoever invites is no admin, or is not here, any more. */
async function refuseFormerAdmin(tx: Tx, userId: string): Promise<void> {
  const by = await findRow(tx, 'users', userId);
  if (by?.role !== 'admin' || by.removed_at !== null) throw unusable();
}

function unusable(): HttpError {
  return new HttpError('not_found', 'This invitation was used before, taken back, or has come to its end.');
}

type Accepted = v.InferOutput<typeof AcceptedSchema>;
type Accepting = { clock: Clock; ids: Ids; signer: UrlSigner };

/**
 * Lets the person in. The same invitation under the same key is answered with the same token for `AGAIN_MS`: an answer
 * that was lost burns nothing. The token is nowhere meanwhile; it is made of the two and the server's own secret.
 * Throws HttpError 404 for an invitation that is unknown, used, revoked or at its end, or from somebody who is no
 * admin any more.
 * @param key the client's own, of this one attempt; null: it sent none
 */
export async function acceptInvite(tx: Tx, using: Accepting, secret: string, key: string | null): Promise<Accepted> {
  const at = using.clock.now();
  const user_id = using.ids.next();
  const used = await tx
    .updateTable('invites')
    .set({ used_at: at, used_by: user_id })
    .where('secret_hash', '=', hashToken(secret))
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
  if (!used) return acceptedBefore(tx, using, secret, key);
  const { id, name, role, created_by } = used;
  await refuseFormerAdmin(tx, created_by);
  await tx
    .insertInto('users')
    .values({ id: user_id, name, role, created_at: at, created_by, removed_at: null })
    .execute();
  const wish = {
    id: using.ids.next(),
    user_id,
    label: BROWSER_LABEL,
    scope: SCOPE_OF[role],
    expires_at: at + SESSION_MS,
  };
  const { token } = await makeToken(tx, wish, at, key === null ? undefined : using.signer.derive(secret, key));
  await writeAudit(tx, { at, user_id, action: 'invite.used', entity_id: id, details: { name, role, created_by } });
  return { user_id, name, role, token };
}

/** The token that was made under the same key, as long as it is good. Throws HttpError 404. */
async function acceptedBefore(tx: Tx, using: Accepting, secret: string, key: string | null): Promise<Accepted> {
  if (key === null) throw unusable();
  const token = using.signer.derive(secret, key);
  const query = tx
    .selectFrom('invites')
    .innerJoin('tokens', 'tokens.user_id', 'invites.used_by')
    .innerJoin('users', 'users.id', 'invites.used_by')
    .select(['users.id as user_id', 'users.name', 'users.role'])
    .where('invites.secret_hash', '=', hashToken(secret))
    .where('invites.used_at', '>', using.clock.now() - AGAIN_MS);
  const good = query.where('tokens.token_hash', '=', hashToken(token)).where('tokens.revoked_at', 'is', null);
  const found = await good.where('users.removed_at', 'is', null).executeTakeFirst();
  if (!found) throw unusable();
  return { ...found, token };
}
