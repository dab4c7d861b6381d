/**
 * A catalog file: an object with lists, each of which is one lane's. All rows of all lists are imported or, with a bad
 * one named, none.
 */
import * as v from 'valibot';
import { ImportCountsSchema, type ImportResult, type ImportCounts } from '#core/sync/fields.ts';
import type { Reader, Tx } from '../store/schema.ts';
import { describeIssue } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { createTurns } from '../turns.ts';
import type { Rows } from '../http/long-parts.ts';

/** Lists of a catalog file that belong together. */
export interface LaneImport {
  readonly lists: readonly string[];
  /** Their counts are in every answer, also where the file has none of them. */
  readonly always?: boolean;
  /**
   * Imports the rows, and says what was done with each list. A list that the file does not have is empty. Throws
   * HttpError 422 `invalid` or 409 `conflict` that names the bad rows.
   */
  run(tx: Tx, lists: Lists): Promise<ImportResult>;
  /**
   * The same in pieces (import-pieces.ts): looks at all rows and writes none. Absent where a file has so few rows of these
   * lists that one transaction is a moment. Throws as `run`.
   */
  prepare?(db: Reader, lists: Lists): Promise<PreparedImport>;
}

type Lists = Readonly<Record<string, Rows<unknown>>>;

/** What a piece did. */
export interface PieceDone {
  /** Rows of the file that were dealt with by the end of this piece, all lists together. */
  rows: number;
  /** Rows that this piece created and updated, by list. */
  made: Readonly<Record<string, Pick<ImportCounts, 'created' | 'updated'>>>;
}

/** Writes one piece in a transaction of its own. Throws HttpError 409 `cancelled` where somebody ended the import. */
export type WritePiece = (work: (tx: Tx) => Promise<PieceDone>) => Promise<void>;

/** A file that was looked at: nothing of it is written yet. */
export interface PreparedImport {
  /** Writes it, and says what this run did with each list. Throws HttpError 409 where somebody changed what it needs. */
  write(piece: WritePiece): Promise<ImportResult>;
}

/** Lists of a large file may be parsed again each time that they are asked for. */
export type CatalogFile = Record<string, Rows<unknown> | undefined>;

/** The file's schema: at least one lane's lists, all of them. Rows are checked one by one, so that a bad one can be named. */
export function catalogFileSchema(imports: readonly LaneImport[]) {
  const names = imports.flatMap(({ lists }) => lists);
  const entries = Object.fromEntries(names.map((name) => [name, v.optional(v.array(v.unknown()))]));
  const isWhole = (file: Record<string, unknown[] | undefined>): boolean =>
    imports.some(({ lists }) => lists.every((name) => file[name] !== undefined));
  return v.pipe(v.object(entries), v.check(isWhole, `it has ${listsOf(imports)}`));
}

/** `the lists "artists", "albums" and "tracks", or "shows", or all of them`. */
export function listsOf(imports: readonly LaneImport[]): string {
  const groups = imports.map(({ lists }) => {
    const quoted = lists.map((name) => `"${name}"`);
    return quoted.length === 1 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
  });
  return `the lists ${groups.join(', or ')}${groups.length > 1 ? ', or all of them' : ''}`;
}

/** The answer's schema: counts by list. */
export function importResultSchema(imports: readonly LaneImport[]) {
  const entries = imports.flatMap(({ lists, always }) =>
    lists.map((name) => [name, always === true ? ImportCountsSchema : v.exactOptional(ImportCountsSchema)] as const),
  );
  return v.object(Object.fromEntries(entries));
}

/** Imports the file, all rows or none. Throws as `LaneImport.run`. */
export async function importFile(tx: Tx, imports: readonly LaneImport[], file: CatalogFile): Promise<ImportResult> {
  const result: ImportResult = {};
  for (const one of imports) {
    const own = listsOfFile(one, file);
    if (own !== null) Object.assign(result, await own.lane.run(tx, own.lists));
  }
  return result;
}

/** A lane's lists, empty where the file has them not; null where it has none of them and they need not be counted. */
export function listsOfFile(lane: LaneImport, file: CatalogFile): { lane: LaneImport; lists: Lists } | null {
  if (lane.always !== true && lane.lists.every((name) => file[name] === undefined)) return null;
  return { lane, lists: Object.fromEntries(lane.lists.map((name) => [name, file[name] ?? []])) };
}

/** The rows of an import, checked one by one; what is wrong is collected by row, so that a person can mend the file. */

/** Problems that an answer names; the rest is counted. */
const NAMED_PROBLEMS = 20;

/** What is wrong with a file: the first things by name, all of them by number. */
export class Problems {
  readonly #named: string[] = [];
  #count = 0;
  #conflicts = 0;

  /**
   * @param code `conflict` for what is there twice, `invalid` for everything else
   * @param message `tracks[17] "id": why`
   */
  push(code: 'invalid' | 'conflict', message: () => string): void {
    this.#count += 1;
    if (code === 'conflict') this.#conflicts += 1;
    if (this.#named.length < NAMED_PROBLEMS) this.#named.push(message());
  }

  /** Throws HttpError 422 `invalid` or 409 `conflict` that names the problems, if there are any. */
  refuse(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#named.length;
    const message = `Nothing was imported. ${this.#named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
    const conflict = this.#conflicts === this.#count;
    throw new HttpError(conflict ? 'conflict' : 'invalid', message, { status: conflict ? 409 : 422 });
  }
}

/**
 * The ids of the rows of one list, each with its row's number; what is wrong with a row, or with its id, goes to `problems`.
 * @param each called with each row that is right
 */
export async function checkRows<S extends v.GenericSchema<unknown, { id: string }>>(
  list: string,
  schema: S,
  rows: Iterable<unknown>,
  problems: Problems,
  each: (row: v.InferOutput<S>, at: number) => void = () => undefined,
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  await createTurns().each(rows, (value, at) => {
    const result = v.safeParse(schema, value, { abortEarly: true });
    if (!result.success) {
      const [issue] = result.issues;
      problems.push('invalid', () => describeIssue(`${list}[${at}]`, issue));
      return;
    }
    const { id } = result.output;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, at);
      each(result.output, at);
    } else problems.push('conflict', () => `${list}[${at}] "id": "${id}" stands in ${list}[${first}] already`);
  });
  return seen;
}

/** What came of the rows of a list. */
export class WriteCounts {
  #created = 0;
  #updated = 0;
  #unchanged = 0;

  /** @param write null: the row says what is there */
  count(write: { before: object | null } | null): void {
    if (write === null) this.#unchanged += 1;
    else if (write.before === null) this.#created += 1;
    else this.#updated += 1;
  }

  counts(): ImportCounts {
    return { created: this.#created, updated: this.#updated, unchanged: this.#unchanged };
  }
}
