/** Files and journals of runs, in parts. */
import { HttpError } from '#server/http/http-error.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import type { PlaybookRunTable } from './tables.ts';

/** UTF-8 bytes. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** null: there is no such file. */
export async function fileText(db: Reader, run: string, path: string): Promise<string | null> {
  const parts = await db
    .selectFrom('playbook_run_files')
    .select('content')
    .where('run', '=', run)
    .where('path', '=', path)
    .orderBy('part')
    .execute();
  return parts.length === 0 ? null : parts.map(({ content }) => content).join('');
}

export async function filesOf(db: Reader, run: string): Promise<{ path: string; bytes: number; made: boolean }[]> {
  const rows = await db
    .selectFrom('playbook_run_files')
    .select((eb) => ['path', 'made', eb.fn<number>('octet_length', ['content']).as('bytes')])
    .where('run', '=', run)
    .orderBy('path')
    .execute();
  const files = new Map<string, { path: string; bytes: number; made: boolean }>();
  for (const { path, made, bytes } of rows) {
    const before = files.get(path)?.bytes ?? 0;
    files.set(path, { path, bytes: before + Number(bytes), made: Number(made) === 1 });
  }
  return [...files.values()];
}

/** What stands in the place of the parts from this one on. Answers how many bytes more there are. */
export async function putFilePart(
  tx: Tx,
  run: string,
  { path, part, texts }: { path: string; part: number; texts: readonly string[] },
): Promise<number> {
  const text = texts.join('');
  const from = tx
    .selectFrom('playbook_run_files')
    .select('content')
    .where('run', '=', run)
    .where('path', '=', path)
    .where('part', '>=', part);
  const before = (await from.execute()).reduce((sum, row) => sum + bytesOf(row.content), 0);
  await tx
    .deleteFrom('playbook_run_files')
    .where('run', '=', run)
    .where('path', '=', path)
    .where('part', '>=', part)
    .execute();
  await tx.insertInto('playbook_run_files').values({ run, path, part, made: 1, content: text }).execute();
  return bytesOf(text) - before;
}

/** The same of the journal. A piece may end in the middle of a line. */
export async function putLines(
  tx: Tx,
  { id, pieces }: PlaybookRunTable,
  { n, texts }: { n: number; texts: readonly string[] },
): Promise<number> {
  const text = texts.join('');
  if (n > pieces) throw new HttpError('conflict', `The journal has ${pieces} pieces, and this is none of the next.`);
  const bytes = n === pieces ? 0 : await dropPieces(tx, id, n);
  await tx.insertInto('playbook_run_lines').values({ run: id, n, content: text }).execute();
  return bytesOf(text) - bytes;
}

/** From one on. Answers their bytes. */
async function dropPieces(tx: Tx, run: string, from: number): Promise<number> {
  const gone = await tx
    .deleteFrom('playbook_run_lines')
    .where('run', '=', run)
    .where('n', '>=', from)
    .returning('content')
    .execute();
  return gone.reduce((sum, { content }) => sum + bytesOf(content), 0);
}

/** What a worker that was killed left of a line goes. Answers how many pieces the journal has then, and bytes less. */
export async function dropTornLine(
  tx: Tx,
  { id, pieces }: Pick<PlaybookRunTable, 'id' | 'pieces'>,
): Promise<{ pieces: number; bytes: number }> {
  let whole = Number(pieces);
  for (; whole > 0; whole -= 1) {
    const last = tx
      .selectFrom('playbook_run_lines')
      .select('content')
      .where('run', '=', id)
      .where('n', '=', whole - 1);
    if ((await last.executeTakeFirst())?.content.endsWith('\n') === true) break;
  }
  return { pieces: whole, bytes: whole === Number(pieces) ? 0 : await dropPieces(tx, id, whole) };
}

/** Piece by piece, so that a long journal is in memory once at most. */
export async function* journalOf(db: Reader, run: string): AsyncGenerator<string> {
  const row = await db.selectFrom('playbook_runs').select('pieces').where('id', '=', run).executeTakeFirst();
  const pieces = Number(row?.pieces ?? 0);
  for (let from = 0; from < pieces; from += PIECES) {
    const some = await db
      .selectFrom('playbook_run_lines')
      .select('content')
      .where('run', '=', run)
      .where('n', '>=', from)
      .where('n', '<', Math.min(pieces, from + PIECES))
      .orderBy('n')
      .execute();
    yield some.map(({ content }) => content).join('');
  }
}
const PIECES = 500;

export async function forgetRun(tx: Tx, run: string): Promise<void> {
  await tx.deleteFrom('playbook_run_lines').where('run', '=', run).execute();
  await tx.deleteFrom('playbook_run_files').where('run', '=', run).execute();
  await tx.deleteFrom('playbook_runs').where('id', '=', run).execute();
}
