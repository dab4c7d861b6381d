/**
 * What confirming, taking back and renaming do to the records of a folder's files. Pure: rows in, changed rows out.
 *
 *   confirm   each file of the plan gets its claim; files that the plan does not name keep theirs
 *   take back the plan's claims go, and what was said before counts again; a file of which nothing is said has no record
 *   rename    the record stays with its file
 */
import type { Claim, KeptVideo } from './video-record.ts';

/** Claims that are kept of one file: what was confirmed before counts for nothing but for taking back the later ones. */
export const MOST_CLAIMS = 20;

/** What a plan says of one file, and what the file is. */
export interface Finding
  extends
    Omit<Claim, 'plan_id' | 'confirmed_at' | 'confirmed_by'>,
    Pick<KeptVideo, 'path' | 'size' | 'modified' | 'seconds'> {}

export interface Confirmation {
  plan_id: string;
  /** Of the plan. */
  folder: string;
  /** Milliseconds, and who. */
  at: number;
  by: string;
  findings: readonly Finding[];
}

export interface RecordChanges {
  put: KeptVideo[];
  /** Ids of rows that go. */
  gone: string[];
}

export interface Confirmed extends RecordChanges {
  /** Files that have the plan's record now. */
  written: number;
  /** Files of which a person's earlier word stands against the plan's. */
  kept: number;
}

/**
 * @param rows all that may be about the plan's files
 * @param newId makes the ids of records
 */
export function confirmed(rows: readonly KeptVideo[], plan: Confirmation, newId: () => string): Confirmed {
  const changes: Confirmed = { put: [], gone: [], written: 0, kept: 0 };
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const { plan_id, folder, at, by } = plan;
  for (const { path, size, modified, seconds, ...said } of plan.findings) {
    const row = byPath.get(path);
    const before = row?.claims ?? [];
    // Confirmed twice, it is applied once.
    if (before.some((claim) => claim.plan_id === plan_id)) continue;
    const claims = [...before, { ...said, plan_id, confirmed_at: at, confirmed_by: by }].slice(-MOST_CLAIMS);
    const person = before.findLast(({ source }) => source === 'person');
    if (person !== undefined && said.source !== 'person') {
      if (!claims.includes(person)) claims.splice(0, 1, person);
      changes.kept += 1;
    } else changes.written += 1;
    changes.put.push({
      ...{ schema_version: 1, id: row?.id ?? newId(), folder, path, size, modified },
      // What was known of the length of the same bytes is known still.
      seconds: seconds ?? (row?.size === size ? row.seconds : null),
      claims,
    });
  }
  return changes;
}

/** Without what the plan says. */
export function withoutPlan(rows: readonly KeptVideo[], planId: string): RecordChanges {
  const changes: RecordChanges = { put: [], gone: [] };
  for (const row of rows) {
    const claims = row.claims.filter(({ plan_id }) => plan_id !== planId);
    if (claims.length === row.claims.length) continue;
    if (claims.length === 0) changes.gone.push(row.id);
    else changes.put.push({ ...row, claims });
  }
  return changes;
}

export interface Move {
  from: string;
  to: string;
}

/** Files were renamed, all at once: names may be exchanged. A record of a file that was at a target and is gone, goes. */
export function moved(rows: readonly KeptVideo[], moves: readonly Move[]): RecordChanges {
  const target = new Map(moves.map(({ from, to }) => [from, to]));
  const taken = new Set(target.values());
  const changes: RecordChanges = { put: [], gone: [] };
  for (const row of rows) {
    const to = target.get(row.path);
    if (to !== undefined) changes.put.push({ ...row, path: to });
    else if (taken.has(row.path)) changes.gone.push(row.id);
  }
  return changes;
}
