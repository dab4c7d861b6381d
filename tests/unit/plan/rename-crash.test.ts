import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryFileTree } from '../../fixtures/memory-file-tree.ts';
import { MemoryJournalStore } from '../../fixtures/memory-plans.ts';
import type { TreeRules } from '#core/plan/file-tree.ts';
import { parentsOf, pathKey } from '#core/plan/plan-path.ts';
import { recoverRename, undoRename } from '#core/plan/execute-rename.ts';
import { clock, Crash, mortal, PLAN_ID, rename, renamePlan } from '../../fixtures/rename.ts';
import { FOLDER, LINUX, MAC, WINDOWS } from '../../fixtures/rename-cases.ts';
import { runs } from '../../fixtures/runs.ts';

interface World {
  rules: TreeRules;
  before: Record<string, string>;
  plan: [from: string, to: string][];
}

const rules = fc.constantFrom(LINUX, MAC, WINDOWS);
/** Few names in many spellings, so that they meet. */
const part = fc.constantFrom('a', 'A', 'b', 'c', 'd', 'e\u0301', '\u00e9', 'é.mkv', 'S 1', 's 1');
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

/** Files that can stand together: no name twice, none in another's way. */
function standing(paths: readonly string[], of: TreeRules): string[] {
  const key = (name: string): string => pathKey(name, of);
  const files = new Set<string>();
  const folders = new Map<string, string>();
  return paths.filter((name) => {
    const parents = parentsOf(name);
    const bad =
      files.has(key(name)) ||
      folders.has(key(name)) ||
      parents.some((parent) => files.has(key(parent)) || (folders.get(key(parent)) ?? parent) !== parent);
    if (bad) return false;
    files.add(key(name));
    for (const parent of parents) folders.set(key(parent), parent);
    return true;
  });
}

/** Plans that mostly can be carried out: names exchanged, shifted, spelled otherwise, new. */
const world: fc.Arbitrary<World> = rules.chain((of) =>
  fc
    .record({
      names: fc.array(path, { minLength: 1, maxLength: 9 }),
      targets: fc.array(path, { maxLength: 5 }),
      kept: fc.nat(9),
      shuffle: fc.array(fc.nat(100), { minLength: 20, maxLength: 20 }),
    })
    .map(({ names, targets, kept, shuffle }) => {
      const there = standing(names, of);
      const moving = there.slice(0, Math.max(1, there.length - (kept % 3)));
      const wanted = standing([...there.slice(moving.length), ...targets, ...moving], of).slice(
        there.length - moving.length,
      );
      const order = wanted.map((to, i) => ({ to, by: shuffle[i] ?? 0 })).sort((a, b) => a.by - b.by);
      const plan = moving.flatMap((from, i): [string, string][] => {
        const to = order[i]?.to;
        return to === undefined ? [] : [[from, to]];
      });
      return { rules: of, before: Object.fromEntries(there.map((name, i) => [name, `content ${i}`])), plan };
    })
    .filter(({ plan }) => plan.length > 0),
);

function afterOf({ before, plan }: World): Record<string, string> {
  const to = new Map(plan);
  return Object.fromEntries(Object.entries(before).map(([name, content]) => [to.get(name) ?? name, content]));
}

const die = fc.record({
  at: fc.integer({ min: 1, max: 40 }),
  when: fc.constantFrom('before' as const, 'after' as const),
});

async function crashed(one: World, death: { at: number; when: 'before' | 'after' }) {
  const tree = new MemoryFileTree(one.rules, one.before);
  const journal = new MemoryJournalStore();
  const folders = tree.folders().sort();
  const dying = mortal(tree, journal, death);
  const outcome = await rename(dying.tree, renamePlan(one.plan), { journal: dying.journal }).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    return null;
  });
  // A dead process holds nothing.
  journal.letGo();
  return { tree, journal, folders, outcome };
}

