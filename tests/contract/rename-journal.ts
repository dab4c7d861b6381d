import { describe, expect, test } from 'vitest';
import type { JournalHead, JournalStore } from '#core/plan/rename-journal.ts';

/** Two doors to one store, as two processes or pages have them. */
export interface JournalWorld extends AsyncDisposable {
  store: JournalStore;
  other: JournalStore;
  /** A folder that journals may be about. */
  root: string;
  elsewhere: string;
}

/** Runs the conformance suite of the JournalStore port; each case gets a store of its own, empty. */
export function journalStoreContract(name: string, open: () => Promise<JournalWorld>): void {
  const headOf = (id: string, root: string, started_at: number, planId = 'plan-1'): JournalHead => ({
    schemaVersion: 1,
    id,
    root,
    plan: { id: planId, hash: 'h', mediaFolderPath: '/m', files: [{ from: '/m/a', to: '/m/b' }] },
    steps: [{ do: 'move', row: 0, from: 'a', to: 'b', size: 1, modified: 2 }],
    started_at,
    started_by: 'somebody',
  });

  describe(`PLAN-7 ${name} keeps the JournalStore contract`, () => {
    test('gives back what was written, in its order, through any door', async () => {
      await using world = await open();
      const head = headOf('one', world.root, 1);
      await world.store.begin(head);
      await world.store.append('one', [{ kind: 'intent', step: 0 }]);
      await world.store.append('one', [
        { kind: 'done', step: 0, size: 1, modified: 3 },
        { kind: 'end', result: 'done', at: 5, note: '' },
      ]);
      // An undo opens it again.
      await world.other.append('one', [{ kind: 'turn', to: 'back', at: 6, by: 'x', why: 'undo' }]);
      const records = [
        { kind: 'intent', step: 0 },
        { kind: 'done', step: 0, size: 1, modified: 3 },
        { kind: 'end', result: 'done', at: 5, note: '' },
        { kind: 'turn', to: 'back', at: 6, by: 'x', why: 'undo' },
      ];
      for (const store of [world.store, world.other]) expect(await store.list()).toEqual([{ head, records }]);
    });

    test('finds journals by folder and by plan, oldest first', async () => {
      await using world = await open();
      const ids = async (of?: { root?: string; planId?: string }) =>
        (await world.store.list(of)).map(({ head }) => head.id);
      await world.store.begin(headOf('late', world.root, 9));
      await world.store.append('late', [{ kind: 'end', result: 'rolled-back', at: 10, note: '' }]);
      await world.store.begin(headOf('early', world.elsewhere, 3));
      await world.store.append('early', [{ kind: 'end', result: 'rolled-back', at: 4, note: '' }]);
      await world.store.begin(headOf('other', world.root, 5, 'plan-2'));
      expect(await ids()).toEqual(['early', 'other', 'late']);
      expect(await ids({ root: world.root })).toEqual(['other', 'late']);
      expect(await ids({ planId: 'plan-1' })).toEqual(['early', 'late']);
      expect(await ids({ planId: 'plan-1', root: world.root })).toEqual(['late']);
      expect(await ids({ planId: 'plan-3' })).toEqual([]);
    });

    test('refuses an id twice, and records of no journal', async () => {
      await using world = await open();
      await world.store.begin(headOf('one', world.root, 1));
      await expect(world.store.begin(headOf('one', world.root, 2))).rejects.toMatchObject({
        failure: { code: 'conflict' },
      });
      await expect(world.store.append('none', [{ kind: 'intent', step: 0 }])).rejects.toMatchObject({
        failure: { code: 'not_found' },
      });
    });

    test('PLAN-5 is held by one at a time, until it is released', async () => {
      await using world = await open();
      const release = await world.store.hold(world.root);
      expect(release).not.toBeNull();
      expect(await world.store.hold(world.root)).toBeNull();
      expect(await world.other.hold(world.root)).toBeNull();
      await release?.();
      const second = await world.other.hold(world.root);
      expect(second).not.toBeNull();
      await second?.();
    });
  });
}
