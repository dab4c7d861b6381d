/**
 * Who works on a run:
 *
 *   waiting --take--> leased --ended--> how it ended --resume--> waiting
 *      ^                |-- given back --> waiting
 *      '----------------'-- silent for LEASE_MS: the next who asks takes it, with the journal as far as it came
 */
import type { ExpressionBuilder } from 'kysely';
import type { Clock, Ids } from '#core/ports.ts';
import type { Principal } from '#server/auth/principal.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { Database, Reader, Tx } from '#server/store/schema.ts';
import { LEASE_MS, MOST_LOST, takesAll } from '#server/work/lease.ts';
import type { SaidEnd } from '../core/shared/run-protocol.ts';
import type { PlaybookRunTable } from './tables.ts';

/** Tries of one question: others may take what was seen. */
const CANDIDATES = 8;

/** Nobody's, or silent for too long; further ahead than a lease can be it was given by a clock that was wrong. */
const isFree = (now: number) => (eb: ExpressionBuilder<Database, 'playbook_runs'>) =>
  eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now), eb('lease_until', '>', now + LEASE_MS)]);

export const isHeld = ({ lease_until }: Pick<PlaybookRunTable, 'lease_until'>, now: number): boolean =>
  lease_until !== null && Number(lease_until) >= now && Number(lease_until) <= now + LEASE_MS;

const NOBODY = { lease_id: null, lease_until: null, worker: null } as const;

/** Leases the oldest run that waits, or answers null. */
export async function takeRun(
  tx: Tx,
  { clock, ids }: { clock: Clock; ids: Ids },
  principal: Principal,
  { worker, tools = true }: { worker: string; tools?: boolean },
): Promise<PlaybookRunTable | null> {
  const now = clock.now();
  let waiting = tx
    .selectFrom('playbook_runs')
    .select(['id', 'lease_id', 'lost', 'cancel'])
    .where('state', '=', 'waiting')
    .where(isFree(now));
  if (!tools) waiting = waiting.where('tools', '=', 0);
  if (!(await takesAll(tx, principal))) waiting = waiting.where('user_id', '=', principal.user_id);
  for (const { id, lease_id, lost, cancel } of await waiting
    .orderBy('created_at')
    .orderBy('id')
    .limit(CANDIDATES)
    .execute()) {
    const silent = Number(lost) + (lease_id === null ? 0 : 1);
    const taken =
      Number(cancel) === 1
        ? { ...NOBODY, state: 'cancelled', cancel: 0, lost: 0 }
        : silent >= MOST_LOST
          ? { ...NOBODY, state: 'failed', lost: 0, ended: JSON.stringify(gaveUp(silent)) }
          : { lease_id: ids.next(), lease_until: now + LEASE_MS, worker, lost: silent };
    const row = await tx
      .updateTable('playbook_runs')
      .set({ ...taken, updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where(isFree(now))
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined && row.state === 'waiting') return row;
  }
  return null;
}

function gaveUp(times: number): SaidEnd {
  const message = `The worker stopped without a word ${times} times while it worked on this run.`;
  const remedy = 'Look at the log of the worker, then resume the run.';
  const error = { code: 'worker_died', key: '', step: null, at: null, message, remedy };
  return { state: 'failed', error, skipped: [], faults: [] };
}

/** The run of this lease. Throws HttpError 409 where it is over, 404 where it is not this principal's business. */
export async function leasedRun(db: Reader, principal: Principal, leaseId: string): Promise<PlaybookRunTable> {
  const row = await db.selectFrom('playbook_runs').selectAll().where('lease_id', '=', leaseId).executeTakeFirst();
  if (row === undefined) throw leaseOver();
  if (row.user_id !== principal.user_id && !(await takesAll(db, principal)))
    throw new HttpError('not_found', 'There is no such lease.');
  return row;
}

/** Renewed with what else changes; a worker that writes is not silent. Throws HttpError 409 where the lease is over. */
export async function holdRun(
  tx: Tx,
  leaseId: string,
  now: number,
  change: Partial<Pick<PlaybookRunTable, 'bytes' | 'pieces' | 'lost'>> = {},
): Promise<PlaybookRunTable> {
  const row = await tx
    .updateTable('playbook_runs')
    .set({ lease_until: now + LEASE_MS, ...change })
    .where('lease_id', '=', leaseId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw leaseOver();
  return row;
}

export async function letGoOfRun(
  tx: Tx,
  leaseId: string,
  change: Partial<Pick<PlaybookRunTable, 'state' | 'ended' | 'updated_at' | 'cancel' | 'lost'>> = {},
): Promise<void> {
  await tx
    .updateTable('playbook_runs')
    .set({ ...NOBODY, ...change })
    .where('lease_id', '=', leaseId)
    .execute();
}

const leaseOver = (): HttpError =>
  new HttpError('conflict', 'This lease is over: another worker goes on, or the run is over.', {
    details: { lease: 'over' },
  });
