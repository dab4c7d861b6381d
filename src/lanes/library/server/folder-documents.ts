/** The documents of the server's folders: what manifests say of their files, and the files of those that are asked for. */
import { byYear, merged, type DocumentFacts } from '#lanes/library/core/documents/document-facts.ts';
import { keptManifest, Manifests, type ReadManifest } from '#lanes/library/core/documents/manifests.ts';
import { chunks } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';

/** Manifests that stay parsed: a question should not wait for megabytes of JSON. */
const MOST_KEPT = 32;

/** Manifests that were read, by their row and content. */
export class KeptManifests {
  readonly #read = new Map<string, ReadManifest>();

  /** Of these folders, with the files that they are. */
  async of(db: Reader, folders: readonly string[]): Promise<{ manifests: Manifests; files: number[] }> {
    const rows = await db
      .selectFrom('library_documents')
      .innerJoin('library_files', 'library_files.id', 'library_documents.file_id')
      .select([
        'library_documents.file_id',
        'library_documents.folder_id',
        'library_files.path',
        'library_files.sha256',
      ])
      .where('library_documents.folder_id', 'in', [...folders, ''])
      .where('library_documents.kind', 'in', ['manifest', 'state'])
      .orderBy('library_files.path')
      .execute();
    const manifests = new Manifests();
    for (const { file_id, folder_id, path, sha256 } of rows) {
      const key = `${file_id} ${sha256}`;
      let read = this.#read.get(key);
      if (read === undefined) {
        const { said } = await db
          .selectFrom('library_documents')
          .select('said')
          .where('file_id', '=', file_id)
          .executeTakeFirstOrThrow();
        read = keptManifest(said);
        if (this.#read.size >= MOST_KEPT) this.#read.clear();
        this.#read.set(key, read);
      }
      manifests.add(folder_id, path, read);
    }
    return { manifests, files: rows.map(({ file_id }) => file_id) };
  }
}

export interface FoundDocument {
  file_id: number;
  facts: DocumentFacts;
}

/** Files of the documents that fit, the newest first. */
export async function documentsThat(
  db: Reader,
  folders: readonly string[],
  manifests: Manifests,
  fits: (facts: DocumentFacts) => boolean,
): Promise<FoundDocument[]> {
  const files = new Map<number, FileRow>();
  const all = [...folders, ''];
  const own = await db
    .selectFrom('library_documents')
    .innerJoin('library_files', 'library_files.id', 'library_documents.file_id')
    .select([...COLUMNS, 'library_documents.said'])
    .where('library_documents.folder_id', 'in', all)
    .where('library_documents.kind', '=', 'own')
    .execute();
  for (const row of own) files.set(row.id, row);
  const { contents, names } = manifests.placesOf(fits);
  const named = (column: 'sha256' | 'path', part: readonly string[]) =>
    db.selectFrom('library_files').select(COLUMNS).where('folder_id', 'in', all).where(column, 'in', part).execute();
  const paths = [...new Set(names.map(({ path }) => path))];
  for (const [column, values] of [['sha256', [...contents]] as const, ['path', paths] as const])
    for (const part of chunks(values))
      for (const row of await named(column, part)) if (!files.has(row.id)) files.set(row.id, { ...row, said: null });
  return [...files.values()]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ id, folder_id, path, sha256, said }): FoundDocument[] => {
      // Written by the indexer alone.
      const itself = said === null ? null : (JSON.parse(said) as DocumentFacts);
      const facts = merged(manifests.factsOf(folder_id, path, sha256), itself);
      return facts !== null && fits(facts) ? [{ file_id: id, facts }] : [];
    })
    .sort((a, b) => byYear(a.facts, b.facts));
}

const COLUMNS = ['library_files.id', 'library_files.folder_id', 'library_files.path', 'library_files.sha256'] as const;

interface FileRow {
  id: number;
  folder_id: string;
  path: string;
  sha256: string;
  said: string | null;
}
