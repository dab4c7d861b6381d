/** People, invitations, tokens and the log of who did what, on the wire. */
import * as v from 'valibot';

/** What a person is here, from little to much. */
export const ROLES = ['reader', 'editor', 'admin'] as const;
const RoleSchema = v.picklist(ROLES);
export type Role = v.InferOutput<typeof RoleSchema>;
const Name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100));
const Days = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3650));

export const TokenInfoSchema = v.object({
  id: v.string(),
  label: v.string(),
  scopes: v.array(v.string()),
  created_at: v.number(),
  expires_at: v.nullable(v.number()),
});
/** A person with the tokens that are good now. */
export const PersonSchema = v.object({
  id: v.string(),
  name: v.string(),
  role: RoleSchema,
  created_at: v.number(),
  tokens: v.array(TokenInfoSchema),
});
export type Person = v.InferOutput<typeof PersonSchema>;
export const PeopleSchema = v.object({ items: v.array(PersonSchema) });
export const PersonPatchSchema = v.object({ name: v.optional(Name), role: v.optional(RoleSchema) });

export const NewInviteSchema = v.object({ name: Name, role: RoleSchema, days: v.optional(Days, 7) });
/** An invitation that nobody has used yet. */
export const InviteSchema = v.object({
  id: v.string(),
  name: v.string(),
  role: RoleSchema,
  created_by: v.string(),
  created_at: v.number(),
  expires_at: v.number(),
});
export type Invite = v.InferOutput<typeof InviteSchema>;
export const InvitesSchema = v.object({ items: v.array(InviteSchema) });
/** `secret` is shown this once; the link is the app's address with `#invite=secret`. */
export const NewInviteAnswerSchema = v.object({ ...InviteSchema.entries, secret: v.string() });
export const AcceptInviteSchema = v.object({ secret: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) });

export const NewTokenSchema = v.object({
  label: Name,
  /** At most what the caller's own token may. */
  scope: v.picklist(['ReadCatalog', 'Work', 'EditCatalog', 'Admin']),
  /** null: it does not end by itself. Absent: 365, and no longer than the caller's own. */
  days: v.optional(v.nullable(Days)),
});
/** Who was signed in by a link, and the browser's own token, which is shown this once. */
export const SessionSchema = v.object({ user_id: v.string(), token: v.string() });
export const TokensSchema = v.object({ items: v.array(TokenInfoSchema) });
/** `token` is shown this once. */
export const NewTokenAnswerSchema = v.object({ ...TokenInfoSchema.entries, token: v.string() });
export const AcceptedSchema = v.object({ user_id: v.string(), name: v.string(), role: RoleSchema, token: v.string() });

/** Scopes of a token that may report work, upload and publish. */
const WORKING: readonly string[] = ['Work', 'EditCatalog', 'Admin'];

/** Whether a token of these scopes may publish what was made here. */
export function mayWork(scopes: readonly string[]): boolean {
  return scopes.some((scope) => WORKING.includes(scope));
}

/** `name` is null where the token's owner is not in the list of people. */
export const MeSchema = v.object({
  user_id: v.string(),
  name: v.optional(v.nullable(v.string()), null),
  scopes: v.array(v.string()),
  /** The token is that of a sign-in link: `POST /v1/session` answers one of the browser's own for it. */
  link: v.optional(v.boolean(), false),
  /** When the token ends, milliseconds; null: not by itself. */
  expires_at: v.optional(v.nullable(v.number()), null),
});

export type Me = v.InferOutput<typeof MeSchema>;

/** How a page calls somebody: by name, else by what the server knows them as. */
export const nameOf = ({ name, user_id }: Pick<Me, 'name' | 'user_id'>): string => name ?? user_id;

export const AuditEntrySchema = v.object({
  id: v.string(),
  at: v.number(),
  user_id: v.string(),
  /** null: a person who is not in the list. */
  name: v.nullable(v.string()),
  action: v.string(),
  kind: v.string(),
  entity_id: v.string(),
  details: v.record(v.string(), v.unknown()),
});
export type AuditEntry = v.InferOutput<typeof AuditEntrySchema>;
