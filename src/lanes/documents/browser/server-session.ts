/** A folder of the catalog server, opened on the page: what the server scanned, decided here, carried out there. */
import type { HttpOptions } from '#adapters/http/request.ts';
import { AccessionError, failed } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import type { UndoOutcome } from '#core/plan/rename-run.types.ts';
import { RENAME_PROBLEMS, type RenameProblem } from '#core/plan/rename-problem.ts';
import type { Result } from '#core/result.ts';
import { EMPTY_RECORD } from '#core/documents/record.ts';
import type { FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { belowFolder } from '#lanes/documents/core/plan/document-kind.ts';
import type { SharePart } from '#lanes/documents/core/share/approved.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';
import { documentPlanClient } from '#lanes/documents/http/document-plan-client.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import type { Draft, Session } from './document-session.ts';
import type { DocumentRow, DocumentsApplied, DocumentWish } from './documents-api.types.ts';
import { unread } from './read-documents.ts';

/** How paths of its plans begin on this page; the server says its own. */
const ROOT = '/server';

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new AccessionError(result.failure);
  return result.value;
}

export function serverSession(
  { id, name }: { id: string; name: string },
  documents: readonly FolderDocument[],
  contentOf: (path: string) => Promise<Result<ArrayBuffer>>,
): Session {
  const entries = documents.map(entryOf);
  const rows = documents.map((one) => [one.path, { row: rowOf(one), identified: null }] as const);
  return {
    ...{ tree: serverTree(entries, contentOf), entries, root: null, server: id, name, mediaFolderPath: ROOT },
    ...{ manifest: { version: 1, entries: [] }, problem: null, documents: new Map(rows), draft: null },
  };
}

const entryOf = ({ path, size, modified }: FolderDocument): TreeEntry => ({ path, kind: 'file', size, modified });

function rowOf(document: FolderDocument): DocumentRow {
  const { id, sure, record, source, reasons, evidence, choices, why_not, double_of, done } = document;
  return {
    ...unread(entryOf(document)),
    ...{ id, phase: 'ready', asked: askedOf(record), proposal: { sure, record, source, reasons }, own: EMPTY_RECORD },
    ...{ evidence, choices, whyNot: why_not, doubleOf: double_of, done, title: record?.title ?? '' },
  };
}

function askedOf(record: FolderDocument['record']): Identifier | null {
  if (record === null) return null;
  if (record.doi !== '') return { kind: 'doi', value: record.doi };
  return record.isbn === '' ? null : { kind: 'isbn', value: record.isbn };
}

/** It is only read from here. */
function serverTree(
  entries: readonly TreeEntry[],
  contentOf: (path: string) => Promise<Result<ArrayBuffer>>,
): FileTree {
  const never = (): Promise<never> => Promise.reject(failed('invalid', 'The server changes its own files.'));
  return {
    rules: { caseSensitive: true, unicode: 'preserve', windowsNames: false },
    async *list() {
      yield* entries;
    },
    stat: (path) => Promise.resolve(entries.find((one) => one.path === path) ?? null),
    async *read(path) {
      yield new Uint8Array(valueOf(await contentOf(path)));
    },
    makeDirectory: never,
    removeDirectory: never,
    move: never,
  };
}

/** The server plans what was decided and does it, if it would do what was shown here. */
export async function carryOutOnServer(
  now: Session & { server: string },
  { plan }: Draft,
  { decided: wished, rename, share }: DocumentWish & { share: SharePart },
  http: HttpOptions,
): Promise<DocumentsApplied> {
  const plans = documentPlanClient(http);
  const decided = wished.map(({ path, action }) => {
    const { record = null, source = null } = now.documents.get(path)?.row.proposal ?? {};
    return { path, action, ...(record === null ? {} : { record, source }) };
  });
  const client = createSharedClient(http);
  const made = valueOf(await client.planFolder(now.server, { decided, rename, share }, randomIds.next()));
  const shown = new Map(plan.files.map(({ path, to }) => [belowFolder(plan, path), belowFolder(plan, to)]));
  const other = made.files.find(({ path, to }) => shown.get(path) !== to);
  const [problem] = made.problems;
  if (other !== undefined || problem !== undefined) {
    await plans.update({ planId: made.planId, status: 'rejected' });
    const why = problem?.message ?? `"${other?.path ?? ''}" would be named "${other?.to ?? ''}" there.`;
    throw failed('conflict', why, {
      remedy: problem?.remedy ?? 'Open the folder again, and look at what is proposed.',
    });
  }
  const done = await plans.update({ planId: made.planId, status: 'completed', previewHash: made.hash });
  if (!done.ok) {
    // Without a word of the server it may be under way there: it stands among its plans then.
    if (['conflict', 'invalid', 'not_found'].includes(done.failure.code))
      await plans.update({ planId: made.planId, status: 'rejected' });
    throw new AccessionError(done.failure);
  }
  const said = done.value.outcome?.said ?? [];
  const removed = made.files.filter(({ action }) => action === 'remove').length;
  const written = made.files.filter(({ action, skipped }) => action === 'write' && !skipped).length;
  const whole = said.map(({ path, sentence }) => ({ path, reason: sentence.replace(/\.$/, '') }));
  return {
    ...{ as: 'server', planId: made.planId, unwritten: [], warnings: whole },
    ...{ written, removed, noted: made.files.length - written - removed },
  };
}

export async function undoOnServer(planId: string, http: HttpOptions): Promise<UndoOutcome> {
  const outcome = valueOf(await documentPlanClient(http).undo(planId));
  if (outcome.result === 'undone')
    return { result: 'undone', journalId: outcome.journalId ?? '', renamed: outcome.renamed };
  const problems = outcome.problems.flatMap((one): RenameProblem[] =>
    isCode(one.code) ? [{ ...one, code: one.code }] : [],
  );
  if (problems.length === 0) throw failed('conflict', outcome.message, { remedy: outcome.remedy });
  return { result: 'refused', problems };
}

const isCode = (code: string): code is RenameProblem['code'] => Object.hasOwn(RENAME_PROBLEMS, code);
