/** Records of recognised videos in the server's database: their tables, and rows read and written. */
import * as v from 'valibot';
import { KeptVideoSchema, type KeptVideo } from '#lanes/video/core/records/video-record.ts';
import type { RecordChanges } from '#lanes/video/core/records/change-records.ts';
import { appendChanges } from '#server/store/feed.ts';
import { chunks, findRows, upsert } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';

/** In the change feed. */
export const VIDEO_KIND = 'video';

export interface VideoRecordTable extends Omit<KeptVideo, 'claims'> {
  /** JSON: what each confirmed plan says of the file, in the order of confirming. */
  claims: string;
}

/** Renames whose files' records have the new names. */
export interface FollowedRenameTable {
  journal_id: string;
}

declare module '#server/store/schema.ts' {
  interface Database {
    video_records: VideoRecordTable;
    followed_renames: FollowedRenameTable;
  }
}

const RowSchema = v.object({
  ...KeptVideoSchema.entries,
  // PostgreSQL answers large numbers as text.
  size: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)),
  claims: v.pipe(v.string(), v.parseJson(), KeptVideoSchema.entries.claims),
});

const keptOf = (row: VideoRecordTable): KeptVideo => v.parse(RowSchema, row);

/** By their ids; what is not there is left out. */
export async function videosById(db: Reader, ids: readonly string[]): Promise<Map<string, KeptVideo>> {
  const rows = await findRows(db, 'video_records', ids);
  return new Map([...rows].map(([id, row]) => [id, keptOf(row)]));
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/**
 * Every record that may be about a file of the folder: those of it, of folders in it, and of folders that it is in.
 * @param folder its real path
 */
export async function videosAbout(db: Reader, folder: string): Promise<KeptVideo[]> {
  const known = await db.selectFrom('video_records').select('folder').distinct().execute();
  const related = known.flatMap((one) =>
    isBelow(one.folder, folder) || isBelow(folder, one.folder) ? [one.folder] : [],
  );
  const rows: VideoRecordTable[] = [];
  for (const part of chunks(related))
    rows.push(...(await db.selectFrom('video_records').selectAll().where('folder', 'in', part).execute()));
  return rows.map(keptOf);
}

/** Those of files in the folder; without one, all. */
export async function videosIn(db: Reader, folder: string | null): Promise<KeptVideo[]> {
  if (folder === null) return (await db.selectFrom('video_records').selectAll().execute()).map(keptOf);
  return (await videosAbout(db, folder)).filter(({ path }) => isBelow(path, folder));
}

/** Those of which the plan says something. */
export async function videosOfPlan(db: Reader, planId: string): Promise<KeptVideo[]> {
  const rows = await db.selectFrom('video_records').selectAll().where('claims', 'like', `%${planId}%`).execute();
  return rows.map(keptOf).filter(({ claims }) => claims.some(({ plan_id }) => plan_id === planId));
}

/** Writes the rows, and that they changed into the feed. */
export async function writeVideos(tx: Tx, { put, gone }: RecordChanges): Promise<void> {
  for (const part of chunks(gone)) await tx.deleteFrom('video_records').where('id', 'in', part).execute();
  const rows = put.map(({ claims, ...row }): VideoRecordTable => ({ ...row, claims: JSON.stringify(claims) }));
  await upsert(tx, 'video_records', rows);
  await appendChanges(
    tx,
    [...put.map(({ id }) => id), ...gone].map((id) => ({ kind: VIDEO_KIND, entity_id: id })),
  );
}
