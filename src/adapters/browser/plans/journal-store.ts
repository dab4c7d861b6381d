/** The journals of renames in IndexedDB; the lock is a Web Lock, which a dying page gives back by itself. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import {
  JournalHeadSchema,
  JournalRecordSchema,
  type Journal,
  type JournalRecord,
  type JournalStore,
} from '#core/plan/rename-journal.ts';
import type { AccessionDb } from '../db.ts';
import type { RenameJournalRow } from './rows.types.ts';

/** The Web Lock of whoever renames; one for all folders, because a folder that was opened may be inside another one. */
const RENAME_LOCK = 'accession-rename';

/** Until it is released, or its page ends; null when somebody else has it. `locks` is `navigator.locks`. */
function holdRenameLock(locks: LockManager): Promise<(() => Promise<void>) | null> {
  return new Promise((answer, reject) => {
    const held = locks.request(RENAME_LOCK, { ifAvailable: true }, async (lock) => {
      if (lock === null) return answer(null);
      await new Promise<void>((release) => {
        answer(async () => {
          release();
          await held;
        });
      });
    });
    held.catch(reject);
  });
}

/** Whether files are being renamed now, from this tab or another. */
export async function isRenaming(locks: LockManager): Promise<boolean> {
  const { held } = await locks.query();
  return held?.some(({ name }) => name === RENAME_LOCK) ?? false;
}

type Journals = Pick<AccessionDb, 'rename_journals' | 'rename_records' | 'transaction'>;

/** `locks` is `navigator.locks`. The database writes with strict durability (db.ts), so that what resolved is on the disk. */
export function dexieJournalStore(db: Journals, locks: LockManager): JournalStore {
  const both = [db.rename_journals, db.rename_records];
  return {
    hold: () => holdRenameLock(locks),
    begin: (head) =>
      db.transaction('rw', db.rename_journals, async () => {
        if ((await db.rename_journals.get(head.id)) !== undefined)
          throw failed('conflict', 'There is a journal of this id already.');
        await db.rename_journals.add({
          id: head.id,
          root: head.root,
          plan_id: head.plan.id,
          open: 1,
          ended: null,
          head,
        });
      }),
    append: (id, records) =>
      db.transaction('rw', both, async () => {
        const row = await db.rename_journals.get(id);
        if (row === undefined) throw failed('not_found', 'There is no such journal.');
        await db.rename_records.bulkAdd(records.map((record) => ({ journal_id: id, record })));
        const open = isOpen(row.open, records);
        const end = records.findLast(({ kind }) => kind === 'end');
        await db.rename_journals.put({ ...row, open, ended: open === 1 || end?.kind !== 'end' ? null : end.result });
      }),
    list: ({ root, planId } = {}) =>
      db.transaction('r', both, async () => {
        const rows =
          planId !== undefined
            ? await db.rename_journals.where('plan_id').equals(planId).toArray()
            : root !== undefined
              ? await db.rename_journals.where('root').equals(root).toArray()
              : await db.rename_journals.toArray();
        const wanted = rows.filter((row) => root === undefined || row.root === root);
        const journals = await Promise.all(wanted.map((row) => journalOf(db, row)));
        return journals.sort((a, b) => a.head.started_at - b.head.started_at);
      }),
  };
}

/** An end closes it; a turn after that (an undo) opens it again. */
function isOpen(open: 0 | 1, records: readonly JournalRecord[]): 0 | 1 {
  const last = records.findLast(({ kind }) => kind === 'end' || kind === 'turn');
  return last === undefined ? open : last.kind === 'end' ? 0 : 1;
}

async function journalOf(db: Journals, row: RenameJournalRow): Promise<Journal> {
  const records = await db.rename_records.where('journal_id').equals(row.id).sortBy('seq');
  return {
    head: v.parse(JournalHeadSchema, row.head),
    records: records.map(({ record }) => v.parse(JournalRecordSchema, record)),
  };
}
