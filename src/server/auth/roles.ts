import type { Scope } from './principal.ts';

/** What a person is here, from little to much. */
export const ROLES = ['reader', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a person of this role may do; of a token of theirs, at most. */
export const SCOPE_OF: Record<Role, Scope> = { reader: 'ReadCatalog', editor: 'EditCatalog', admin: 'Admin' };
