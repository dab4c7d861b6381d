import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { MemoryFileTree } from '../../fixtures/memory-file-tree.ts';
import { MemoryJournalStore } from '../../fixtures/memory-plans.ts';
import { recoverRename, undoRename } from '#core/plan/execute-rename.ts';
import { clock, mortal, PLAN_ID, rename, renamePlan } from '../../fixtures/rename.ts';
import { absolute, FOLDER, RENAME_CASES, WrittenCaseSchema, type RenameCase } from '../../fixtures/rename-cases.ts';

function stateOf({ planned = {} }: RenameCase) {
  return { sources: Object.fromEntries(Object.entries(planned).map(([path, stamp]) => [absolute(path), stamp])) };
}

describe('PLAN-2 PLAN-3 PLAN-4 a rename ends as planned or is refused whole, in memory', () => {
  test.each(RENAME_CASES)('PLAN-65, PLAN-66, PLAN-67, PLAN-69 $id', async (one) => {
    const tree = new MemoryFileTree(one.rules, one.before);
    const journal = new MemoryJournalStore();
    const folders = tree.folders();
    const outcome = await rename(tree, renamePlan(one.plan), { state: stateOf(one), journal });
    if ('problems' in one.expect) {
      expect(outcome.result).toBe('refused');
      const problems = outcome.result === 'refused' ? outcome.problems : [];
      expect(problems.map(({ row, code }) => [row, code])).toEqual(one.expect.problems);
      for (const { message, remedy } of problems) expect([message, remedy]).toEqual([/\.$/, /\.$/].map(matching));
      expect(tree.files()).toEqual(one.before);
      expect(await journal.list()).toEqual([]);
      return;
    }
    expect(outcome.result).toBe('done');
    expect(tree.files()).toEqual(one.expect.after);
    if (one.expect.folders) expect(tree.folders().sort()).toEqual(one.expect.folders);
    const undone = await undoRename({ tree, journal, clock, planId: PLAN_ID });
    expect(undone.result).toBe('undone');
    expect(tree.files()).toEqual(one.before);
    expect(tree.folders().sort()).toEqual(folders.sort());
  });
});

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const WRITTEN = new URL('../../fixtures/rename-cases.jsonl', import.meta.url);

describe('rename cases as plans on the wire', () => {
  const lines = readFileSync(WRITTEN, 'utf8').trim().split('\n');
  const below = (paths: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(paths).map(([path, content]) => [path.slice(FOLDER.length + 1), content]));
  test.each(lines.map((line) => v.parse(WrittenCaseSchema, JSON.parse(line))))('$id', async (one) => {
    expect(one.media_folder).toBe(FOLDER);
    const before = below(one.before);
    const tree = new MemoryFileTree(one.fs, before);
    const journal = new MemoryJournalStore();
    const plan = { id: PLAN_ID, ...one.plan };
    const die = { at: one.crash === undefined ? -1 : 2 * one.crash.stop_after_op + 1, when: 'after' } as const;
    const dying = mortal(tree, journal, die);
    const outcome = await rename(dying.tree, plan, { journal: dying.journal }).catch(() => null);
    if (one.expect.result === 'reject') {
      const problems = outcome?.result === 'refused' ? outcome.problems : [];
      expect([...new Set(problems.map(({ code }) => code))]).toEqual(one.expect.codes);
      expect(tree.files()).toEqual(before);
      return;
    }
    if (one.crash === undefined) expect(tree.files()).toEqual(below(one.expect.after));
    else {
      journal.letGo();
      await recoverRename({ tree, journal, clock, root: FOLDER });
      expect([before, below(one.expect.after)]).toContainEqual(tree.files());
    }
    if (one.then === undefined) return;
    expect((await undoRename({ tree, journal, clock, planId: PLAN_ID })).result).toBe('undone');
    expect(tree.files()).toEqual(before);
  });
});
