import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { openDatabase } from '#lanes/database.ts';
import { dexiePlanStore } from '#adapters/browser/plans/plan-store.ts';
import { MemoryPlanStore } from '../fixtures/memory-plans.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { keptPlan, planStoreContract } from './plan-store.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;
const openDb = (): AccessionDb => openDatabase(`plans-${++count}`);

planStoreContract('memory', () => Promise.resolve({ store: new MemoryPlanStore() }));
planStoreContract('IndexedDB', () => {
  const db = openDb();
  return Promise.resolve({ store: dexiePlanStore(db, videoPlans), close: () => db.delete() });
});

test('PLAN-49 a row that is no plan is named in the log and skipped', async () => {
  const db = openDb();
  const said: string[] = [];
  const store = dexiePlanStore(db, videoPlans, (sentence) => said.push(sentence));
  await store.create(keptPlan());
  const { plan, state } = keptPlan({ id: 'no-uuid' });
  await db.plans.add({ id: 'no-uuid', plan, state });
  expect(await store.list()).toHaveLength(1);
  expect(said.join()).toContain('no-uuid');
  await db.delete();
});
