/** Approved records of documents, read and written. */
import * as v from 'valibot';
import {
  DOCUMENT_KIND,
  SharedDocumentSchema,
  type Share,
  type SharedDocument,
} from '#lanes/documents/core/share/shared-document.ts';
import { appendChanges } from '#server/store/feed.ts';
import { chunks, findRows, upsert } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import type { DocumentRecordTable } from './tables.ts';

const RowSchema = v.pipe(v.string(), v.parseJson(), SharedDocumentSchema);

export async function sharedById(db: Reader, ids: readonly string[]): Promise<Map<string, SharedDocument>> {
  const rows = await findRows(db, 'document_records', ids);
  return new Map([...rows].map(([id, { record }]) => [id, v.parse(RowSchema, record)]));
}

/** Records that name this content. */
export async function sharedWith(db: Reader, sha256: string): Promise<SharedDocument[]> {
  const rows = db.selectFrom('document_records').select('record').where('content_sha256', '=', sha256).orderBy('id');
  return (await rows.execute()).map(({ record }) => v.parse(RowSchema, record));
}

export interface Written {
  put: number;
  gone: number;
  /** Contents that rows named before; nobody may name them now. */
  let: string[];
}

/** What is older than what is there changes nothing. */
export async function writeShared(tx: Tx, { put, gone }: Share): Promise<Written> {
  const newest = new Map(put.toSorted((a, b) => a.approved_at - b.approved_at).map((one) => [one.id, one]));
  const before = await findRows(tx, 'document_records', [...newest.keys(), ...gone.map(({ id }) => id)]);
  const isNews = ({ id, approved_at }: { id: string; approved_at: number }): boolean =>
    Number(before.get(id)?.approved_at ?? Number.NEGATIVE_INFINITY) <= approved_at;
  const rows = [...newest.values()].filter(isNews).map((one): DocumentRecordTable => ({
    ...{ id: one.id, approved_at: one.approved_at, content_sha256: one.content?.sha256 ?? null },
    record: JSON.stringify(one),
  }));
  const kept = new Set(rows.map(({ id }) => id));
  const taken = [
    ...new Set(gone.filter((one) => before.has(one.id) && !kept.has(one.id) && isNews(one)).map(({ id }) => id)),
  ];
  await upsert(tx, 'document_records', rows);
  const named = rows.flatMap(({ content_sha256 }) => content_sha256 ?? []);
  for (const part of chunks(named)) await tx.deleteFrom('document_contents_sent').where('sha256', 'in', part).execute();
  for (const part of chunks(taken)) await tx.deleteFrom('document_records').where('id', 'in', part).execute();
  await appendChanges(
    tx,
    [...kept, ...taken].map((id) => ({ kind: DOCUMENT_KIND, entity_id: id })),
  );
  const former = [...kept, ...taken].flatMap((id) => before.get(id)?.content_sha256 ?? []);
  return { put: rows.length, gone: taken.length, let: former };
}

/** Of these contents those that a row names. */
export async function namedContents(db: Reader, contents: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const part of chunks(contents)) {
    const rows = await db
      .selectFrom('document_records')
      .select('content_sha256')
      .where('content_sha256', 'in', part)
      .execute();
    for (const { content_sha256 } of rows) if (content_sha256 !== null) named.add(content_sha256);
  }
  return named;
}
