/**
 * Records of recognised videos on the workstation. A live query over `video_records` is their feed: whoever reads
 * them is told of each change.
 */
import * as v from 'valibot';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Folder } from '#adapters/browser/plans/open-folder.ts';
import { decided, takenBack } from '#core/plan/plan-rules.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import type { Ids } from '#core/ports.ts';
import {
  confirmed,
  moved,
  withoutPlan,
  type Confirmed,
  type Finding,
  type RecordChanges,
} from '#lanes/video/core/records/change-records.ts';
import { renamedElsewhere, toFollow } from '#lanes/video/core/records/follow-renames.ts';
import { KeptVideoSchema, recordOf, type KeptVideo, type VideoRecord } from '#lanes/video/core/records/video-record.ts';

/** A row: the record's own fields, and of which opened folder it is. */
export interface VideoRecordRow extends KeptVideo {
  /** A folder's id; of a folder that was only listed, its path. */
  root: string;
}

/** A rename whose files' records have the new names. */
export interface FollowedRow {
  journal_id: string;
  root: string;
}

/** What names the folder in rows. */
export const rootOf = ({ id, mediaFolderPath }: Pick<Folder, 'id' | 'mediaFolderPath'>): string =>
  id ?? mediaFolderPath;

type Db = Pick<AccessionDb, 'plans' | 'video_records' | 'followed_renames' | 'rename_journals' | 'transaction'>;

async function rowsOf(db: Pick<Db, 'video_records'>, root: string): Promise<KeptVideo[]> {
  const rows = await db.video_records.where('root').equals(root).toArray();
  // A row that is none is as if it were not there.
  return rows.flatMap((row) => {
    const read = v.safeParse(KeptVideoSchema, row);
    return read.success ? [read.output] : [];
  });
}

async function write(db: Pick<Db, 'video_records'>, root: string, { put, gone }: RecordChanges): Promise<void> {
  await db.video_records.bulkDelete(gone);
  await db.video_records.bulkPut(put.map((row) => ({ ...row, root })));
}

/** Records of a folder, by path below it; of one that was only listed, those whose file has the same size. */
export async function recordsOf(
  db: Pick<Db, 'video_records'>,
  folder: Pick<Folder, 'id' | 'mediaFolderPath' | 'entries'>,
): Promise<Map<string, VideoRecord>> {
  const rows = await rowsOf(db, rootOf(folder));
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const found = new Map<string, VideoRecord>();
  for (const { kind, path, size } of folder.entries) {
    const row = kind === 'file' ? byPath.get(`${folder.mediaFolderPath}/${path}`) : undefined;
    const record = row === undefined || (folder.id === null && row.size !== size) ? null : recordOf(row);
    if (record !== null) found.set(path, record);
  }
  return found;
}

/** What names the folders of which something is recorded. */
export async function rootsWithRecords(db: Pick<Db, 'video_records'>): Promise<string[]> {
  return (await db.video_records.orderBy('root').uniqueKeys()).map(String);
}

/** PLAN-102: before a folder is shown, its records take the names that other programs gave their files. */
export async function followElsewhere(
  db: Pick<Db, 'video_records' | 'transaction'>,
  folder: Pick<Folder, 'id' | 'mediaFolderPath' | 'entries'>,
): Promise<void> {
  const { mediaFolderPath, entries } = folder;
  const files = entries.flatMap(({ kind, path, size, modified }) =>
    kind === 'file' ? [{ path: `${mediaFolderPath}/${path}`, size, modified }] : [],
  );
  await db.transaction('rw', db.video_records, async () => {
    const rows = await rowsOf(db, rootOf(folder));
    const moves = renamedElsewhere(rows, files);
    if (moves.length > 0) await write(db, rootOf(folder), moved(rows, moves));
  });
}

/** Everything that is recorded here, or of one folder. */
export async function allRecords(db: Pick<Db, 'video_records'>, root?: string): Promise<KeptVideo[]> {
  const roots = root === undefined ? await rootsWithRecords(db) : [root];
  return (await Promise.all(roots.map((one) => rowsOf(db, one)))).flat();
}

export interface ConfirmedPlan {
  root: string;
  planId: string;
  by: string;
  /** Milliseconds. */
  now: number;
  findings(kept: KeptPlan): readonly Finding[];
}

/** PLAN-90: the plan is `completed` and its records are there, or neither. */
export async function confirmPlan(
  db: Db,
  store: PlanStore,
  ids: Ids,
  { root, planId, by, now, findings }: ConfirmedPlan,
): Promise<Confirmed> {
  return db.transaction('rw', [db.plans, db.video_records, db.followed_renames, db.rename_journals], async () => {
    // Renames of before are no moves of what is recorded now.
    await followRenames(db, root);
    const kept = await store.update(planId, (plan) => decided(plan, 'completed', by, now));
    const plan = { plan_id: planId, folder: kept.plan.mediaFolderPath, at: now, by, findings: findings(kept) };
    const changes = confirmed(await rowsOf(db, root), plan, () => ids.next());
    await write(db, root, changes);
    return changes;
  });
}

/** PLAN-97: what this plan wrote down goes, and what was said before counts again. */
export async function takeBackPlan(
  db: Db,
  store: PlanStore,
  { planId, by, now }: { planId: string; by: string; now: number },
): Promise<number> {
  return db.transaction('rw', [db.plans, db.video_records], async () => {
    await store.update(planId, (kept) => takenBack(kept, by, now));
    let files = 0;
    for (const root of await rootsWithRecords(db)) {
      const changes = withoutPlan(await rowsOf(db, root), planId);
      await write(db, root, changes);
      files += changes.put.length + changes.gone.length;
    }
    return files;
  });
}

/** PLAN-95: records of a folder take the names that ended renames gave their files, or gave back. */
export async function followRenames(db: Db, root: string): Promise<void> {
  await db.transaction('rw', [db.video_records, db.followed_renames, db.rename_journals], async () => {
    const journals = await db.rename_journals.where('root').equals(root).toArray();
    const followed = new Set(
      (await db.followed_renames.where('root').equals(root).toArray()).map((one) => one.journal_id),
    );
    const ended = journals.flatMap((one) => (one.ended === null ? [] : [{ ...one, ended: one.ended }]));
    const [newest] = ended;
    if (newest === undefined) return;
    for (const { journal_id, done, moves } of toFollow(
      ended,
      followed,
      (below) => `${newest.head.plan.mediaFolderPath}/${below}`,
    )) {
      await write(db, root, moved(await rowsOf(db, root), moves));
      if (done) await db.followed_renames.put({ journal_id, root });
      else await db.followed_renames.delete(journal_id);
    }
  });
}
