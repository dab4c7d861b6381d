import type { Role } from '#core/sync/people.ts';
import type { Scope } from './principal.ts';

export type { Role };

/** What a person of this role may do; of a token of theirs, at most. */
export const SCOPE_OF: Record<Role, Scope> = { reader: 'ReadCatalog', editor: 'EditCatalog', admin: 'Admin' };
