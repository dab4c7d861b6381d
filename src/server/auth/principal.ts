/** What a token may be allowed to do. */
export type Scope = 'EditCatalog';

/** Who asks. */
export interface Principal {
  user_id: string;
  scopes: readonly string[];
}

/** How the server finds out who asks; the tokens table is one way. */
export interface Auth {
  /** The owner of a token, or null when it is unknown or revoked. */
  authenticate(token: string): Promise<Principal | null>;
  /** A user by id with what their tokens allow now, or null. For signed URLs. */
  user(userId: string): Promise<Principal | null>;
}

export function may(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope);
}
