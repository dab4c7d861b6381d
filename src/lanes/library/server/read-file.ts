import { openSegment } from '#lanes/library/core/index/segment.ts';
import type { ServerFile, ServerFileRow } from '#lanes/library/core/server-library.ts';
import type { Reader } from '#server/store/schema.ts';
import { bufferOf } from './buffer-of.ts';
import type { LibraryFileTable } from './tables.ts';

/** A file of a folder as it was read, or null where there is none of this path. Who may see the folder was asked before. */
export async function readServerFile(db: Reader, folder: string, path: string): Promise<ServerFile | null> {
  const row = await db
    .selectFrom('library_files')
    .innerJoin('library_texts', 'library_texts.file_id', 'library_files.id')
    .selectAll('library_files')
    .select('library_texts.segment')
    .where('library_files.folder_id', '=', folder)
    .where('library_files.path', '=', path)
    .executeTakeFirst();
  if (row === undefined) return null;
  const segment = openSegment(bufferOf(row.segment));
  const [kept] = segment.files;
  return kept === undefined ? null : { ...fileAnswer(row), text: segment.text(kept), outline: segment.chunksOf(kept) };
}

export function fileAnswer(row: LibraryFileTable): ServerFileRow {
  const { path, agent_id: agentId, language, size, chunks, failed } = row;
  // Written by `prepareFile` alone.
  return { path, agentId, language, size, chunks, warnings: JSON.parse(row.warnings) as string[], failed };
}
