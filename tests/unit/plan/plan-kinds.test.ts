/** A kind of plan that only this test knows works wherever plans are made, kept, listed, decided and sent. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { dexiePlanStore } from '#adapters/browser/plans/plan-store.ts';
import { MemoryFileTree } from '../../fixtures/memory-file-tree.ts';
import { MemoryPlanStore } from '../../fixtures/memory-plans.ts';
import { createPlanStore } from '#adapters/node/plan-store.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { randomUuids } from '#core/ids.ts';
import { planDocument, planKinds, readPlanDocument } from '#core/plan/plan-kind.ts';
import { createPlanService, type PlanReady } from '#core/plan/plan-service.ts';
import { toolsOf } from '#core/plan/plan-tools.ts';
import type { PlanStore } from '#core/plan/plan.ts';
import { planReadyType, planSchemas } from '#core/sync/plan-protocol.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { parcelPlans, type ParcelPlan } from '../../lanes/parcels/core/sort-parcels.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const FOLDER = '/post/Monday';
const at = (name: string): string => `${FOLDER}/${name}`;
const rules = { caseSensitive: true, unicode: 'preserve', windowsNames: false } as const;

function office(store: PlanStore) {
  const tree = new MemoryFileTree(rules, { 'a.box': 'a', 'b.box': 'bb', 'c.box': 'c', 'heavy.box': 'h' });
  const folders = { open: (path: string) => Promise.resolve(path === FOLDER ? tree : null) };
  const ready: PlanReady[] = [];
  const service = createPlanService(parcelPlans, {
    store,
    clock: { now: () => 1000 },
    ids: randomUuids,
    folders,
    planPath: (id) => `plans/${id}.plan.json`,
    ready: (event) => ready.push(event),
  });
  return { service, ready, folders };
}

const stores: [string, (log: string[]) => Promise<{ store: PlanStore; directory?: string; end: () => unknown }>][] = [
  ['memory', () => Promise.resolve({ store: new MemoryPlanStore(), end: () => undefined })],
  [
    'IndexedDB',
    (log) => {
      const db = openDatabase('parcels');
      return Promise.resolve({
        store: dexiePlanStore(db, parcelPlans, (line) => log.push(line)),
        end: () => db.delete(),
      });
    },
  ],
  [
    'files',
    async (log) => {
      const directory = await mkdtemp(join(tmpdir(), 'parcels-'));
      const store = createPlanStore(directory, parcelPlans, (line) => log.push(line));
      return { store, directory, end: () => rm(directory, { recursive: true }) };
    },
  ],
];

test.for(stores)('PLAN-40 a plan of another kind is made, kept in %s, listed and decided', async ([, open]) => {
  const log: string[] = [];
  const { store, directory, end } = await open(log);
  const { service, ready } = office(store);
  const id = await service.begin('sort-parcels', FOLDER, { by: 'agent' });
  await service.add('sort-parcels', id, { parcel: at('a.box'), shelf: 'A1' });
  await service.end('sort-parcels', id);
  expect(ready).toEqual([{ task: 'sort-parcels', task_id: id, plan_path: `plans/${id}.plan.json` }]);
  const [listed] = await service.pending('sort-parcels');
  // The type is narrowed by the task.
  const plan: ParcelPlan | undefined = listed?.plan;
  expect(plan?.files.map(({ shelf }) => shelf)).toEqual(['A1']);
  expect(await service.pending('rename-files')).toEqual([]);
  const rows = [
    { parcel: at('a.box'), shelf: 'B1' },
    { parcel: at('b.box'), shelf: 'B1' },
  ];
  expect((await service.replaceFiles(id, rows)).plan.files).toEqual(rows);
  const { plan: decided, state } = await service.update(id, 'completed', 'Ada');
  expect([decided.status, state.decided_by, state.sources]).toEqual(['completed', 'Ada', {}]);
  expect((await store.list()).map((kept) => kept.plan)).toEqual([decided]);
  const document = planDocument(parcelPlans, decided);
  expect(readPlanDocument(parcelPlans, document)).toEqual(decided);
  if (directory !== undefined) expect(await readFile(join(directory, `${id}.plan.json`), 'utf8')).toBe(document);
  expect(log).toEqual([]);
  await end();
});

test('PLAN-43 an entry keeps the rules of its kind, and hints that the caller brings count before those of the kind', async () => {
  const { service } = office(new MemoryPlanStore());
  const id = await service.begin('sort-parcels', FOLDER, { by: 'agent' });
  const add = (name: string, shelf: string) => service.add('sort-parcels', id, { parcel: at(name), shelf });
  await add('a.box', 'A1');
  await expect(add('a.box', 'A2')).rejects.toThrow('has a shelf already');
  await expect(add('heavy.box', 'A1')).rejects.toThrow('Shelf A1 is full.');
  await expect(add('z.box', 'A1')).rejects.toThrow('is no file of this folder');
  await expect(add('b.box', 'first')).rejects.toThrow('shelf');
  await expect(service.begin('sort-letters' as 'sort-parcels', FOLDER, { by: 'agent' })).rejects.toThrow('no kind');
  const files = ['a.box', 'heavy.box'].map((name) => ({ parcel: at(name), shelf: 'A1' }));
  const wanted = { task: 'sort-parcels', mediaFolderPath: FOLDER, files, notes: {} } as const;
  await expect(service.propose(wanted, 'code')).rejects.toThrow('full');
  const { state } = await service.propose({ ...wanted, hintOf: () => ({ heavy: false }) }, 'code');
  expect(state.stage).toBe('ready');
});

test('PLAN-51 its tools have its names and fields, and make such a plan', async () => {
  const store = new MemoryPlanStore();
  const { service, folders } = office(store);
  const tools = parcelPlans.all.flatMap(toolsOf);
  expect(new AgentToolRegistry(tools).names).toEqual([
    'beginSortParcels',
    'addSortedParcel',
    'endSortParcels',
    'beginRenameFilesTaskV2',
    'addRenameFileToTaskV2',
    'endRenameFilesTaskV2',
  ]);
  const run = {
    context: { plans: service, folders, by: 'agent' },
    signal: undefined,
    idempotencyKey: '',
    fetch: () => Promise.reject(new Error('no network')),
  };
  const call = (at: number, input: object) => tools[at]?.execute(v.parse(tools[at].input, input), run);
  expect(tools[1]?.references).toEqual({ taskId: 'task', parcel: 'file' });
  expect(() =>
    v.parse(tools[1]?.input ?? v.never(), { taskId: 't', parcel: at('a.box'), shelf: 'A1', more: 1 }),
  ).toThrow();
  await call(0, { mediaFolderPath: FOLDER });
  const [kept] = await store.list();
  const taskId = kept?.plan.id ?? '';
  await call(1, { taskId, parcel: at('a.box'), shelf: 'A1' });
  await call(2, { taskId });
  expect((await service.pending('sort-parcels')).map(({ plan }) => plan.files)).toEqual([
    [{ parcel: at('a.box'), shelf: 'A1' }],
  ]);
});

test('PLAN-49 where a kind is not known, its plans are named in the log and skipped', async () => {
  const db = openDatabase('mixed');
  const parcels = office(dexiePlanStore(db, parcelPlans)).service;
  const id = await parcels.begin('sort-parcels', FOLDER, { by: 'agent' });
  const log: string[] = [];
  expect(await dexiePlanStore(db, videoPlans, (line) => log.push(line)).list()).toEqual([]);
  expect(log.join()).toContain(id);
  const both = planKinds([...videoPlans.all, ...parcelPlans.all.filter(({ task }) => task === 'sort-parcels')]);
  expect(await dexiePlanStore(db, both).list()).toHaveLength(1);
  await db.delete();
});

test('what is sent carries the kinds that are known', () => {
  const { fresh, rows } = planSchemas(parcelPlans);
  const body = { task: 'sort-parcels', mediaFolderPath: FOLDER, files: [{ parcel: at('a.box'), shelf: 'A1' }] };
  expect(v.is(fresh, body)).toBe(true);
  expect(v.is(fresh, { ...body, task: 'recognize-media-file' })).toBe(false);
  expect(v.is(rows, { files: body.files })).toBe(true);
  expect(v.is(rows, { files: [{ season: 1, episode: 1, path: at('a.box') }] })).toBe(false);
  expect(planReadyType('sort-parcels')).toBe('SortParcelsPlanReady');
});
