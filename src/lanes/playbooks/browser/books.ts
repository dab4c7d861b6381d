/** The playbooks of this browser and the files that they read. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed } from '#core/errors.ts';
import { answered } from '#core/result.ts';
import { insideRoot } from '../core/files/paths.ts';
import { MOST_FILE } from '../core/files/contents.ts';
import { readYaml } from '../core/read/yaml.ts';
import { FAULT_CODES, PlaybookFault } from '../core/faults.ts';
import { shippedOf } from '../core/shipped/shipped.ts';
import { mappingOf, type Mapping, type Value } from '../core/value.ts';
import { IndexedFiles, pathsIn, removeFile } from './indexed-files.ts';
import type { PlaybookApi } from './playbook-api.types.ts';
import type { PlaybookMachine } from './run-here.ts';
import type { PlaybookRow } from './schema.ts';
import { isGone } from '../core/run/store-failures.ts';

type Books = Pick<
  PlaybookApi,
  'add' | 'addShipped' | 'save' | 'remove' | 'addFiles' | 'removeFile' | 'files' | 'setFolder'
>;

export const rootOfBook = (id: string): string => `book:${id}`;
export const RUN_ROOT = 'run:';
export const rootOfRun = (id: string): string => `${RUN_ROOT}${id}`;

/** Throws AccessionError `not_found`. */
export async function bookOf(db: AccessionDb, id: string): Promise<PlaybookRow> {
  const row = await db.playbook_books.get(id);
  if (row === undefined) throw isGone('playbook');
  return row;
}

/**
 * Changes a playbook's row; what else is changed at the same time, another field, stays.
 *
 * @throws AccessionError `not_found`
 */
export async function changeBook(
  db: AccessionDb,
  id: string,
  change: (row: PlaybookRow) => PlaybookRow,
): Promise<void> {
  await db.transaction('rw', db.playbook_books, async () => {
    await db.playbook_books.put(change(await bookOf(db, id)));
  });
}

/** Patterns of hosts to which the person agreed for the text as it is. */
export async function agreedOf(
  { text, agreed }: Pick<PlaybookRow, 'text' | 'agreed'>,
  sha256: (text: string) => Promise<string>,
): Promise<string[]> {
  return agreed !== undefined && agreed.sha256 === (await sha256(text)) ? agreed.domains : [];
}

/** What the person typed, read as YAML; an empty field is none. Throws AccessionError `invalid`. */
export function valuesOf({ values }: Pick<PlaybookRow, 'values'>): Mapping {
  return mappingOf(
    Object.entries(values).flatMap(([key, said]): [string, Value][] => {
      if (said.trim() === '') return [];
      const read = readYaml(said, 1024 * 1024);
      // A sentence with a colon is no mapping to the person who typed it.
      return [[key, read.ok ? read.value : said]];
    }),
  );
}

export function booksHere({ db, clock, ids, sha256 }: PlaybookMachine): Books {
  const both = [db.playbook_books, db.playbook_files];
  const put = async (row: Pick<PlaybookRow, 'name' | 'text' | 'values' | 'shipped'>): Promise<string> => {
    const id = ids.next();
    await db.playbook_books.add({ schema_version: 1, id, changed_at: clock.now(), ...row });
    return id;
  };
  /** Of a playbook that is removed at the same moment no file stays behind. */
  const write = (book: string, path: string, text: string): Promise<void> =>
    db.transaction('rw', both, async () => {
      await bookOf(db, book);
      await new IndexedFiles(db, rootOfBook(book), sha256).write(path, text);
    });

  return {
    add: (name, text) => answered(() => put({ name, text, values: {}, shipped: null })),
    addShipped: (id) =>
      answered(async () => {
        const shipped = shippedOf(id);
        if (shipped === null) throw isGone('playbook');
        const { name, text, values, files } = shipped;
        return db.transaction('rw', both, async () => {
          const book = await put({ name, text, values: { ...values }, shipped: shipped.id });
          for (const [path, content] of Object.entries(files)) await write(book, path, content);
          return book;
        });
      }),
    save: (id, change) =>
      answered(async () => {
        const now = clock.now();
        await changeBook(db, id, (row) => {
          // Recorded answers are of the text that ships, and of no other.
          const shipped = change.text === undefined || change.text === row.text ? row.shipped : null;
          return { ...row, ...change, shipped, changed_at: now };
        });
        return null;
      }),
    remove: (id) =>
      answered(async () => {
        await db.transaction('rw', both, async () => {
          await db.playbook_books.delete(id);
          await db.playbook_files.where('root').equals(rootOfBook(id)).delete();
        });
        return null;
      }),
    addFiles: (book, files) =>
      answered(async () => {
        for (const { path, file } of files) await write(book, pathIn(path), await textOfFile(file));
        return null;
      }),
    removeFile: (book, path) => answered(async () => (await removeFile(db, rootOfBook(book), path), null)),
    files: (root) => answered(() => pathsIn(db, root)),
    setFolder: (id, folder) =>
      answered(async () => {
        const now = clock.now();
        await changeBook(db, id, ({ folder: _before, ...row }) => ({
          ...row,
          ...(folder === null ? {} : { folder }),
          changed_at: now,
        }));
        return null;
      }),
  };
}

function pathIn(path: string): string {
  try {
    return insideRoot(path);
  } catch (error) {
    if (error instanceof PlaybookFault) throw failed('invalid', error.message, { remedy: error.remedy, cause: error });
    throw error;
  }
}

async function textOfFile(file: File): Promise<string> {
  if (file.size > MOST_FILE)
    throw failed('too_large', `"${file.name}" is larger than 64 MiB.`, { remedy: FAULT_CODES.too_large });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch (error) {
    throw failed('invalid', `"${file.name}" is no text in UTF-8, and a playbook reads texts.`, {
      remedy: 'Save it as CSV, JSON, Markdown or plain text.',
      cause: error,
    });
  }
}
