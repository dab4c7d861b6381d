/**
 * The peers of the server's search, over the very rows: what the stores themselves bring for words with typing errors.
 * They rank by shared trigrams alone, and are asked in their own words, without HTTP.
 */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { searches, type Searches } from './load.ts';

/** SQLite's FTS5 with trigrams: any of the question's, best first. */
export async function sqlitePeer(file: string, tracks: number): Promise<Searches> {
  const db = new DatabaseSync(file);
  try {
    db.exec(`create virtual table peer using fts5(id unindexed, text, tokenize = 'trigram');
      insert into peer (id, text) select t.id, t.title || ' ' || t.artist || ' ' || a.title
        from tracks t join albums a on a.id = t.album_id`);
    const find = db.prepare('select id from peer where peer match ? order by rank limit 10');
    return await searches(tracks, (question) => find.all(trigrams(question)).map((row) => String(row['id'])));
  } finally {
    db.close();
  }
}

/** PostgreSQL's pg_trgm with a GIN index: the most similar first. */
export async function postgresPeer(url: string, tracks: number): Promise<Searches> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query('create extension if not exists pg_trgm');
    await db.query('create index peer on tracks using gin (title gin_trgm_ops)');
    await db.query('analyze tracks');
    return await searches(tracks, async (question) => {
      const { rows } = await db.query<{ id: string }>(
        'select id from tracks where title % $1 order by similarity(title, $1) desc, id limit 10',
        [question],
      );
      return rows.map(({ id }) => id);
    });
  } finally {
    await db.end();
  }
}

/** Any of them: a letter is missing somewhere. */
function trigrams(question: string): string {
  const parts = new Set(Array.from({ length: question.length - 2 }, (_, at) => question.slice(at, at + 3)));
  return [...parts].map((part) => `"${part}"`).join(' OR ');
}
