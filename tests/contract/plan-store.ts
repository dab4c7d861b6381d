import { describe, expect, test } from 'vitest';
import { failed } from '#core/errors.ts';
import { planDocument } from '#core/plan/plan-kind.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import type { RecognizeMediaFilePlan } from '#lanes/video/core/recognize-protocol.ts';

export const PLAN_ID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

export function keptPlan(over: Partial<RecognizeMediaFilePlan> = {}, created_at = 1000): KeptPlan {
  return {
    plan: {
      id: PLAN_ID,
      task: 'recognize-media-file',
      status: 'pending',
      mediaFolderPath: '/media/Show',
      files: [{ season: 1, episode: 2, path: '/media/Show/ä.mkv' }],
      ...over,
    },
    state: {
      stage: 'building',
      created_at,
      created_by: 'agent',
      ready_at: null,
      decided_at: null,
      decided_by: null,
      sources: {},
      notes: {},
    },
  };
}

/** What the document of the plan above is, byte for byte, in every store. */
export const DOCUMENT = `{
  "id": "${PLAN_ID}",
  "task": "recognize-media-file",
  "status": "pending",
  "mediaFolderPath": "/media/Show",
  "files": [
    {
      "season": 1,
      "episode": 2,
      "path": "/media/Show/ä.mkv"
    }
  ]
}
`;

/** Runs the conformance suite of the PlanStore port; each case gets a store of its own, empty. */
export function planStoreContract(
  name: string,
  open: () => Promise<{ store: PlanStore; close?: () => Promise<void> }>,
): void {
  const withStore = (title: string, run: (store: PlanStore) => Promise<void>): void => {
    test(title, async () => {
      const { store, close } = await open();
      try {
        await run(store);
      } finally {
        await close?.();
      }
    });
  };

  describe(`${name} keeps the PlanStore contract`, () => {
    withStore(
      'PLAN-47 a plan is read as it was created, and its document has the same bytes everywhere',
      async (store) => {
        const shuffled = keptPlan();
        const { files, ...rest } = shuffled.plan;
        await store.create({ ...shuffled, plan: { files, ...rest } as KeptPlan['plan'] });
        const kept = await store.read(PLAN_ID);
        expect(kept).toEqual(shuffled);
        expect(kept && planDocument(videoPlans, kept.plan)).toBe(DOCUMENT);
      },
    );

    withStore('a second plan of an id is a conflict, and the first stays', async (store) => {
      await store.create(keptPlan());
      await expect(store.create(keptPlan({ files: [] }))).rejects.toMatchObject({ failure: { code: 'conflict' } });
      expect((await store.read(PLAN_ID))?.plan.files).toHaveLength(1);
    });

    withStore('what is not there is null, not found, and not listed', async (store) => {
      expect(await store.read(PLAN_ID)).toBeNull();
      expect(await store.read('../../etc/passwd')).toBeNull();
      expect(await store.list()).toEqual([]);
      for (const id of [PLAN_ID, '../x', '']) {
        await expect(store.update(id, (kept) => kept)).rejects.toMatchObject({ failure: { code: 'not_found' } });
      }
    });

    withStore('PLAN-47 changes of one plan happen one after the other, none is lost', async (store) => {
      await store.create(keptPlan({ files: [] }));
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          store.update(PLAN_ID, ({ plan, state }) => {
            if (plan.task !== 'recognize-media-file') throw new Error('another plan');
            const files = [...plan.files, { season: 1, episode: at, path: `/media/Show/${at}.mkv` }];
            return { plan: { ...plan, files }, state };
          }),
        ),
      );
      expect((await store.read(PLAN_ID))?.plan.files).toHaveLength(12);
    });

    withStore('a change that is refused changes nothing', async (store) => {
      await store.create(keptPlan());
      const refused = store.update(PLAN_ID, (kept) => {
        kept.plan.files.length = 0;
        throw failed('conflict', 'no');
      });
      await expect(refused).rejects.toMatchObject({ failure: { code: 'conflict', message: 'no' } });
      expect(await store.read(PLAN_ID)).toEqual(keptPlan());
    });

    withStore('plans are listed newest first, with what is known beside them', async (store) => {
      const second = '11111111-1111-4111-8111-111111111111';
      await store.create(keptPlan());
      await store.create(keptPlan({ id: second }, 2000));
      const notes = { '/media/Show/ä.mkv': { confidence: 0.5, reasons: ['S01E02 in the name'] } };
      await store.update(PLAN_ID, ({ plan, state }) => ({ plan, state: { ...state, stage: 'ready', notes } }));
      const listed = await store.list();
      expect(listed.map(({ plan }) => plan.id)).toEqual([second, PLAN_ID]);
      expect(listed[1]?.state).toMatchObject({ stage: 'ready', notes });
      expect(listed[1] && planDocument(videoPlans, listed[1].plan)).toBe(DOCUMENT);
    });
  });
}
