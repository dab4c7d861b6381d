/** The log of who did what: lines are written in the transaction that does it, and never changed. */
import { randomBytes } from 'node:crypto';
import type { AuditTable, Tx } from '../store/schema.ts';

/** What the server itself writes down; lanes add theirs (`LaneServer.audit`). */
export const AUDIT_ACTIONS = [
  'catalog.imported',
  'catalog.restored',
  'review.answered',
  'upload.received',
  'job.cancelled',
  'bundle.imported',
  'plan.proposed',
  'plan.changed',
  'plan.completed',
  'plan.rejected',
  'plan.renamed',
  'plan.written',
  'plan.undone',
  'invite.created',
  'invite.used',
  'link.used',
  'invite.revoked',
  'user.changed',
  'user.removed',
  'token.created',
  'token.revoked',
  'model.lent',
] as const;
/** Lanes add theirs by declaration merging. */
export interface AuditActions {
  server: (typeof AUDIT_ACTIONS)[number];
}
export type AuditAction = AuditActions[keyof AuditActions];

export interface AuditLine {
  /** Milliseconds since the epoch. */
  at: number;
  user_id: string;
  action: AuditAction;
  /** Of what it is about; a review is named by its job. */
  entity_id: string;
  /** What else a reader wants to know; never a secret. */
  details?: Record<string, unknown>;
}

/** Whoever runs the program `accession` beside the server: there is no token to tell them by. */
export const COMMAND_LINE = 'command-line';

let count = 0;

/** Writes one line. Its id sorts by time, and lines of one process by their order. */
export async function writeAudit(tx: Tx, line: AuditLine): Promise<void> {
  count += 1;
  const place = `${String(line.at).padStart(15, '0')}.${String(count).padStart(10, '0')}`;
  const row: AuditTable = {
    id: `${place}.${randomBytes(6).toString('hex')}`,
    at: line.at,
    user_id: line.user_id,
    action: line.action,
    kind: line.action.split('.')[0] ?? '',
    entity_id: line.entity_id,
    details: JSON.stringify(line.details ?? {}),
  };
  await tx.insertInto('audit').values(row).execute();
}
