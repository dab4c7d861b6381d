/** What lies nearest to a question among the vectors of the server's folders, all of those that the caller sees looked at. */
import { sql, type RawBuilder } from 'kysely';
import { Nearest } from '#lanes/library/core/vectors/profiles.ts';
import type { Reader } from '#server/store/schema.ts';
import { AskedVector } from './piece-vectors.ts';

/** Files whose vectors are read at once: between two reads others are answered. */
const FILES = 200;

export interface NearPiece {
  file_id: number;
  piece: number;
  score: number;
}

/** How many pieces of these folders have a vector of the model. */
export async function countVectors(db: Reader, model: string, folders: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom('library_vectors')
    .select((eb) => eb.fn.sum('pieces').as('pieces'))
    .where('model', '=', model)
    .where('folder_id', 'in', [...folders, ''])
    .executeTakeFirst();
  return Number(row?.pieces ?? 0);
}

/** Best first. `where`: which rows of `p` the caller sees. */
export async function nearestPieces(
  db: Reader,
  { model, question }: { model: string; question: Float32Array },
  where: RawBuilder<unknown>,
): Promise<NearPiece[]> {
  const asked = new AskedVector(question);
  const nearest = new Nearest<NearPiece>();
  for (let last = 0; ;) {
    const { rows } = await sql<{ file_id: number; dimension: number; pieces: number; vectors: Uint8Array }>`
      select p.file_id, p.dimension, p.pieces, p.vectors from library_vectors p
      where p.model = ${model} and p.file_id > ${last} and ${where} order by p.file_id limit ${FILES}`.execute(db);
    for (const row of rows) {
      let piece = 0;
      for (const score of asked.cosines(row)) nearest.add({ file_id: row.file_id, piece: piece++, score });
    }
    if (rows.length < FILES) return nearest.best;
    last = rows.at(-1)?.file_id ?? last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