describe('PLAN-7 PLAN-8 whatever instant it dies at, every file is as before or as planned', () => {
  test('PLAN-2 a plan is refused whole or carried out whole, and undo brings all of it back', async () => {
    const seen = { done: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        const { tree, journal, folders, outcome } = await crashed(one, { at: -1, when: 'before' });
        if (outcome?.result === 'refused') {
          seen.refused += 1;
          expect(tree.files()).toEqual(one.before);
          expect(tree.folders().sort()).toEqual(folders);
          return;
        }
        seen.done += 1;
        expect(outcome?.result).toBe('done');
        expect(tree.files()).toEqual(afterOf(one));
        expect((await undoRename({ tree, journal, clock, planId: PLAN_ID })).result).toBe('undone');
        expect(tree.files()).toEqual(one.before);
        expect(tree.folders().sort()).toEqual(folders);
      }),
      { numRuns: runs(60, 20_000) },
    );
    // The plans are such that most can be carried out.
    expect(seen.done).toBeGreaterThan(seen.refused);
  });

  test('PLAN-8, PLAN-74 recovery reaches one of the two ends, also when it dies itself', async () => {
    await fc.assert(
      fc.asyncProperty(world, die, fc.array(die, { maxLength: 2 }), async (one, first, more) => {
        const { tree, journal, folders } = await crashed(one, first);
        for (const death of more) {
          const dying = mortal(tree, journal, death);
          await recoverRename({ tree: dying.tree, journal: dying.journal, clock, root: FOLDER }).catch(
            (error: unknown) => {
              if (!(error instanceof Crash)) throw error;
            },
          );
          journal.letGo();
        }
        const recovered = await recoverRename({ tree, journal, clock, root: FOLDER });
        for (const { result } of recovered) expect(['rolled-back', 'done']).toContain(result);
        const back = JSON.stringify(sorted(tree.files())) === JSON.stringify(sorted(one.before));
        if (back) expect(tree.folders().sort()).toEqual(folders);
        else expect(tree.files()).toEqual(afterOf(one));
        // The folder is free again.
        expect(await recoverRename({ tree, journal, clock, root: FOLDER })).toEqual([]);
      }),
      { numRuns: runs(100, 40_000) },
    );
  });

  test('PLAN-9 an undo that dies is brought to an end as well', async () => {
    await fc.assert(
      fc.asyncProperty(world, die, async (one, death) => {
        const { tree, journal, outcome } = await crashed(one, { at: -1, when: 'before' });
        if (outcome?.result !== 'done') return;
        const dying = mortal(tree, journal, death);
        await undoRename({ tree: dying.tree, journal: dying.journal, clock, planId: PLAN_ID }).catch(
          (error: unknown) => {
            if (!(error instanceof Crash)) throw error;
          },
        );
        journal.letGo();
        await recoverRename({ tree, journal, clock, root: FOLDER });
        expect([one.before, afterOf(one)]).toContainEqual(tree.files());
      }),
      { numRuns: runs(50, 20_000) },
    );
  });

  test('PLAN-8, PLAN-76 what others put into the way in the meantime is neither lost nor overwritten, nor is any file', async () => {
    await fc.assert(
      fc.asyncProperty(world, die, fc.array(fc.nat(100), { minLength: 1, maxLength: 3 }), async (one, death, picks) => {
        const { tree, journal } = await crashed(one, death);
        const names = one.plan.flat();
        const put: Record<string, string> = {};
        const folders = tree.folders();
        for (const pick of picks) {
          const name = names[pick % names.length] ?? '';
          if ((await tree.stat(name)) !== null) continue;
          if (await isBelowFile(tree, name)) continue;
          tree.put(name, `put by another ${pick}`, 1);
          put[await spelledOf(tree, name)] = `put by another ${pick}`;
        }
        const made = tree.folders().filter((folder) => !folders.includes(folder));
        const [recovery] = await recoverRename({ tree, journal, clock, root: FOLDER });
        const files = tree.files();
        expect(files).toMatchObject(put);
        expect(Object.values(files).sort()).toEqual([...Object.values(one.before), ...Object.values(put)].sort());
        if (recovery?.result !== 'stuck') return;
        // What stands in the way is named, and with it gone there is an end.
        expect(recovery.problems.length > 0 || /called|is not empty/.test(recovery.failure.message)).toBe(true);
        for (const name of Object.keys(put)) tree.delete(name);
        for (const folder of made.reverse()) await tree.removeDirectory(folder);
        await recoverRename({ tree, journal, clock, root: FOLDER });
        // A folder that somebody used in between keeps the spelling that it had then.
        const named = (files: Record<string, string>) =>
          Object.fromEntries(Object.entries(files).map(([name, content]) => [pathKey(name, one.rules), content]));
        expect([named(one.before), named(afterOf(one))]).toContainEqual(named(tree.files()));
      }),
      { numRuns: runs(100, 40_000) },
    );
  });
});

async function isBelowFile(tree: MemoryFileTree, name: string): Promise<boolean> {
  for (const parent of parentsOf(name)) if ((await tree.stat(parent))?.kind === 'file') return true;
  return false;
}

async function spelledOf(tree: MemoryFileTree, name: string): Promise<string> {
  return (await tree.stat(name))?.path ?? name;
}

function sorted(files: Record<string, string>): [string, string][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
}
