import type { Role } from '#core/sync/people.ts';

/**
 * What a token may be allowed to do, from little to much; each includes those before it. `ReadCatalog` reads the
 * catalog and its audio; `Work` is a worker's: takes jobs, uploads, commits; `EditCatalog` is a person's;
 * `Admin` sees everybody's jobs, the log of who did what, and lets people in and out.
 */
export const SCOPES = ['ReadCatalog', 'Work', 'EditCatalog', 'Admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who asks. */
export interface Principal {
  user_id: string;
  scopes: readonly string[];
  /** When the token that asks ends, milliseconds; null or absent: not by itself. */
  expires_at?: number | null;
  /** The token that asks is that of a sign-in link. */
  link?: boolean;
}

/** How the server finds out who asks; the tokens table is one way. */
export interface Auth {
  /** The owner of a token, or null when it is unknown, revoked or expired. */
  authenticate(token: string): Promise<Principal | null>;
  /** A user by id with what their tokens allow now, or null. For signed URLs. */
  user(userId: string): Promise<Principal | null>;
}

/** Whether one of the principal's scopes is this one or includes it. */
export function may(principal: Principal, scope: Scope): boolean {
  return SCOPES.slice(SCOPES.indexOf(scope)).some((enough) => principal.scopes.includes(enough));
}

/** Whether jobs and reviews of this user are the principal's business. To others they do not exist. */
export function mayKnow(principal: Principal, userId: string): boolean {
  return principal.user_id === userId || may(principal, 'Admin');
}

export type { Role };

/** What a person of this role may do; of a token of theirs, at most. */
export const SCOPE_OF: Record<Role, Scope> = { reader: 'ReadCatalog', editor: 'EditCatalog', admin: 'Admin' };
