/**
 * The document of an upload, word for word as its worker saved it, in parts: a document may have 64 million characters, and
 * neither a statement nor an answer with all of it would let others have their turn.
 */
import * as v from 'valibot';
import { WorkSaveSchema } from '#core/sync/work-protocol.ts';
import { LongText, type InParts } from '../http/long-parts.ts';
import type { Reader, Tx } from '../store/schema.ts';

/** Characters of a document. */
const MOST = 64 * 1024 * 1024;
/** Characters of a part that is made here of a short document. */
const PART = 128 * 1024;

const DocumentSchema = v.pipe(
  v.union([v.string(), v.instance(LongText)]),
  v.check((document) => document.length <= MOST, `it has at most ${MOST} characters`),
  v.transform((document): Iterable<string> => (typeof document === 'string' ? cut(document) : document)),
);

/** The body of a save as the server reads it. */
export const SaveBodySchema = v.object({ ...WorkSaveSchema.entries, document: DocumentSchema });
export type SaveBody = InParts<v.InferOutput<typeof SaveBodySchema>>;

/** Never inside a sign. */
function cut(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + PART;
    const inside = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    parts.push(text.slice(at, inside ? end - 1 : end));
    at += parts.at(-1)?.length ?? PART;
  }
  return parts;
}

/** Puts it in the place of the one before. */
export async function writeDocument(
  tx: Tx,
  { id, revision }: { id: string; revision: number },
  parts: Iterable<string>,
): Promise<void> {
  await removeDocument(tx, id);
  let part = 0;
  for (const content of parts) {
    await tx.insertInto('work_documents').values({ batch_id: id, part, revision, content }).execute();
    part += 1;
  }
}

/** Part by part: of all together the database would follow every page in one statement. */
async function removeDocument(tx: Tx, id: string): Promise<void> {
  const parts = await tx.selectFrom('work_documents').select('part').where('batch_id', '=', id).execute();
  for (const { part } of parts)
    await tx.deleteFrom('work_documents').where('batch_id', '=', id).where('part', '=', part).execute();
}

/** How many parts the document of this revision has. */
export async function countParts(db: Reader, { id, revision }: { id: string; revision: number }): Promise<number> {
  const parts = db.selectFrom('work_documents').select((eb) => eb.fn.countAll().as('count'));
  const row = await parts.where('batch_id', '=', id).where('revision', '=', revision).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Its parts in order, each read when it is asked for. Throws where another worker has saved meanwhile. */
export async function* readParts(
  db: Reader,
  { id, revision }: { id: string; revision: number },
  count: number,
): AsyncGenerator<string> {
  for (let part = 0; part < count; part += 1) {
    const row = db.selectFrom('work_documents').select('content').where('batch_id', '=', id).where('part', '=', part);
    yield (await row.where('revision', '=', revision).executeTakeFirstOrThrow()).content;
  }
}
