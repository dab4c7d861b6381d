/** Rows of guides as records. */
import type { GuideDraft, GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import type { Reader } from '#server/store/schema.ts';
import type { GuideTable } from '../table-rows.ts';

export function recordOf({ id, import: of, revision, draft }: GuideTable): GuideRecord {
  return { ...(JSON.parse(draft) as GuideDraft), schema_version: 1, id, import: of, revision };
}

export async function guideIn(db: Reader, id: string): Promise<GuideRecord | null> {
  const row = await db.selectFrom('guides').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}
