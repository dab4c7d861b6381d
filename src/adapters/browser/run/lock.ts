/**
 * One tab at a time works. Web Locks where there are; otherwise a lease in the database that is renewed
 * while the tab lives, and a second tab is refused with a sentence.
 */
import type { AccessionDb } from '../db.ts';

export type Role = 'leader' | 'follower' | 'unsupported';

const NAME = 'accession-pipeline';
const LEASE_MS = 10_000;

export interface LockDeps {
  db: AccessionDb;
  now(): number;
  owner: string;
  /** Runs while the lock is held; resolves when it is to be given back. */
  lead(): Promise<void>;
}

/** Answers at once with this tab's role; a follower leads later, when the leader's tab is gone. */
export async function contend(deps: LockDeps): Promise<Role> {
  if (!('locks' in navigator)) return contendByLease(deps);
  const state = await navigator.locks.query();
  const taken = state.held?.some((lock) => lock.name === NAME) ?? false;
  void navigator.locks.request(NAME, () => deps.lead());
  return taken ? 'follower' : 'leader';
}

async function contendByLease(deps: LockDeps): Promise<Role> {
  const won = await renew(deps);
  if (!won) return 'unsupported';
  const timer = setInterval(() => void renew(deps), LEASE_MS / 3);
  void deps.lead().finally(() => clearInterval(timer));
  return 'leader';
}

async function renew(deps: LockDeps): Promise<boolean> {
  return deps.db.transaction('rw', deps.db.meta, async () => {
    const row = await deps.db.meta.get('lease');
    const lease = row?.value as { owner: string; until: number } | undefined;
    if (lease && lease.owner !== deps.owner && lease.until > deps.now()) return false;
    await deps.db.meta.put({ key: 'lease', value: { owner: deps.owner, until: deps.now() + LEASE_MS } });
    return true;
  });
}
